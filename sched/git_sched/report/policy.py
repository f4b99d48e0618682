"""The policy in force as it is recorded, defaults included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.decide.factors import FACTORS
from git_sched.model.policy import METAGIT_FACTORS

if TYPE_CHECKING:
    from git_sched import record
    from git_sched.model.policy import Policy


def build_policy(policy: Policy) -> record.OwnPolicyRecord | record.MetagitPolicyRecord:
    """Give the policy in force; under metagit's own policy with exactly the keys metagit prints."""
    return _as_metagit(policy) if policy.version is None else _whole(policy, policy.version)


def _as_metagit(policy: Policy) -> record.MetagitPolicyRecord:
    base, overrides = policy.base_weights(), policy.overrides()
    return {
        "weights": {name: base.get(name, 0.0) for name in METAGIT_FACTORS},
        "merge_queue_threshold": policy.merge_queue_threshold,
        "merge_pressure_penalty": policy.merge_pressure_penalty,
        "skip_on_merge_pressure": policy.skip_on_merge_pressure,
        "graph_overrides": {
            graph_id: {name: own.get(name) for name in METAGIT_FACTORS} for graph_id, own in overrides.items()
        },
    }


def _whole(policy: Policy, version: int) -> record.OwnPolicyRecord:
    base, limits, publish = policy.base_weights(), policy.limits, policy.publish
    return {
        "version": version,
        "preset": policy.preset,
        "weights": {factor.name: base.get(factor.name, 0.0) for factor in FACTORS},
        "graph_overrides": policy.overrides(),
        "agent_pool": list(policy.agent_pool),
        "limits": {
            "total": limits.total,
            "per_graph": limits.per_graph,
            "per_repository": limits.per_repository,
            "per_agent": limits.per_agent,
            "tokens": limits.tokens,
        },
        "merge_queue_threshold": policy.merge_queue_threshold,
        "merge_pressure_penalty": policy.merge_pressure_penalty,
        "skip_on_merge_pressure": policy.skip_on_merge_pressure,
        "on_cancelled": policy.on_cancelled,
        "redispatch_after_seconds": policy.redispatch_after,
        "fairness_window": policy.fairness_window,
        "tokens_per_minute": policy.tokens_per_minute,
        "lookahead": policy.lookahead,
        "lookahead_agents": policy.lookahead_agents,
        "cold_start_minutes": policy.cold_start_minutes,
        "repository": policy.repository,
        "sources": [{"path": entry.path, "format": entry.format} for entry in policy.sources],
        "exclude": list(policy.exclude),
        "dispatch": dict(policy.dispatch),
        "publish": {"titles": publish.titles, "repositories": publish.repositories},
    }
