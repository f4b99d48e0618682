"""Edits a policy as text: only the values that are set change, every other byte is kept."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import yaml

from git_sched.formats.reading import yaml_text
from git_sched.formats.reading.document import read_document
from git_sched.formats.reading.marks import AmbiguousScalar
from git_sched.model.blob import Blob

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STEP: Final = 2
"""Spaces by which a mapping that is added is indented below its key."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*")


class Change(NamedTuple):
    """One value to set: the keys that lead to it, and the value; ``None`` removes the key."""

    path: tuple[str, ...]
    value: object


class EditError(ValueError):
    """The text cannot be edited in place; it was not changed."""


def edit(data: bytes, changes: Sequence[Change], *, name: str) -> bytes:
    """Set values in a policy file; a name ending in ``.json`` is JSON, any other YAML.

    The result is read again and must differ from the old values only in those that were set.

    Raises:
        EditError: the text is not UTF-8, or cannot be edited without changing other values.
    """
    as_json = name.endswith(".json")
    text = data.decode()
    for change in changes:
        text = _PolicyText(text, as_json=as_json).with_(change)
    try:
        edited = text.encode()
    except UnicodeEncodeError:
        raise EditError("a value is no text in UTF-8") from None
    wanted, found = read_document(Blob(name, data)).value, read_document(Blob(name, edited))
    for change in changes:
        wanted = _with(wanted, change)
    if not found.readable or found.value != wanted:
        raise EditError("its layout is beyond an edit in place")
    return edited


def _with(value: object, change: Change) -> object:
    """Set a value in plain data; where a key is removed, a mapping that is left empty is removed as well."""
    key, *rest = change.path
    table: dict[str, object] = dict(value) if isinstance(value, dict) else {}
    old = table.pop(key, None)
    if not rest:
        return table if change.value is None else {**table, key: change.value}
    if change.value is None and not (old and isinstance(old, dict)):
        return value
    new = _with(old, Change(tuple(rest), change.value))
    return {**table, key: new} if new else table


class _PolicyText:
    """A text with the tree of its YAML nodes, each with its beginning and end."""

    def __init__(self, text: str, *, as_json: bool) -> None:
        """Parse the text. Tabs count as spaces: they only separate words, and PyYAML refuses them.

        Raises:
            EditError: the text is not valid YAML.
        """
        self.text, self.as_json = text, as_json
        self.line_end = "\r\n" if "\r\n" in text else "\n"
        try:
            self.root = yaml.compose(text.replace("\t", " "), Loader=yaml.SafeLoader)
        except yaml.YAMLError as error:
            raise EditError(str(error)) from None

    def with_(self, change: Change) -> str:
        """Return the text with one value set.

        Raises:
            EditError: a value that is not a mapping is in the way.
        """
        at, n = self.root, 0
        while True:
            if not isinstance(at, yaml.MappingNode):
                raise EditError(f"there is no mapping at {'.'.join(change.path[:n])}")
            entry = next((entry for entry in at.value if entry[0].value == change.path[n]), None)
            rest = change.path[n + 1 :]
            if entry is None:
                return self.text if change.value is None else self._inserted(at, change.path[n:], change.value)
            if not rest and change.value is None:
                # The mapping that would be left empty is removed too.
                return (
                    self.with_(Change(change.path[:n], None)) if n and len(at.value) == 1 else self._removed(at, entry)
                )
            if not rest:
                return self._replaced(entry, change.value)
            if isinstance(entry[1], yaml.ScalarNode):
                return self.text if change.value is None else self._replaced(entry, _nested(rest, change.value))
            at, n = entry[1], n + 1

    def _replaced(self, entry: Any, value: object) -> str:
        key, node = entry
        text, shown = self.text, self._shown(value)
        start, end = node.start_mark.index, self._end(node)
        if isinstance(node, yaml.CollectionNode) and not node.flow_style:
            # A list or mapping in block style is replaced by one in flow style; a comment after the key stays.
            colon = text.index(":", key.end_mark.index) + 1
            return f"{text[:colon]} {shown}{text[colon : self._line(colon)]}{text[self._line(end) :]}"
        return f"{text[:start]}{' ' * (start == end)}{shown}{text[end:]}"

    def _inserted(self, at: Any, path: Sequence[str], value: object) -> str:
        text, entries = self.text, at.value
        if not at.flow_style:
            end = self._line(self._end(entries[-1][1]))
            column = entries[0][0].start_mark.column
            return text[:end] + "".join(self.line_end + line for line in self._lines(path, value, column)) + text[end:]
        shown = f"{self._shown(path[0])}: {self._shown(_nested(path[1:], value))}"
        if not entries:
            start = at.start_mark.index + 1
            return text[:start] + shown + text[start:]
        end = self._end(entries[-1][1])
        return f"{text[:end]},{self._gap(entries[-1][0])}{shown}{text[end:]}"

    def _gap(self, key: Any) -> str:
        """Return what separates the last key from the one added: a line break and its indent, or a space."""
        before = self.text[: key.start_mark.index]
        indent = before[len(before.rstrip(" \t")) :]
        return self.line_end + indent if before.removesuffix(indent).endswith("\n") else " "

    def _removed(self, at: Any, entry: Any) -> str:
        text, entries = self.text, at.value
        start, end, n = entry[0].start_mark.index, self._end(entry[1]), entries.index(entry)
        if not at.flow_style:
            return text[: text.rfind("\n", 0, start) + 1] + text[self._line(end) :].removeprefix("\r").removeprefix(
                "\n"
            )
        if n + 1 < len(entries):
            return text[:start] + text[entries[n + 1][0].start_mark.index :]
        return text[: self._end(entries[n - 1][1]) if n else start] + text[end:]

    def _line(self, offset: int) -> int:
        """Return the offset at which the line of an offset ends, before its line break."""
        found = self.text.find("\n", offset)
        end = len(self.text) if found < 0 else found
        return end - (self.text[:end].endswith("\r"))

    def _end(self, node: Any) -> int:
        """Return the offset at which a node ends; one in block style ends where its last value does."""
        while isinstance(node, yaml.CollectionNode) and not node.flow_style:
            node = node.value[-1][1] if isinstance(node, yaml.MappingNode) else node.value[-1]
        start, end = node.start_mark.index, node.end_mark.index
        return max(start, len(self.text[:end].rstrip())) if end > start else int(start)

    def _lines(self, path: Sequence[str], value: object, column: int) -> list[str]:
        lines = [f"{' ' * (column + STEP * n)}{self._shown(key)}:" for n, key in enumerate(path)]
        return [*lines[:-1], f"{lines[-1]} {self._shown(value)}"]

    def _shown(self, value: object) -> str:
        """Return a value written in one line."""
        match value:
            case AmbiguousScalar():
                return value  # as it was typed; reading the policy reports what is wrong with it
            case str():
                plain = not self.as_json and _PLAIN.fullmatch(value) and type(yaml_text.read(value, "")[0]) is str
                return value if plain else json.dumps(value, ensure_ascii=False)
            case list():
                return f"[{', '.join(map(self._shown, value))}]"
            case dict():
                return "{" + ", ".join(f"{self._shown(k)}: {self._shown(v)}" for k, v in value.items()) + "}"
            case float():
                return f"{Decimal(repr(value)):f}"
            case _:
                return json.dumps(value)


def _nested(path: Sequence[str], value: object) -> object:
    found: object | Mapping[str, object] = value
    for key in reversed(path):
        found = {key: found}
    return found
