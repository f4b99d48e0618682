"""The resources: answers that have an address; each is what its tool returns."""

from __future__ import annotations

from typing import Any, Final, NamedTuple
from urllib.parse import unquote

ADDRESS: Final = "git-sched://"


class Resource(NamedTuple):
    """A resource: the tool that answers it, and a description."""

    tool: str
    description: str


RESOURCES: Final = {
    "decision": Resource("metagit_schedule_next", "What comes next, and why."),
    "policy": Resource("metagit_schedule_policy", "The policy in force."),
    "status": Resource("metagit_schedule_status", "What is ready, held, running and blocked."),
}
"""Resources by the rest of their address; their tools are called without arguments."""

TASK: Final = "task/"
TEMPLATE: Final = Resource("schedule_explain", "Why a task is or is not next; node is its id, graph/id.")
"""The resource of each task; the rest of its address, which may be percent-encoded, is the task's id."""


class Call(NamedTuple):
    """The call that a resource stands for."""

    tool: str
    arguments: dict[str, Any]


def call_for(uri: str) -> Call | None:
    """Return the call that gives the resource with an address, or ``None`` if there is no such resource."""
    if not uri.startswith(ADDRESS):
        return None
    name = uri.removeprefix(ADDRESS).rstrip("/")
    if name in RESOURCES:
        return Call(RESOURCES[name].tool, {})
    node = unquote(name.removeprefix(TASK))
    return Call(TEMPLATE.tool, {"node": node}) if name.startswith(TASK) and "\0" not in node else None


def known() -> str:
    """List the addresses that there are."""
    return ", ".join([*(ADDRESS + name for name in RESOURCES), f"{ADDRESS}{TASK}{{node}}"])
