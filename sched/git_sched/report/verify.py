"""Checks a recorded decision: what a line of the log was computed from, and whether the same decision comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from git_sched.decide.taking import take_node
from git_sched.model.ids import is_object_id
from git_sched.model.json_codec import dump, load
from git_sched.model.policy import PLAN_LIMIT
from git_sched.model.signals import History, HistoryRow, MergeQueue, Signals, Worktree, Worktrees
from git_sched.model.times import EARLIEST, parse_time
from git_sched.report.basis import build_basis
from git_sched.report.decision import build_picks, build_skipped
from git_sched.report.ranking import build_counts, count_blocked

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from git_sched.decide.pipeline import Answer

RELEASE_KEYS: Final = (
    "decision_id", "at", "graph_id", "node_id", "score", "reasons", "skipped", "dispatch_hints", "acl_commands",
    "compile_command", "clock", "agent_id", "releases",
)  # fmt: skip
"""The keys of a line by which a task was given back: those of metagit's decisions, and what it releases."""

Verdict = Literal["verified", "mismatch", "not-checkable"]


class Uncheckable(Exception):  # noqa: N818 - not an error: the line can be neither verified nor refuted
    """Why a line cannot be checked."""


class RecordedDecision(NamedTuple):
    """What a line's decision was computed from; ``clock`` is the time on the machine that decided, in seconds."""

    revision: str
    workspace: str
    policy_path: str
    graphs: tuple[str, ...]
    now: int
    now_source: str
    clock: int
    limit: int
    graph_ids: tuple[str, ...]
    agents: tuple[str, ...]
    lookahead: int
    signals: Signals


def read_line(raw: Mapping[str, Any]) -> RecordedDecision:
    """Read a line of the log.

    Raises:
        Uncheckable: the line lacks something that is needed.
    """
    try:
        return _read(raw)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        raise Uncheckable("the line does not say what it was computed from") from None


def _read(raw: Mapping[str, Any]) -> RecordedDecision:
    if not {"clock", "holds", "turns", "taken"} <= raw.keys():
        raise Uncheckable("the line was not written by this version of git-sched")
    basis, request, signals = raw["basis"], raw["request"], raw["signals"]
    revision = basis["revision"]
    if revision is None:
        raise Uncheckable("it was decided outside any commit")
    if not is_object_id(revision):
        raise Uncheckable("the line does not say what it was computed from")
    if dirty := len(basis["dirty"]) + int(basis.get("dirty_left_out", 0)):
        raise Uncheckable(f"{dirty} of its files differed from the commit")
    if "texts_cut_at" in raw or signals["worktrees"].get("left_out") or signals["merge_queue"].get("left_out"):
        raise Uncheckable("the line was too long and was cut")
    return RecordedDecision(
        revision,
        _text(basis["workspace"]),
        _text(basis["policy"]["path"]),
        tuple(map(_text, request.get("graphs", ()))),
        _time(raw["at"]),
        _text(basis["now_source"]),
        _time(raw["clock"]),
        int(request["limit"]),
        tuple(map(_text, request["graph_ids"])),
        tuple(map(_text, request["agents"])),
        _plans(request["lookahead"]),
        _signals(raw),
    )


def _time(value: object) -> int:
    seconds = parse_time(_text(value))
    if seconds is None:
        raise ValueError
    return seconds


def _signals(raw: Mapping[str, Any]) -> Signals:
    """Read the signals of a line; of the log, those rows that the decision used."""
    trees, queue, complete = raw["signals"]["worktrees"], raw["signals"]["merge_queue"], raw["worktrees_complete"]
    holds = [
        HistoryRow("", _text(row["graph_id"]), _text(row["node_id"]), _time(row["at"]), agent_id=_name(row["agent_id"]),
                   dispatched=row["released"] is False, released=row["released"] is True,
                   basis=raw["basis_key"] if row["same_basis"] is True else "")
        for row in raw["holds"]
    ]  # fmt: skip
    turns = [
        HistoryRow("", _text(row["graph_id"]), _text(row["node_id"]), EARLIEST,
                   repository=_name(row["repository"]), dispatched=True)
        for row in raw["turns"]
    ]  # fmt: skip
    return Signals(
        Worktrees(
            tuple(Worktree(_text(row["repository"]), _name(row["agent_id"])) for row in trees["worktrees"]),
            known=trees["known"] is True,
            complete=None if complete is None else tuple(map(_text, complete)),
        ),
        MergeQueue(tuple((_text(name), int(depth)) for name, depth in queue["depths"].items()), queue["known"] is True),
        History((*holds, *turns), known=raw["signals"]["history"]["known"] is True),
    )


