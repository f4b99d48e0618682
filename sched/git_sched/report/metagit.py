"""The texts of a decision that RFC-0012 and metagit define word for word: reasons and the compile command."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from git_sched.decide.factors import FACTORS

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.decide.pipeline import Answer
    from git_sched.model.graph import Node
    from git_sched.model.request import Ranked

_NAMED = ("affinity", "cost")


def build_compile_command(node: Node) -> str | None:
    """Return metagit's command that compiles a node's context; ``None`` without both project and repository."""
    if not node.project or not node.repository_name:
        return None
    repo = node.repository_name.rpartition("/")[2]
    words = ("metagit", "context", "compile", "--project", node.project, "--repo", repo, "--task-id", node.node_id)
    return shlex.join(words)


def build_reasons(answer: Answer, ranked: Ranked, rows: list[record.FactorRecord], *, skipped: bool) -> list[str]:
    """Return metagit's own strings in metagit's order (RFC-0012)."""
    metrics, node = answer.metrics, answer.metrics.node(ranked.node)
    prepared = {w.factor.name: w.prepared for w in answer.scoring.base}
    prepared |= {f.name: f.prepare(metrics) for f in FACTORS if f.name in _NAMED and f.name not in prepared}
    warm, cost = (prepared[name].rate(ranked.node, ranked.context) for name in _NAMED)
    found = [f"priority={node.priority}", f"affinity={warm:.0f}", f"cost={cost:.4f}(tokens={node.tokens})"]
    found += [f"fairness={row['rating']:.0f}" for row in rows if row["factor"] == "fairness" and row["weight"] > 0]
    if answer.scoring.pressed(ranked.node):
        policy = metrics.policy
        depth = metrics.signals.merge_queue.depth(node.repository)
        found.append(
            f"merge_pressure depth={depth} threshold={policy.merge_queue_threshold} "
            f"penalty={policy.merge_pressure_penalty}"
        )
    return [*found, "skipped_due_to_merge_pressure"] if skipped else found
