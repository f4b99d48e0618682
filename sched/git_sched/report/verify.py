"""Derives a recorded decision again: what a line of the log was computed from, and whether the same comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from git_sched.model.ids import is_object_id
from git_sched.model.policy import PLAN_LIMIT
from git_sched.model.signals import History, MergeQueue, Signals, Worktree, Worktrees
from git_sched.model.times import parse_time
from git_sched.report.basis import build_basis
from git_sched.report.decision import build_decision

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from git_sched.decide.pipeline import Answer
    from git_sched.model.policy import Policy
    from git_sched.model.signals import HistoryRow

Verdict = Literal["verified", "mismatch", "not-checkable"]


COMMANDS: Final[tuple[Literal["acl_commands", "compile_command"], ...]] = ("acl_commands", "compile_command")
"""What of a decision somebody may run: it is compared word by word, other texts are not."""


class Uncheckable(Exception):  # noqa: N818 - it is no error: nothing can be said of the line
    """Why a line cannot be derived again."""


class RecordedDecision(NamedTuple):
    """What a line says its decision was computed from. ``rows`` is how many older rows its history had."""

    revision: str
    workspace: str
    policy_path: str
    graphs: tuple[str, ...]
    now: int | None
    now_source: str
    limit: int
    graph_ids: tuple[str, ...]
    agents: tuple[str, ...]
    lookahead: int
    worktrees: Worktrees
    queue: MergeQueue
    rows: int


def read_line(raw: Mapping[str, Any]) -> RecordedDecision:
    """Read a line; one that lacks what is needed cannot be checked."""
    try:
        return _read(raw)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Uncheckable("the line does not say what it was computed from") from None


def _read(raw: Mapping[str, Any]) -> RecordedDecision:
    basis, request, restore_signals = raw["basis"], raw["request"], raw["signals"]
    revision = basis["revision"]
    if revision is None:
        raise Uncheckable("it was decided outside any commit")
    if not is_object_id(revision):
        raise Uncheckable("the line does not say what it was computed from")
    if dirty := len(basis["dirty"]) + int(basis.get("dirty_left_out", 0)):
        raise Uncheckable(f"{dirty} of its files differed from the commit")
    trees, queue = restore_signals["worktrees"], restore_signals["merge_queue"]
    if "texts_cut_at" in raw or trees.get("left_out") or queue.get("left_out"):
        raise Uncheckable("the line was too long and was cut")
    return RecordedDecision(
        revision,
        _text(basis["workspace"]),
        _text(basis["policy"]["path"]),
        tuple(map(_text, request.get("graphs", ()))),
        None if basis["now"] is None else parse_time(basis["now"]),
        _text(basis["now_source"]),
        int(request["limit"]),
        tuple(map(_text, request["graph_ids"])),
        tuple(map(_text, request["agents"])),
        _plans(request["lookahead"]),
        Worktrees(
            tuple(Worktree(_text(row["repository"]), row["agent_id"]) for row in trees["worktrees"]),
            known=trees["known"] is True,
        ),
        MergeQueue(tuple((_text(name), int(depth)) for name, depth in queue["depths"].items()), queue["known"] is True),
        int(restore_signals["history"]["rows"]),
    )


def _plans(value: object) -> int:
    """Take the number of plans, which nobody could have asked for beyond its limit: each is played to the end."""
    if type(value) is not int or not 0 <= value <= PLAN_LIMIT:
        raise TypeError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def restore_signals(
    recorded: RecordedDecision, raw: Mapping[str, Any], older: Sequence[HistoryRow], policy: Policy | None
) -> Signals:
    """Give the signals a line was decided with; ``older`` are the rows of the log before it.

    Where the log no longer holds them and the policy looks at history, nothing can be said.
    """
    past = History(tuple(sorted(older, key=lambda row: row.at)), known=bool(older))
    complete = len(past.before(str(raw.get("basis_key"))).rows) == recorded.rows
    if not complete and policy is not None and _looks_back(policy):
        raise Uncheckable("the log no longer holds the rows before it, and the policy looks at them")
    return Signals(recorded.worktrees, recorded.queue, past if complete else History())


def _looks_back(policy: Policy) -> bool:
    graphs = (None, *policy.overrides())
    return policy.redispatch_after is not None or any(policy.weight("fairness", graph) for graph in graphs)


def compare_line(raw: Mapping[str, Any], answer: Answer) -> tuple[Verdict, str]:
    """Say whether an answer, derived again, holds the decision of a line."""
    why = _other_basis(raw, answer)
    if why:
        return why
    skipped = raw.get("skipped") is True
    wanted = (raw.get("graph_id"), raw.get("node_id"), raw.get("agent_id"))
    ranked = answer.choice.skipped if skipped else answer.choice.picks
    rows = [build_decision(answer, one, skipped=skipped) for one in ranked]
    found = next((row for row in rows if (row["graph_id"], row["node_id"], row["agent_id"]) == wanted), None)
    if found is None:
        names = ", ".join(f"{row['graph_id']}/{row['node_id']}" for row in rows[:3]) or "nothing"
        return "mismatch", f"{'passed over' if skipped else 'picked'} is {names}"
    if found["score"] != raw.get("score"):
        return "mismatch", f"its score is {found['score']:.6f}, not {raw.get('score')}"
    if found["decision_id"] != raw.get("decision_id"):
        return "mismatch", f"its decision_id is {found['decision_id']}"
    for key in COMMANDS:
        if found[key] != raw.get(key):
            return "mismatch", f"{key} differs from what its commit gives"
    return "verified", ""


def _other_basis(raw: Mapping[str, Any], answer: Answer) -> tuple[Verdict, str] | None:
    """Say what is wrong where a line names another basis than its commit gives."""
    basis = answer.inputs.basis
    if raw.get("basis_key") == basis.key:
        return None
    listed = raw["basis"].get("inputs")
    if raw["basis"].get("inputs_left_out") or listed != build_basis(basis, preset="")["inputs"]:
        return "not-checkable", "it was computed from other files than the commit holds"
    return "mismatch", "its basis_key is not that of its commit, policy and time"