def _plans(value: object) -> int:
    """Read the number of alternative plans, which has a limit since each plan takes time to simulate."""
    if type(value) is not int or not 0 <= value <= PLAN_LIMIT:
        raise TypeError
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _name(value: object) -> str | None:
    return None if value is None else _text(value)


def compare_line(raw: Mapping[str, Any], answer: Answer) -> tuple[Verdict, str]:
    """Compare the decision of a line with an answer computed again: the verdict, and what differs."""
    why = _other_basis(raw, answer)
    if why:
        return why
    if raw["taken"] is True:
        node = answer.metrics.network.number_of.get((_text(raw["graph_id"]), _text(raw["node_id"])))
        if node is None or node not in answer.metrics.candidates():
            return "mismatch", "the task that was taken is not ready"
        answer = take_node(answer, node)
    skipped = raw.get("skipped") is True
    wanted = (raw.get("graph_id"), raw.get("node_id"), raw.get("agent_id"))
    rows = build_skipped(answer) if skipped else build_picks(answer)
    found = next((row for row in rows if (row["graph_id"], row["node_id"], row["agent_id"]) == wanted), None)
    if found is None:
        names = ", ".join(f"{row['graph_id']}/{row['node_id']}" for row in rows[:3]) or "nothing"
        return "mismatch", f"{'skipped' if skipped else 'picked'} is {names}"
    if found["score"] != raw.get("score"):
        return "mismatch", f"its score is {found['score']:.6f}, not {raw.get('score')}"
    written = dump({**found, "counts": build_counts(answer), "blocked": count_blocked(answer), "at": raw["at"]})
    derived: dict[str, Any] = load(written)  # type: ignore[assignment]  # an object, as it was written
    if differing := [key for key, value in derived.items() if raw.get(key) != value]:
        return (
            "mismatch",
            f"{', '.join(differing)} {'differs' if len(differing) == 1 else 'differ'} from what its commit gives",
        )
    return "verified", ""


def compare_release(raw: Mapping[str, Any], dispatched: Collection[bytes]) -> tuple[Verdict, str]:
    """Check a line by which a task was given back: its shape, and that ``dispatched`` has the row it releases.

    ``dispatched`` has what :func:`name_row` returns.
    """
    if missing := [key for key in RELEASE_KEYS if key not in raw]:
        return "mismatch", f"it lacks {', '.join(missing)}"
    if raw["skipped"] is not True or raw["dispatch_hints"] != {} or not isinstance(raw["releases"], dict):
        return "mismatch", "it is not of the shape of a release"
    if name_row({**raw, **raw["releases"]}) not in dispatched:
        return "mismatch", "no line of the log gives out what it releases"
    return "verified", ""


def name_row(raw: Mapping[str, Any]) -> bytes:
    """Return what names a row of the log: its id, time, task and agent, as JSON since a line may have any values."""
    return dump([raw.get(key) for key in ("decision_id", "clock", "graph_id", "node_id", "agent_id")])


def _other_basis(raw: Mapping[str, Any], answer: Answer) -> tuple[Verdict, str] | None:
    """Return the verdict on a line with another basis than its commit gives, else ``None``."""
    basis = answer.inputs.basis
    derived = build_basis(basis, preset="")
    if raw.get("basis_key") == basis.key:
        same_time = (derived["now"], derived["now_source"]) == (raw["basis"].get("now", ""), raw["basis"]["now_source"])
        return None if same_time else ("mismatch", "its time is not the one that its tasks and policy call for")
    if raw["basis"].get("inputs_left_out") or raw["basis"].get("inputs") != derived["inputs"]:
        return "not-checkable", "it was computed from other files than the commit holds"
    return "mismatch", "its basis_key is not that of its commit and policy"
