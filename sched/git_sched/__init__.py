"""git-sched answers "which task next?" from the task graph and the policy committed in a repository."""

__version__ = "0.1.0"
