"""Runs the command line as ``python -m git_sched``."""

from git_sched.cli.main import main

if __name__ == "__main__":
    main()
