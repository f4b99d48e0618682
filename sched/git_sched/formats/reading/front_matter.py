"""Front matter: the YAML between two lines of dashes at the top of a Markdown file, with common mistakes repaired."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from git_sched.formats.reading.document import Document, unreadable
from git_sched.formats.reading.text import read_text
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from git_sched.formats.reading.marks import Mark
    from git_sched.model.blob import Blob

_FENCED = re.compile(r"---[ \t]*\r?\n(?P<body>.*?)(?:\r?\n)?^---", re.DOTALL | re.MULTILINE)
_KEY_LINE = re.compile(r"(?P<head>[A-Za-z_][\w-]*:[ \t]+)(?P<value>\S.*)")
_ITEM_LINE = re.compile(r"(?P<head>[ \t]*-[ \t]+)(?P<value>[@`%\d].*)")
_INLINE = re.compile(r"\[(?P<items>[^\[\]{}]*)\](?P<rest>[ \t]*(?:#.*)?)")
_NUMBER = re.compile(r"\d[\d.]*")
_SPECIAL = ("@", "`", "%")


def read_front_matter(blob: Blob) -> Document | None:
    """Read the front matter of a Markdown file as a document; ``None`` if the file has none.

    Names with an unquoted ``@`` and unquoted numbers are quoted first: both are text, above all in ids.
    """
    text = read_text(blob)
    if isinstance(text, Problem):
        return unreadable(blob.path, text)
    if not text.startswith("---"):
        return None
    found = _FENCED.match(text)
    if found is None:
        message = "the front matter does not end: there is no second line of three dashes"
        return unreadable(blob.path, Problem("error", "syntax", message, blob.path, 1, 1, "add the line ---"))
    from git_sched.formats.reading import yaml_text

    body = "\n".join(repair(line) for line in found["body"].split("\n"))
    value, problems = yaml_text.read(body, blob.path)
    readable = not any(problem.severity == "error" for problem in problems)
    placed = tuple(_one_down(problem) for problem in problems)
    return Document(blob.path, value if readable else None, placed, readable, lambda _: _marks(body), [])


def repair(line: str) -> str:
    """Return one line with quotes around what YAML would refuse or take for a number."""
    kept = line.removesuffix("\r")
    shown = kept.rstrip(" \t")
    found = _KEY_LINE.fullmatch(shown) or _ITEM_LINE.fullmatch(shown)
    if found is None:
        return kept
    value = found["value"]
    if inline := _INLINE.fullmatch(value):
        items = [item.strip() for item in inline["items"].split(",")]
        return f"{found['head']}[{', '.join(_quoted(item) for item in items if item)}]{inline['rest']}"
    return found["head"] + _quoted(value)


def _quoted(value: str) -> str:
    if value.startswith(_SPECIAL) or _NUMBER.fullmatch(value):
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return value


def _one_down(problem: Problem) -> Problem:
    return problem if problem.line is None else problem._replace(line=problem.line + 1)


def _marks(body: str) -> Iterator[Mark]:
    from git_sched.formats.reading import yaml_text

    for mark in yaml_text.marks(body):
        key = None if mark.key is None else (mark.key[0] + 1, mark.key[1])
        yield mark._replace(value=(mark.value[0] + 1, mark.value[1]), key=key)
