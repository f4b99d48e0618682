"""Points in time as whole seconds since 1970 in UTC, read from ISO 8601 text."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_STAMP = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|z|[+-]\d{2}:?\d{2}))?")

DAY = 86_400
"""Seconds in a day."""

EARLIEST, LATEST = -62_135_596_800, 253_402_300_799
"""The first second of year 1 and the last one of year 9999; other years do not have four digits in ISO 8601."""


def parse_time(text: str, *, end_of_day: bool = False) -> int | None:
    """Read a date or a time; without a zone it is UTC.

    A date without a time is the first second of that day, or with ``end_of_day`` (for due dates) the last one. The
    result is in seconds since 1970, or ``None`` for text that is neither or names a day that does not exist. A time
    that its zone moves out of the years 1 to 9999 is their first or last second.
    """
    try:
        if _DATE.fullmatch(text):
            day = datetime.fromisoformat(text).replace(tzinfo=UTC)
            return _seconds(day + timedelta(seconds=DAY - 1) if end_of_day else day)
        if _STAMP.fullmatch(text):
            moment = datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-").replace(" Z", "Z"))
            return _seconds(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        pass
    return None


def _seconds(moment: datetime) -> int:
    return min(max((moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1), EARLIEST), LATEST)


def format_time(seconds: int) -> str:
    """Write seconds since 1970 as ISO 8601 in UTC, such as ``2026-11-03T09:30:00Z``; any year has four digits."""
    return (datetime(1970, 1, 1) + timedelta(seconds=seconds)).isoformat() + "Z"  # noqa: DTZ001 - it is UTC


_UNITS = {"s": 1, "m": 60, "h": 3_600, "d": DAY}


def parse_duration(text: str) -> int | None:
    """Read a duration such as ``4h``, ``90m`` or ``2d`` as seconds; ``None`` for anything else."""
    match = re.fullmatch(r"(\d{1,6})([smhd])", text)
    return int(match[1]) * _UNITS[match[2]] if match else None


def write_duration(seconds: int) -> str:
    """Write seconds as a file holds them, in the largest unit without a fraction: ``4h``, ``90m``, ``2d``."""
    unit = next(unit for unit in reversed(_UNITS) if seconds % _UNITS[unit] == 0)
    return f"{seconds // _UNITS[unit]}{unit}"
