"""Reads what git prints, strictly: output that was cut off or is not git's is an error, never a shorter answer."""

from __future__ import annotations

import os
import re
from hashlib import new
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.model.problems import WorldError

if TYPE_CHECKING:
    from collections.abc import Sequence

FAILED: Final = "run git fsck to see what is missing"
"""What to do where git fails."""

_NOT_GIT: Final = "check that the git on PATH is git itself (command -v git), then run git fsck"

_ROW = re.compile(rb"(0[0-7]{5}|1[0-7]{5}) (blob|tree|commit) ([0-9a-f]{40}|[0-9a-f]{64})\t([^\0]+)", re.DOTALL)
_HEAD = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64}) (blob|tree|commit|tag) (0|[1-9][0-9]{0,18})")
_ID_LINE = re.compile(rb"([0-9a-f]{40}|[0-9a-f]{64})\n")
_SHA1_DIGITS: Final = 40


class IgnoreRule(NamedTuple):
    """Why git ignores a path: the file with the rule, from the top level, the line in it, and its pattern."""

    source: str
    line: int
    pattern: str


class TreeRow(NamedTuple):
    """A row of ``git ls-tree``: mode, kind and object id as git writes them, and the path from the top level."""

    mode: bytes
    kind: bytes
    object_id: str
    path: bytes


class ObjectHead(NamedTuple):
    """What ``git cat-file --batch`` prints before an object."""

    object_id: str
    kind: str
    size: int


def invalid_output(verb: str, what: str) -> WorldError:
    """Return the error that the output of a verb is not what git prints."""
    return WorldError(f"git {verb} gave no valid answer: {what}", hint=_NOT_GIT)


def read_words(printed: bytes, end: bytes, *, verb: str) -> list[bytes]:
    """Split output into its words, each of which has an end.

    Raises:
        WorldError: the last word has none, so the output was cut off.
    """
    if printed and not printed.endswith(end):
        raise invalid_output(verb, "its output was cut off")
    return printed.split(end)[:-1]


def read_one(printed: bytes, end: bytes, *, verb: str) -> str:
    """Read output that is one word, which may contain line breaks where those are not its end.

    Raises:
        WorldError: it is empty, was cut off, or contains a NUL.
    """
    word = printed.removesuffix(end)
    if word == printed or not word or b"\0" in word:
        raise invalid_output(verb, "its output is empty, was cut off or contains a NUL")
    return os.fsdecode(word)


def read_id(printed: bytes, *, verb: str) -> str:
    """Read output that is one object id.

    Raises:
        WorldError: it is something else.
    """
    found = _ID_LINE.fullmatch(printed)
    if found is None:
        raise invalid_output(verb, "its output is not an object id")
    return found[1].decode()


def read_tree_rows(printed: bytes) -> list[TreeRow]:
    """Read the rows of ``git ls-tree -z``.

    Raises:
        WorldError: the output was cut off, or a row is not one.
    """
    rows = []
    for word in read_words(printed, b"\0", verb="ls-tree"):
        found = _ROW.fullmatch(word)
        if found is None:
            raise invalid_output("ls-tree", "a row is not a mode, a type, an object id and a path")
        rows.append(TreeRow(found[1], found[2], found[3].decode(), found[4]))
    return rows


def read_head(line: bytes) -> ObjectHead | None:
    """Read the line before an object; ``None`` if it says something else, for instance that there is no object."""
    found = _HEAD.fullmatch(line)
    return None if found is None else ObjectHead(found[1].decode(), found[2].decode(), int(found[3]))


def has_digest(head: ObjectHead, data: bytes) -> bool:
    """Return whether bytes are those of the object: its id is the digest of its type, its size and its bytes."""
    return hash_object(head.kind, data, like=head.object_id) == head.object_id


def hash_object(kind: str, data: bytes, *, like: str) -> str:
    """Return the object id of bytes, with the algorithm that another id was made with: SHA-1 if there is none."""
    digest = new("sha256" if len(like) > _SHA1_DIGITS else "sha1", usedforsecurity=False)
    digest.update(b"%s %d\0" % (kind.encode(), len(data)))
    digest.update(data)
    return digest.hexdigest()


def read_left_out(printed: bytes) -> frozenset[str]:
    """Read from ``git ls-files -t -z`` the paths that a sparse checkout keeps out of the work tree.

    Raises:
        WorldError: the output was cut off, or a row is not one.
    """
    words = read_words(printed, b"\0", verb="ls-files")
    if not all(re.match(rb"[HSMRCK?U] .", word, re.DOTALL) for word in words):
        raise invalid_output("ls-files", "a row is not a tag and a path")
    return frozenset(os.fsdecode(word[2:]) for word in words if word.startswith(b"S "))


def read_rules(printed: bytes, asked: Sequence[str]) -> dict[str, IgnoreRule]:
    """Read from ``git check-ignore -v -n -z`` the rule of each path that git ignores; there is a row for each path.

    A rule that begins with ``!`` is listed too, but ignores nothing; where there is no rule, the row is empty.

    Raises:
        WorldError: the output was cut off, or a row is not one.
    """
    words = [os.fsdecode(word) for word in read_words(printed, b"\0", verb="check-ignore")]
    if words[3::4] != list(asked) or len(words) != 4 * len(asked):
        raise invalid_output("check-ignore", "it has not one row for each path")
    rules = {}
    for source, line, pattern, path in zip(words[::4], words[1::4], words[2::4], words[3::4], strict=True):
        if not (source or line or pattern):
            continue
        if not (source and pattern and line.isascii() and line.isdigit() and len(line) < 10):  # noqa: PLR2004 - digits
            raise invalid_output("check-ignore", "a row is not a file, a line and a pattern")
        if not pattern.startswith("!"):
            rules[path] = IgnoreRule(source, int(line), pattern)
    return rules


def read_worktrees(printed: bytes, end: bytes) -> list[dict[str, str]]:
    """Read the worktrees of ``git worktree list --porcelain``, whose rows have this end: the main one is the first.

    Raises:
        WorldError: the output is empty or was cut off, or a worktree has no path.
    """
    verb, found, block = "worktree list", list[dict[str, str]](), dict[str, str]()
    for row in read_words(printed, end, verb=verb):
        if row:
            name, _, value = os.fsdecode(row).partition(" ")
            block[name] = value
            continue
        if not _is_worktree(block):
            raise invalid_output(verb, "a worktree has no path, or no state")
        found.append(block)
        block = {}
    if block or not found:
        raise invalid_output(verb, "its output is empty or was cut off")
    return found


def _is_worktree(block: dict[str, str]) -> bool:
    head = os.fsencode(block.get("HEAD", "")) + b"\n"
    return os.path.isabs(block.get("worktree", "")) and ("bare" in block or bool(_ID_LINE.fullmatch(head)))
