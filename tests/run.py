"""Set up what the tests need, on the first call, and run them: `python3 tests/run.py [OPTIONS] [PYTEST OPTIONS]`.

--quick        leave out what is marked heavy, and try fewer examples of each law
--wheel PATH   test this wheel, not the source
"""

import argparse
import os
import runpy
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ENVIRONMENT = Path(__file__).resolve().parents[1] / ".github" / "requirements" / "environment.py"
PYTEST = ("-m", "pytest", "-n", "auto", "--dist", "worksteal")


def main() -> int:
    """Run the tests; give their exit code."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--wheel")
    given, options = parser.parse_known_args()
    run: Callable[..., int] = runpy.run_path(str(ENVIRONMENT))["run"]
    if given.quick:
        os.environ["HYPOTHESIS_PROFILE"] = "quick"
        options = ["-m", "not heavy", *options]
    if given.wheel is None:
        return run("dev", *PYTEST, *options)
    wheel = ("--no-deps", "--no-index", "--force-reinstall", os.path.abspath(given.wheel))
    if code := run("dev", "-m", "pip", "install", "-qq", *wheel):
        return code
    try:
        return run("dev", *PYTEST, "-o", "pythonpath=tests", *options)
    finally:
        run("dev", "-m", "pip", "uninstall", "-qq", "-y", "git-sched")


if __name__ == "__main__":
    sys.exit(main())
