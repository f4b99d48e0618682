"""The table of operations: each with its command, its MCP tool and its section of the documentation."""

from __future__ import annotations

from typing import Final, NamedTuple


class Operation(NamedTuple):
    """One thing that git-sched does.

    ``tool`` is empty where agents have no use for it. ``kind`` is the kind of record that command and tool both return,
    empty where there is none. ``writes`` says what is written, and when; empty means nothing ever is.
    """

    name: str
    command: str
    tool: str
    kind: str
    summary: str
    writes: str = ""

    @property
    def anchor(self) -> str:
        """The anchor of its section in ``docs/reference.md``."""
        return self.command.replace(" ", "-")


OPERATIONS: Final = (
    Operation(
        "next",
        "git sched next",
        "metagit_schedule_next",
        "decision",
        "Show which task to start next, and why.",
        "with `--record` or `--dispatch`: the decisions log and metagit's event stream",
    ),
    Operation(
        "status",
        "git sched status",
        "metagit_schedule_status",
        "status",
        "List the open tasks by state, and show the policy, the signals and recent decisions.",
    ),
    Operation(
        "policy show",
        "git sched policy show",
        "metagit_schedule_policy",
        "policy",
        "Show the policy in force.",
    ),
    Operation(
        "policy set",
        "git sched policy set",
        "metagit_schedule_policy",
        "policy",
        "Set values in the policy file, and show the policy that is then in force.",
        "the policy file",
    ),
    Operation(
        "explain",
        "git sched explain",
        "schedule_explain",
        "explanation",
        "Show why a task is or is not next, and what would change that.",
    ),
    Operation(
        "plan",
        "git sched plan",
        "schedule_plan",
        "forecast",
        "Forecast who would do which task, from when to when.",
    ),
    Operation(
        "take",
        "git sched take",
        "schedule_take",
        "decision",
        "Take a task, so that nobody else gets it.",
        "the decisions log and metagit's event stream",
    ),
    Operation(
        "release",
        "git sched release",
        "schedule_release",
        "release",
        "Give back a task that was taken.",
        "the decisions log and metagit's event stream",
    ),
    Operation(
        "check",
        "git sched check",
        "schedule_check",
        "check",
        "Find what is wrong in task files and policy.",
    ),
    Operation(
        "diff",
        "git sched diff",
        "schedule_diff",
        "comparison",
        "Show what a change finishes, frees, blocks and reorders.",
    ),
    Operation("verify", "git sched verify", "", "", "Check that recorded decisions can be reproduced."),
    Operation(
        "log",
        "git sched log",
        "",
        "",
        "Show how large the decisions log is, or remove its old lines.",
        "with `--prune`: the decisions log",
    ),
    Operation("render", "git sched render", "", "", "Print a stored record in another format."),
    Operation(
        "init",
        "git sched init",
        "",
        "",
        "Write an example graph, a policy and the ignore lines for the logs.",
        "the files it names before it writes them",
    ),
    Operation(
        "hook",
        "git sched hook",
        "",
        "",
        "Show what comes next after each merge.",
        "one file for each hook, on `install` and `uninstall`",
    ),
    Operation("schema", "git sched schema", "", "", "Print a JSON Schema."),
    Operation(
        "mcp",
        "git sched mcp",
        "",
        "",
        "Answer agents through the Model Context Protocol.",
        "only what the tools are asked to write",
    ),
)
"""The operations in the order of the documentation."""
