"""Builds the record of the policy in force, defaults included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from git_sched.decide.factors import FACTORS
from git_sched.model.keys import ByFactor, ByGraph, Items, Table, recorded
from git_sched.model.policy import KEYS, METAGIT_FACTORS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched import record
    from git_sched.model.keys import Key, Kind
    from git_sched.model.policy import Policy


def build_policy(policy: Policy) -> record.OwnPolicyRecord | record.MetagitPolicyRecord:
    """Build the record of the policy in force; metagit's own policy has exactly the keys that metagit prints."""
    return _as_metagit(policy) if policy.version is None else _whole(policy)


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


def _whole(policy: Policy) -> record.OwnPolicyRecord:
    base = policy.base_weights()
    in_force = policy._replace(weights=tuple((factor.name, base.get(factor.name, 0.0)) for factor in FACTORS))
    return cast("record.OwnPolicyRecord", _record_keys(in_force, KEYS))


def _record_keys(values: object, keys: Mapping[str, Key]) -> dict[str, object]:
    return {written: _record(getattr(values, name), key.kind) for name, written, key in recorded(keys)}


def _record(value: Any, kind: Kind) -> object:  # noqa: ANN401 - the kind says what it is
    """Convert a value of a kind to the types of JSON."""
    match kind:
        case Items(of):
            return [_record(item, of) for item in value]
        case ByGraph(of):
            return {graph_id: _record(own, of) for graph_id, own in value}
        case Table(keys, build) if build:
            return _record_keys(value, keys)
        case ByFactor() | Table():
            return dict(value)
        case _:
            return value
