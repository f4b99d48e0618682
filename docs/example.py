"""Set up git-sched, on the first call, and ask it for the next task of the workspace in docs/example.

Another command and its options may follow: `python3 docs/example.py status`. Its exit code is handed on.
Without one, an answer is a success: the workspace holds two mistakes on purpose, so that there is
something for `check` to say, and `next` by itself would report them with exit code 1.
"""

import runpy
import sys
from pathlib import Path

ENVIRONMENT = Path(__file__).resolve().parents[1] / ".github" / "requirements" / "environment.py"
ANSWERED_DESPITE_ERRORS = 1

if __name__ == "__main__":
    ask = runpy.run_path(str(ENVIRONMENT))["run"]
    asked = sys.argv[1:]
    code = ask("run", "-P", "-m", "git_sched", "-C", "docs/example", *(asked or ["next"]))
    sys.exit(0 if code == ANSWERED_DESPITE_ERRORS and not asked else code)
