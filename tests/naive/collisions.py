"""Whether two nodes may touch the same file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pathspec import GitIgnoreSpec

if TYPE_CHECKING:
    from naive.reading import Plain

WILD = "*?["


def collide(world: Plain, one: Plain, other: Plain) -> bool:
    """Say whether two nodes collide; those that name no repository are all in one place."""
    if one["repository"] != other["repository"] or not one["paths"] or not other["paths"]:
        return False
    if one["repository"] == world["request"]["own_repository"] and tracked_files(world, one) & tracked_files(
        world, other
    ):
        return True
    return literal_hit(one, other) or literal_hit(other, one) or equal_patterns(one, other) or folders_meet(one, other)


def tracked_files(world: Plain, node: Plain) -> set[str]:
    """Give the tracked files that a node's patterns match."""
    return set(GitIgnoreSpec.from_lines(node["paths"]).match_files(world["request"]["tracked"]))


def wanted(node: Plain) -> list[str]:
    """Give the patterns of a node that take files in, without comments."""
    return [path.rstrip() for path in node["paths"] if path.strip() and path[0] not in "!#"]


def is_literal(path: str) -> bool:
    """Say whether a path has no wildcard."""
    return not any(character in path for character in WILD)


def literal_hit(one: Plain, other: Plain) -> bool:
    """Say whether a literal path of one matches the other."""
    patterns = GitIgnoreSpec.from_lines(other["paths"])
    return any(patterns.match_file(path.strip("/")) for path in wanted(one) if is_literal(path))


def equal_patterns(one: Plain, other: Plain) -> bool:
    """Say whether both name one thing: ``x``, ``/x/``, ``x/`` and ``x/**`` are the same claim."""
    return bool({claim(path) for path in wanted(one)} & {claim(path) for path in wanted(other)})


def claim(path: str) -> str:
    """Give a pattern without what makes no difference to what it claims."""
    return path.removesuffix("/**").strip("/")


def folders_meet(one: Plain, other: Plain) -> bool:
    """Say whether two wildcards have folders one under the other and endings one of which ends the other."""
    for path in wanted(one):
        for second in wanted(other):
            if is_literal(path) or is_literal(second) or not literal_folder(path) or not literal_folder(second):
                continue
            nested = literal_folder(path).startswith(literal_folder(second))
            nested = nested or literal_folder(second).startswith(literal_folder(path))
            ends = ending(path).endswith(ending(second)) or ending(second).endswith(ending(path))
            if nested and ends:
                return True
    return False


def literal_folder(path: str) -> str:
    """Give the folders before the first wildcard, with a slash at the end."""
    before = path.lstrip("/")
    for character in WILD:
        before = before.split(character)[0]
    return before[: before.rfind("/") + 1]


def ending(path: str) -> str:
    """Give what comes after the last wildcard."""
    return path[max(path.rfind(character) for character in "*?[]") + 1 :]
