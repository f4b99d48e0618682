"""Who asks: the agents that an answer is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.model.ids import is_id
from git_sched.model.problems import RequestError

if TYPE_CHECKING:
    from git_sched.workspace.question import Question

VARIABLE: Final = "SCHED_AGENT"
"""The environment variable with the id of the agent that asks."""


def find_agents(question: Question, *, owner: str | None) -> tuple[str, ...]:
    """Return the agents of a request, each once: the named ones, else whoever asks where the question is for them.

    That is ``owner``, whose linked worktree is asked from, else the agent of :data:`VARIABLE`, else nobody.

    Raises:
        RequestError: an agent cannot be an id.
    """
    agents, source = question.agents, "--agent"
    if question.for_asker and not agents and owner is not None:
        agents = (owner,)
    elif question.for_asker and not agents and (named := question.environment.get(VARIABLE)):
        agents, source = (named,), VARIABLE
    return tuple(dict.fromkeys(check_agent(agent, source=source) for agent in agents))


def check_agent(agent: str, *, source: str) -> str:
    """Return the id of an agent; ``source`` is where it was given.

    Raises:
        RequestError: it cannot be an id.
    """
    if not is_id(agent):
        raise RequestError(f"{source} {agent!r} cannot be an id")
    return agent
