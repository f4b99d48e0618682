"""Set up git-sched, on the first call, and ask it for the next task of the workspace in docs/example.

Another command and its options may follow: `python3 docs/example.py status`.
"""

import runpy
import sys
from pathlib import Path

ENVIRONMENT = Path(__file__).resolve().parents[1] / ".github" / "requirements" / "environment.py"

if __name__ == "__main__":
    run = runpy.run_path(str(ENVIRONMENT))["run"]
    sys.exit(run("run", "-P", "-m", "git_sched", "-C", "docs/example", *(sys.argv[1:] or ["next"])))
