"""Set up what the tests need, on the first call, and run them: `python3 tests/run.py [PYTEST OPTIONS]`."""

import runpy
import sys
from pathlib import Path

ENVIRONMENT = Path(__file__).resolve().parents[1] / ".github" / "requirements" / "environment.py"

if __name__ == "__main__":
    run = runpy.run_path(str(ENVIRONMENT))["run"]
    sys.exit(run("dev", "-m", "pytest", "-n", "auto", "--dist", "worksteal", *sys.argv[1:]))
