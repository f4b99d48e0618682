"""The compact record of ``policy``: the weights, and every other setting that differs from its default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from git_sched.mcp_server.compact.fit import Part, build, measure, row
from git_sched.mcp_server.compact.rows import problems, severities
from git_sched.model.json_codec import dump
from git_sched.model.policy import Policy
from git_sched.report.policy import build_policy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from git_sched import record
    from git_sched.mcp_server.compact.fit import Row

MOST: Final = 40
"""Number of settings that are shown."""

LONG: Final = 400
"""Characters above which the value of a setting is shown as the beginning of its JSON."""


def compact_policy(found: record.PolicyRecord) -> Row:
    """Return the compact record of ``policy``; without a policy, because its file is in error, it has the problems."""
    in_force: dict[str, Any] = dict(found["policy"])
    weights = {name: weight for name, weight in in_force.pop("weights", {}).items() if weight}
    head = {
        "path": found["path"],
        "preset": found["presets"]["in_force"],
        "refused": not found["policy"],
        "weights": weights,
        **severities(found["problems"]),
    }
    defaults = dict(_flat(build_policy(Policy(version=in_force.get("version")))))
    changed = [_setting(key, value) for key, value in _flat(in_force) if defaults.get(key) != value]
    return build("policy", head, (problems(found["problems"]), Part("settings", changed, MOST)))


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """List the settings by key, with dots between levels."""
    for key, value in values.items():
        if isinstance(value, dict) and value:
            yield from _flat(value, f"{before}{key}.")
        elif value != {}:
            yield f"{before}{key}", value


def _setting(key: str, value: Any) -> Row:  # noqa: ANN401 - a value of JSON
    short = value if measure(value) <= LONG else dump(value).decode()
    return {**row(key=key), "value": row(value=short).get("value", short)}
