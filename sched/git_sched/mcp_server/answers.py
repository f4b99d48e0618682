"""The answers of the tools: each asks the same as its command, and returns the same record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from git_sched.formats.policy_edit import Change
from git_sched.mcp_server.tools import records, sets
from git_sched.model.policy import METAGIT_FACTORS
from git_sched.model.problems import RequestError
from git_sched.operations import policy
from git_sched.operations.answer import answer_question, require_graphs
from git_sched.operations.check import check_workspace
from git_sched.operations.diff import Range, compare_revisions
from git_sched.operations.log import record_answer
from git_sched.operations.read import read_workspace
from git_sched.operations.release import release_task
from git_sched.operations.take import take_task
from git_sched.report import explain
from git_sched.report.next import build_next
from git_sched.report.plan import build_forecast
from git_sched.report.status import RECENT, build_status, select_tasks
from git_sched.workspace.asker import check_agent
from git_sched.workspace.question import parse_now
from git_sched.workspace.streams import write_err

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched.mcp_server.tools import Arguments
    from git_sched.operations.answer import Recorded, Result
    from git_sched.workspace.question import Question


def _asked(place: Question, said: Arguments) -> Question:
    """Return the question of a call: what the server was started with, and the arguments."""
    agents = tuple(check_agent(agent, source="agent") for agent in said.get("agents") or ())
    graph_ids = (said["graph_id"],) if said.get("graph_id") else ()
    if said.get("now") is not None:
        now, source = parse_now(said["now"])
        place = place._replace(now=now, now_source=source)
    return place._replace(agents=agents, graph_ids=graph_ids)


def _asked_by(place: Question, said: Arguments) -> Question:
    """Return the question of a call that is for whoever asks, unless agents are named."""
    return _asked(place, said)._replace(for_asker=True)


def _ask(place: Question, said: Arguments) -> Result:
    return answer_question(_asked(place, said))


def answer_next(place: Question, said: Arguments) -> Mapping[str, Any] | Recorded:
    """Return what comes next, and record it if that is asked for."""
    question = _asked_by(place, said)._replace(limit=said.get("limit"))
    if not records(said):
        return build_next(answer_question(question).answer)
    recorded = record_answer(question, dispatched=bool(said.get("dispatch")))
    write_err("\n".join(recorded.notes))
    return recorded


def answer_take(place: Question, said: Arguments) -> Recorded:
    """Take a task that was chosen, and return it as the pick."""
    recorded = take_task(_asked_by(place, _as_agents(said)), said["node"])
    write_err("\n".join(recorded.notes))
    return recorded


def answer_release(place: Question, said: Arguments) -> Mapping[str, Any]:
    """Give a task back."""
    _, found, notes = release_task(_asked_by(place, _as_agents(said)), said["node"])
    write_err("\n".join(notes))
    return found


def _as_agents(said: Arguments) -> Arguments:
    return {**said, "agents": [said["agent"]]} if "agent" in said else said


def answer_status(place: Question, said: Arguments) -> Mapping[str, Any]:
    """Return what is in which state."""
    number = RECENT if said.get("recent") is None else said["recent"]
    question = _asked_by(place, said)._replace(recent=number)
    asked = answer_question(question._replace(graph_ids=()))
    require_graphs(asked.workspace, question.graph_ids)
    return build_status(
        asked.answer,
        sources=asked.workspace.sources,
        log_rows=asked.workspace.log_rows,
        recent=number,
        selection=select_tasks(graph_ids=question.graph_ids),
    )


def answer_explain(place: Question, said: Arguments) -> Mapping[str, Any]:
    """Return why a task is or is not next."""
    return explain.build_explanation(answer_question(_asked_by(place, said)).answer, said["node"])


def answer_plan(place: Question, said: Arguments) -> Mapping[str, Any]:
    """Return a forecast."""
    answer = answer_question(_asked(place, said)._replace(lookahead=0)).answer
    return build_forecast(answer, limit=said.get("limit"))


def answer_check(place: Question, said: Arguments) -> Mapping[str, Any]:
    """Return what is wrong."""
    return check_workspace(_ask(place, said), said.get("paths") or (), finished=said.get("all", False))


def answer_diff(place: Question, said: Arguments) -> Mapping[str, Any]:
    """Return what a change does."""
    question = _asked(place, said)._replace(limit=said.get("limit"))
    return compare_revisions(question, Range(said.get("base", "HEAD"), said.get("head", question.revision)))


def answer_policy(place: Question, said: Arguments) -> Mapping[str, Any]:
    """Return the policy in force, after setting values if that is asked for."""
    changes = _changes(said)
    if not sets(said):
        if changes:
            raise RequestError("nothing is set unless action is set", hint='give "action": "set" as well')
        return policy.show_policy(read_workspace(place))
    if place.revision is not None:
        raise RequestError("policy set edits the work tree; this server reads a revision")
    if not changes:
        raise RequestError("there is nothing to set", hint='give weights, as {"urgency": 3}, or another key')
    policy.set_policy(read_workspace(place), changes, announce=lambda _: None)
    return policy.show_policy(read_workspace(place))


PLAIN: Final = ("preset", "merge_queue_threshold", "merge_pressure_penalty", "skip_on_merge_pressure")


def _changes(said: Arguments) -> list[Change]:
    graph_id = said.get("graph_id")
    head = ("graph_overrides", graph_id) if graph_id else ("weights",)
    weights = {**{n: said[n] for n in METAGIT_FACTORS if said.get(n) is not None}, **said.get("weights", {})}
    changes = [Change((*head, name), _plain(value)) for name, value in weights.items()]
    if graph_id and not changes:
        raise RequestError("graph_id needs weights to set for it")
    changes += [Change(("limits", name), value) for name, value in said.get("limits", {}).items()]
    changes += [Change((key,), _plain(said[key])) for key in PLAIN if said.get(key) is not None]
    return changes + [Change(tuple(name.split(".")), value) for name, value in said.get("set", {}).items()]


def _plain(value: object) -> object:
    """Return a whole number as an int, so that it is written without a decimal point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
