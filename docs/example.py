"""Set up git-sched, on the first call, and ask it for the next task of the workspace in docs/example.

Another command and its options may follow: `python3 docs/example.py status`. Its exit code is handed on. The
workspace holds two mistakes on purpose, so that `check` has something to report.
"""

import runpy
import sys
from pathlib import Path

ENVIRONMENT = Path(__file__).resolve().parents[1] / ".github" / "requirements" / "environment.py"

if __name__ == "__main__":
    ask = runpy.run_path(str(ENVIRONMENT))["run"]
    sys.exit(ask("run", "-P", "-m", "git_sched", "-C", "docs/example", *(sys.argv[1:] or ["next"])))
