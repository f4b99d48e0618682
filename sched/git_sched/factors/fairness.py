"""Fairness: repositories that had fewer turns lately come first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.factors.base import Factor, share

if TYPE_CHECKING:
    from git_sched.factors.base import Rater
    from git_sched.signals import HistoryRow
    from git_sched.survey import Standing, Survey


def recent_turns(survey: Survey, *, basis: str) -> dict[str | None, int]:
    """Count the recent decisions of each repository.

    One row, the newest, counts for each node; skipped rows and rows of this basis are left out; where any row says
    that it was handed out, only such rows count. The window is the policy's ``fairness_window``.
    """
    rows = [row for row in survey.signals.history.rows if not row.skipped and row.basis != basis]
    if any(row.dispatched for row in rows):
        rows = [row for row in rows if row.dispatched]
    newest: dict[tuple[str, str], HistoryRow] = {}
    for row in rows:
        newest.pop((row.graph_id, row.node_id), None)
        newest[(row.graph_id, row.node_id)] = row
    turns: dict[str | None, int] = {}
    for row in list(newest.values())[-survey.policy.fairness_window :]:
        turns[row.repository] = turns.get(row.repository, 0) + 1
    return turns


def _rater(survey: Survey) -> Rater:
    nodes = survey.network.nodes
    if survey.policy.exact_rfc:
        homes = {nodes[i].repository for i in survey.candidates()}

        def fewest(node: int, standing: Standing) -> float:
            least = min((standing.turns.get(home, 0) for home in homes), default=0)
            return float(standing.turns.get(nodes[node].repository, 0) == least)

        return fewest

    def fair(node: int, standing: Standing) -> float:
        home = nodes[node].repository
        if home is None:
            return 0.0
        return 1.0 - share(standing.turns.get(home, 0), sum(standing.turns.values()))

    return fair


def _known(survey: Survey, node: int, standing: Standing) -> bool:  # noqa: ARG001 - Factor.known
    return survey.signals.history.known or survey.policy.exact_rfc


def _why(survey: Survey, node: int, standing: Standing) -> str:
    home = survey.node(node).repository
    if home is None:
        return "it names no repository"
    return f"{standing.turns.get(home, 0)} of {sum(standing.turns.values())} recent decisions went to {home}"


FACTOR = Factor("fairness", "1 less the repository's share of recent decisions", _rater, _why, _known, moves=True)
