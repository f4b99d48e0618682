"""The tools: what each is for, which arguments it takes, and whether it writes."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pydantic import TypeAdapter

from git_sched.mcp_server import arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from git_sched.operations.answer import Recorded
    from git_sched.workspace.question import Question

Arguments = dict[str, Any]
"""The arguments of a call that were given; none is null."""


class Tool(NamedTuple):
    """A tool: its description, the type of its arguments, and the function of ``answers`` that returns its record.

    ``writes`` returns whether a call with given arguments writes, and is ``None`` if no call does. ``destructive`` is
    whether a write replaces something, ``idempotent`` whether a second call writes no more than the first.
    """

    description: str
    arguments: Any
    answer: str
    writes: Callable[[Arguments], bool] | None = None
    destructive: bool = False
    idempotent: bool = True


def records(said: Arguments) -> bool:
    """Whether the decision is to be logged."""
    return bool(said.get("record") or said.get("dispatch"))


def sets(said: Arguments) -> bool:
    """Whether values of the policy are to be set."""
    return said.get("action") == "set"


def always(_: Arguments) -> bool:
    """Whether a call writes: it does, whatever its arguments are."""
    return True


TOOLS: Final[dict[str, Tool]] = {
    "metagit_schedule_next": Tool(
        "Get the task to work on next. When you have none, call it with your id in agents and dispatch: true, which "
        "reserves the task for you. After a commit or an edit of a task file you would get a second one. picks has it: "
        "id, title, why it comes first, and place (file:line); finish: true means that only its status is left to set. "
        "working_on has your tasks whose status is running. Without picks, outcome says why (nothing-ready, stuck, "
        "all-done, empty, refused), causes what would free most tasks, and free_at when to ask again.",
        arguments.NextArguments,
        "answer_next",
        writes=records,
        idempotent=False,
    ),
    "metagit_schedule_status": Tool(
        "Show how many tasks are in which state, which are ready, held, in progress or "
        "waiting for what, and what was given out lately. It reserves nothing.",
        arguments.StatusArguments,
        "answer_status",
    ),
    "metagit_schedule_policy": Tool(
        "Show how tasks are ranked: the weights, and the settings that are not the default. With action: set it edits "
        "the policy file, which is for people to decide.",
        arguments.PolicyArguments,
        "answer_policy",
        writes=sets,
        destructive=True,
    ),
    "schedule_explain": Tool(
        "Ask about one task: its state, what it waits for or who holds it, its score, what waits for it, and where it "
        "is written.",
        arguments.ExplainArguments,
        "answer_explain",
    ),
    "schedule_take": Tool(
        "Reserve a task that somebody chose for you. It must be ready, and nobody else may have it; else the answer is "
        "an error that says who has it or what it waits for. For the task that comes next, call metagit_schedule_next "
        "with dispatch: true instead.",
        arguments.TakeArguments,
        "answer_take",
        writes=always,
        idempotent=False,
    ),
    "schedule_release": Tool(
        "Give back a task that you reserved and will not finish, so that others can get it; you are not offered it "
        "again before the next commit or edit. Do not call it for a task that is done: set its status instead.",
        arguments.TakeArguments,
        "answer_release",
        writes=always,
        idempotent=False,
    ),
    "schedule_plan": Tool(
        "Forecast who would do which task and from when to when (minutes from now), the critical path, and what "
        "cannot start. It reserves nothing.",
        arguments.PlanArguments,
        "answer_plan",
    ),
    "schedule_check": Tool(
        "Find mistakes in task files and policy, each with its place and what to do. Call it after you edit a task "
        "file.",
        arguments.CheckArguments,
        "answer_check",
    ),
    "schedule_diff": Tool(
        "See what a change between two revisions, or up to the work tree, finishes, frees, blocks and reorders.",
        arguments.DiffArguments,
        "answer_diff",
    ),
}
"""The tools by name, in the order in which they are listed."""


@cache
def reader(name: str) -> TypeAdapter[Arguments]:
    """Return the validator for the arguments of a tool."""
    return TypeAdapter(TOOLS[name].arguments)


def answerer(tool: Tool) -> Callable[[Question, Arguments], Mapping[str, Any] | Recorded]:
    """Import the function that answers a tool with a record; listing the tools does not need it."""
    found = getattr(import_module("git_sched.mcp_server.answers"), tool.answer)
    return cast("Callable[[Question, Arguments], Mapping[str, Any] | Recorded]", found)
