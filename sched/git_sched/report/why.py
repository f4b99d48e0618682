"""Builds the sentence that says why a task is picked: its advantage over the best one left for the same agent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from git_sched.decide.factors.base import Pair
from git_sched.decide.rank import PRESSURE, order
from git_sched.model.phrases import DECIDED_BY, Piece, count

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.phrases import Clause
    from git_sched.model.request import Ranked

SECOND: Final = 0.15
"""The share of the largest difference, 0 to 1, from which on a second one gets a clause."""

LONGEST: Final = 160
"""The largest number of characters of a sentence."""

LONG_NAME: Final = 40
"""Characters to which a name is cut in a sentence that would be too long."""


def build_why(answer: Answer, number: int) -> Clause:
    """Explain why the pick with a number (from 0) was made, by the first case that applies."""
    pick, rival = answer.choice.picks[number], answer.choice.runners_up[number]
    if answer.choice.taken:
        who = pick.context.agent_id
        return (Piece(who, name=True), Piece(" chose it")) if who else (Piece("somebody chose it"),)
    if answer.metrics.network.is_container(pick.node):
        return (Piece("all its parts are finished; it only needs closing"),)
    if rival is None:
        return (Piece(_without_rival(answer, number)),)
    if order(answer.metrics, rival.node, rival.score) < order(answer.metrics, pick.node, pick.score):
        return (Piece(_foreseen(answer)),)
    if pick.score == rival.score:
        return _tie(answer, number, rival)
    return _shorten(_differences(answer, Pair(pick, rival)))


def record_why(clause: Clause) -> list[record.WhyRecord]:
    """Build the record of a sentence, in pieces."""
    return [{"text": piece.text, "name": piece.name} for piece in clause]


def join_pieces(clause: Clause) -> str:
    """Return a sentence as one text."""
    return "".join(piece.text for piece in clause)


def _without_rival(answer: Answer, number: int) -> str:
    choice = answer.choice
    earlier = {pick.node for pick in choice.picks[:number]}
    pick = choice.picks[number]
    kept = choice.held.keys() | {skipped.node for skipped in choice.skipped}
    others = {ranked.node for ranked in choice.ranking} - earlier - kept - {pick.node}
    agent = pick.context.agent_id
    if others and agent is not None:
        return f"it is the only ready task left that {agent} may take"
    if earlier:
        return "every other ready task is picked or held" if kept else "no other ready task is left"
    if kept:
        return "it is the only ready task that is not held"
    where = "" if len(choice.ranking) == len(answer.metrics.ready) else " in the graphs that were asked for"
    return f"it is the only task that is ready{where}"


def _foreseen(answer: Answer) -> str:
    outlook = answer.outlook
    plans, gain = (outlook.plans, outlook.gain) if outlook else (0, 0.0)
    return f"a look-ahead over {count(plans, 'plan')} expects {100 * gain:.1f} % less time and waiting if it goes first"


def _tie(answer: Answer, number: int, rival: Ranked) -> Clause:
    """Explain what decided between equal scores: tokens, own priority, or only the id."""
    metrics, pick = answer.metrics, answer.choice.picks[number]
    one, two = metrics.node(pick.node), metrics.node(rival.node)
    if one.tokens != two.tokens:
        given = one.estimated_tokens is not None or one.context_budget is not None
        return (Piece(f"{DECIDED_BY['tokens']} ({one.tokens})"),) if given else (
            Piece(metrics.label(rival.node), name=True), Piece(f" needs more tokens ({two.tokens})"))  # fmt: skip
    if one.priority != two.priority and not metrics.policy.exact_rfc:
        return (Piece(DECIDED_BY["priority"]),)
    alone = number > 0 or len(answer.request.agents) > 1
    alike = {rival.node} if alone else _alike(answer, rival)
    others = alike - {pick.node} | {rival.node}
    if len(others) == 1:
        named = Piece(metrics.label(rival.node), name=True)
        return (Piece("nothing sets it apart from "), named, Piece(f"; {DECIDED_BY['id']}"))
    return (Piece(f"nothing sets it apart from {len(others)} others; {DECIDED_BY['id']}"),)


def _alike(answer: Answer, rival: Ranked) -> set[int]:
    """Return the ready nodes that have the same score, tokens and priority as one, so that only ids order them."""
    out = answer.choice.held.keys() | {skipped.node for skipped in answer.choice.skipped}
    key = order(answer.metrics, rival.node, rival.score)[:3]
    ranking = answer.choice.ranking
    return {r.node for r in ranking if r.node not in out and order(answer.metrics, r.node, r.score)[:3] == key}


def _differences(answer: Answer, pair: Pair) -> list[Clause]:
    """Return the clauses for what favors the pick, the largest first: at most two, the second only if it is large."""
    mine, theirs = ({row.factor: row for row in answer.scoring.rows(r.node, r.context)} for r in pair)
    gains = {
        name: (mine[name].points if name in mine else 0) - (theirs[name].points if name in theirs else 0)
        for name in [*mine, *theirs]
    }
    favors = sorted((name for name in gains if gains[name] > 0), key=lambda name: -gains[name])
    found: list[tuple[int, Clause]] = []
    for name in favors:
        counts_for_both = name in mine and name in theirs
        by_rating = name == PRESSURE or (counts_for_both and mine[name].rating > theirs[name].rating)
        clause = _clause(answer, pair, name) if by_rating else _weighed(answer, pair, name)
        if clause is not None and clause not in [other for _, other in found]:
            found.append((gains[name], clause))
    if not found:
        return [(Piece(f"it ranks higher by {favors[0]}"),)]
    return [clause for gain, clause in found[:2] if gain >= SECOND * found[0][0]]


def _weighed(answer: Answer, pair: Pair, name: str) -> Clause:
    graph_id = answer.metrics.node(pair.pick.node).graph_id
    return (Piece(f"the policy gives {name} more weight in "), Piece(graph_id, name=True))


def _clause(answer: Answer, pair: Pair, name: str) -> Clause | None:
    if name == PRESSURE:
        return _less_pressure(answer, pair)
    prepared = next(w.prepared for w in answer.scoring.weighed(pair.pick.node) if w.factor.name == name)
    return prepared.clause(pair)


def _less_pressure(answer: Answer, pair: Pair) -> Clause:
    other = answer.metrics.node(pair.rival.node)
    depth = answer.metrics.signals.merge_queue.depth(other.repository)
    queued = f"{count(depth, 'merge')} {'is' if depth == 1 else 'are'} queued in "
    where = (Piece(queued), Piece(other.repository or "", name=True))
    return (*where, Piece(", where "), Piece(answer.metrics.label(pair.rival.node), name=True), Piece(" would go"))


def _shorten(clauses: list[Clause]) -> Clause:
    """Join clauses; a sentence that would be too long loses the second one, then the ends of long names."""
    whole = tuple(piece for n, clause in enumerate(clauses) for piece in ((Piece(", and "),) if n else ()) + clause)
    if len(join_pieces(whole)) <= LONGEST:
        return whole
    if len(join_pieces(clauses[0])) <= LONGEST:
        return clauses[0]
    return tuple(
        Piece(f"{piece.text[: LONG_NAME - 3]}...", name=True) if piece.name and len(piece.text) > LONG_NAME else piece
        for piece in clauses[0]
    )
