"""``git sched policy show`` as text: the weights in force, then the limits and gates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from git_sched.model.times import write_duration
from git_sched.render.layout import align_columns, clean, format_weight, guard_line
from git_sched.render.terminal import PIPE, RED, paint

if TYPE_CHECKING:
    from collections.abc import Mapping

    from git_sched import record
    from git_sched.model.screen import Screen


def render(found: record.PolicyRecord, screen: Screen = PIPE) -> str:
    """Render the record of ``policy show``."""
    policy: Mapping[str, Any] = found["policy"]
    if not policy:
        return f"{paint('refused: the policy cannot be trusted', RED, screen)}\n"
    where = clean(found["path"]) or "no policy file, so the defaults are used"
    lines = [guard_line(f"{where} (preset {found['presets']['in_force']})"), ""]
    overrides: Mapping[str, Mapping[str, float | None]] = policy["graph_overrides"]
    head = ["", "all graphs", *map(clean, overrides)]
    rows = [head if overrides else head[:2]]
    for name, weight in policy["weights"].items():
        own = (table.get(name) for table in overrides.values())
        rows.append([clean(name), *("" if value is None else format_weight(value) for value in (weight, *own))])
    lines += align_columns(rows, right=tuple(range(1, len(head))))
    others = [
        (key, value) for key, value in policy.items() if key not in {"weights", "graph_overrides", "preset", "version"}
    ]
    settings = [[name, text] for name, text in (_setting(key, value) for key, value in others) if text]
    return "\n".join([*lines, "", *align_columns(settings)]) + "\n"


def _setting(key: str, value: object) -> tuple[str, str]:
    """Write a setting as its file has it: a duration, which the record has in seconds, with its unit."""
    name = key.removesuffix("_seconds")
    if name == key:
        return key, _write(value)
    return name, write_duration(value) if isinstance(value, int) else "off"


def _write(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case dict():
            return ", ".join(f"{clean(k)} {_write(v)}" for k, v in value.items() if v is not None)
        case list():
            return ", ".join(_write(item) for item in value)
        case float():
            return f"{value:.15g}"
        case _:
            return clean(str(value))
