"""YAML text: read event by event with libyaml; scalars that readers disagree about are not converted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

import yaml

from git_sched.formats.reading.marks import DEPTH_LIMIT, AmbiguousScalar, Mark
from git_sched.formats.reading.text import position
from git_sched.model.ids import escape
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterator

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_INT = re.compile(r"-?(0|[1-9][0-9]{0,18})")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")
_NULL = frozenset({"", "~", "null"})
_LOOSE = re.compile(
    r"""(?ix) null | true | false | y | n | yes | no | on | off | = | <<
    | [-+]? [0-9][0-9_,:]* (\.[0-9_]*)? (e[-+]?[0-9]+)? | [-+]? \.[0-9_]+ (e[-+]?[0-9]+)?
    | [-+]? 0 [xob] [0-9a-f_]+ | [-+]? \.inf | \.nan
    | [0-9]{4} - [0-9]{1,2} - [0-9]{1,2} ([Tt\ ] .*)?"""
)


def read(text: str, path: str) -> tuple[object, tuple[Problem, ...]]:
    """Read the one document of a text; return its value and its problems, each with line and column.

    Tags, anchors, aliases, further documents and repeated keys are refused, each with its own message.
    """
    builder = _Builder(path)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            builder.take(event)
    except _Refused as refusal:
        return None, (*builder.problems, refusal.args[0])
    except yaml.YAMLError as error:
        return None, (*builder.problems, _syntax(error, text, path))
    return builder.root, tuple(builder.problems)


class _Refused(Exception):  # noqa: N818 - it is control flow inside this file, not an error that is reported
    """Stops the reading; it carries the problem."""


class _Builder:
    """Builds plain values from events without recursion."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.root: object = None
        self.problems: list[Problem] = []
        self._open: list[dict[str, object] | list[object]] = []
        self._keys: list[str | None] = []
        self._documents = 0

    def take(self, event: Any) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._check(event)
            self._scalar(event)
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._check(event)
            self._begin({} if isinstance(event, yaml.MappingStartEvent) else [], event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            self._open.pop()
            self._keys.pop()
        elif isinstance(event, yaml.AliasEvent):
            self._refuse(event, f"an alias (*{escape(str(event.anchor))})")
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._refuse(event, "a second document (---)", hint="put it in a file of its own")

    def _check(self, event: Any) -> None:
        if event.anchor is not None:
            self._refuse(event, f"an anchor (&{escape(str(event.anchor))})")
        if event.tag is not None:
            self._refuse(event, f"the tag {escape(event.tag)}")

    def _refuse(self, event: Any, what: str, *, hint: str = "write the plain value out") -> None:
        mark = event.start_mark
        raise _Refused(
            Problem(
                "error",
                "yaml-feature",
                f"the file uses {what}, which is not read here",
                self.path,
                mark.line + 1,
                mark.column + 1,
                hint=hint,
            ),
        )

    def _begin(self, value: dict[str, object] | list[object], event: Any) -> None:
        if len(self._open) >= DEPTH_LIMIT:
            mark = event.start_mark
            raise _Refused(
                Problem(
                    "error",
                    "too-deep",
                    f"the file nests values more than {DEPTH_LIMIT} deep",
                    self.path,
                    mark.line + 1,
                    mark.column + 1,
                    hint="flatten the value",
                ),
            )
        if self._open and isinstance(self._open[-1], dict) and self._keys[-1] is None:
            self._bad_key(event, "a list or mapping")
        self._add(value)
        self._open.append(value)
        self._keys.append(None)

    def _scalar(self, event: Any) -> None:
        if self._open and isinstance(self._open[-1], dict) and self._keys[-1] is None:
            key = str(event.value)
            if key == "<<" and event.implicit[0]:
                self._refuse(event, "a merge key (<<)")
            if key in self._open[-1]:
                mark = event.start_mark
                self.problems.append(
                    Problem(
                        "error",
                        "duplicate-key",
                        f"the file gives the key {escape(key)} twice",
                        self.path,
                        mark.line + 1,
                        mark.column + 1,
                        hint="keep one of them; readers would disagree about which one holds",
                    ),
                )
            self._keys[-1] = key
            return
        self._add(_plain(event.value) if event.implicit[0] else event.value)

    def _bad_key(self, event: Any, what: str) -> None:
        mark = event.start_mark
        raise _Refused(
            Problem(
                "error",
                "yaml-feature",
                f"the file uses {what} as a key",
                self.path,
                mark.line + 1,
                mark.column + 1,
                hint="keys are plain text",
            ),
        )

    def _add(self, value: object) -> None:
        if not self._open:
            self.root = value
            return
        parent = self._open[-1]
        if isinstance(parent, list):
            parent.append(value)
        else:
            parent[cast("str", self._keys[-1])] = value
            self._keys[-1] = None


def _plain(text: str) -> object:
    if text in _NULL:
        return None
    if text in {"true", "false"}:
        return text == "true"
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    return AmbiguousScalar(text) if _LOOSE.fullmatch(text) else text


def _syntax(error: yaml.YAMLError, text: str, path: str) -> Problem:
    line: int | None
    column: int | None
    if isinstance(error, yaml.reader.ReaderError):  # a character that YAML does not allow; its position counts them
        line, column = position(text, error.position)
        character: int | str = error.character
        code_point = character if isinstance(character, int) else ord(character)
        reason = f"the character U+{code_point:04X} is not allowed"
    else:
        mark: Any = getattr(error, "problem_mark", None)
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        reason = str(getattr(error, "problem", None) or "it cannot be parsed")
    code = "too-deep" if "nesting depth" in reason else "syntax"
    return Problem(
        "error",
        code,
        f"this is not valid YAML: {reason}",
        path,
        line,
        column,
        hint="fix the YAML there; everything in this file is left out until then",
    )


def marks(text: str) -> Iterator[Mark]:
    """Yield the place of every value of a valid YAML text, keys included; iterative, in one pass."""
    path: list[str | int] = []
    kinds: list[str] = []
    waiting: list[bool] = []
    key: tuple[int, int] | None = None
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            kinds.pop()
            waiting.pop()
            path.pop()
            continue
        if not isinstance(event, yaml.ScalarEvent | yaml.MappingStartEvent | yaml.SequenceStartEvent):
            continue
        begin: Any = event.start_mark
        here = (begin.line + 1, begin.column + 1)
        if kinds and kinds[-1] == "map":
            if waiting[-1]:
                path[-1] = event.value if isinstance(event, yaml.ScalarEvent) else ""
                key, waiting[-1] = here, False
                continue
            waiting[-1] = True
        elif kinds:
            path[-1] = cast("int", path[-1]) + 1
        yield Mark(tuple(path), here, key)
        key = None
        if not isinstance(event, yaml.ScalarEvent):
            mapping = isinstance(event, yaml.MappingStartEvent)
            kinds.append("map" if mapping else "list")
            waiting.append(mapping)
            path.append("" if mapping else -1)
