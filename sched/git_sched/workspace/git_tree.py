"""Checks that a listing of a commit is whole: the id of each folder is the digest of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from git_sched.workspace.git_batch import Absent
from git_sched.workspace.git_output import TreeRow, hash_object

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from git_sched.workspace.git_batch import GitObject


def lists_all(rows: Sequence[TreeRow], commit: str, *, read: Callable[[str], GitObject | Absent]) -> bool:
    """Return whether the rows, folders included, are all that are below a commit, and none was changed.

    ``read`` reads an object by its id.
    """
    found = read(commit)
    if isinstance(found, Absent):
        return False
    ids = {row.path: row.object_id for row in rows if row.kind == b"tree"}
    ids[b""] = found.data[5:].partition(b"\n")[0].decode(errors="replace")  # "tree ID"
    below = {path: list[TreeRow]() for path in ids}
    for row in rows:
        below.setdefault(row.path.rpartition(b"/")[0], []).append(row)
    return below.keys() == ids.keys() and all(_is_tree(ids[path], below[path], read=read) for path in ids)


def _is_tree(object_id: str, rows: Sequence[TreeRow], *, read: Callable[[str], GitObject | Absent]) -> bool:
    names = [(row.path.rpartition(b"/")[2], bytes.fromhex(row.object_id)) for row in rows]
    modes = (row.mode.lstrip(b"0") for row in rows)
    raw = b"".join(b"%s %s\0%s" % (mode, *name) for mode, name in zip(modes, names, strict=True))
    if hash_object("tree", raw, like=object_id) == object_id:
        return True
    tree = read(object_id)  # old programs wrote modes that git prints in its own way
    return not isinstance(tree, Absent) and _split(tree.data, len(object_id) // 2) == names


def _split(data: bytes, width: int) -> list[tuple[bytes, bytes]]:
    """Split the bytes of a tree into the names and the ids, of so many bytes, that it lists."""
    found, at = list[tuple[bytes, bytes]](), 0
    while at < len(data):
        end = data.index(b"\0", at) + 1
        found.append((data[at : end - 1].partition(b" ")[2], data[end : end + width]))
        at = end + width
    return found
