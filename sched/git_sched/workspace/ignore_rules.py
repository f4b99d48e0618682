"""Reads what ``git check-ignore -v`` prints: for each ignored path the rule that makes git ignore it."""

from __future__ import annotations

import os
from typing import NamedTuple


class IgnoreRule(NamedTuple):
    """Why git ignores a path: the file with the rule, from the top level, the line in it, and its pattern."""

    source: str
    line: int
    pattern: str


def read_rules(printed: bytes) -> dict[str, IgnoreRule]:
    """Read the rules by path; a rule that begins with ``!`` is listed by git too, but ignores nothing."""
    words = [os.fsdecode(word) for word in printed.split(b"\0")]
    rows = zip(words[::4], words[1::4], words[2::4], words[3::4], strict=False)  # an empty word ends the list
    return {path: IgnoreRule(source, int(line), rule) for source, line, rule, path in rows if rule[:1] != "!"}
