"""Backlog.md: a folder ``backlog`` with one Markdown file for each task, and a configuration."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from git_sched.formats.backlog.config import read_config
from git_sched.formats.backlog.tasks import File, FileLocate, read_tasks
from git_sched.formats.base import Claim, Format, Parsed, Source
from git_sched.formats.reading.findings import Findings
from git_sched.formats.reading.front_matter import read_front_matter
from git_sched.formats.reading.words import safe_id
from git_sched.model.graph import Graph
from git_sched.model.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    from git_sched.model.blob import Blob

ROOT_CONFIG: Final = "backlog.config.yml"
FOLDERS: Final = ("backlog", ".backlog")
"""The folders that Backlog.md looks for, in its order."""

_CONFIG: Final = re.compile(r"(?P<home>.*/|)config\.ya?ml")
_TASK: Final = re.compile(r"(?P<home>.*/|)(?:tasks|completed)/[A-Za-z][^/]*-[^/]*\.md")
_PLAIN_TASK: Final = re.compile(r".*/tasks/task-\d[^/]*\.md", re.IGNORECASE)
_OWN_FOLDER: Final = re.compile(r"(?P<base>(?:.*/)?)\.?backlog/")


class Home(NamedTuple):
    """A folder that may belong to Backlog.md: its configuration and its task files."""

    configs: list[str]
    tasks: list[str]

    @property
    def is_one(self) -> bool:
        """Whether it belongs to Backlog.md: it has a configuration, or task files with names that Backlog.md gives."""
        return bool(self.configs) or any(_PLAIN_TASK.fullmatch(path) for path in self.tasks)


def claim(paths: Iterable[str]) -> tuple[Claim, ...]:
    """Claim each folder as one source; a configuration at the root may name any folder, so it claims all below it."""
    homes: dict[str, Home] = {}
    roots: list[str] = []
    for path in sorted(path for path in paths if path.endswith((".md", "config.yml", "config.yaml"))):
        if path == ROOT_CONFIG or path.endswith(f"/{ROOT_CONFIG}"):
            roots.append(path)
        elif path.endswith(".md") and (found := _TASK.fullmatch(path)):
            homes.setdefault(found["home"], Home([], [])).tasks.append(path)
        elif (found := _CONFIG.fullmatch(path)) and _OWN_FOLDER.fullmatch(found["home"]):
            homes.setdefault(found["home"], Home([], [])).configs.append(path)
    claims = []
    for path in roots:
        base = path.removesuffix(ROOT_CONFIG)
        below = [homes.pop(home) for home in list(homes) if home.startswith(base)]
        claims.append(Claim(path, (path, *sorted(task for home in below for task in home.tasks))))
    for name, home in homes.items():
        own = _OWN_FOLDER.fullmatch(name)
        if own and home.is_one and not _shadowed(name, own["base"], homes):
            claims.append(Claim(name.rstrip("/"), (*home.configs[:1], *home.tasks)))
    return tuple(sorted(claims))


def _shadowed(name: str, base: str, homes: dict[str, Home]) -> bool:
    """Return whether Backlog.md would not look here, because the first of its two folders exists next to it."""
    first = homes.get(f"{base}{FOLDERS[0]}/")
    return name.endswith(f"{FOLDERS[1]}/") and first is not None and first.is_one


def parse(source: Source) -> Parsed:
    """Read a folder as one graph."""
    configs = [blob for blob in source.blobs if not blob.path.endswith(".md")]
    config, problems = read_config(configs[0] if configs else None)
    blobs = [blob for blob in source.blobs if blob.path.endswith(".md")]
    root = source.root
    if configs and configs[0].path.endswith(ROOT_CONFIG):
        root = _home(configs[0].path.removesuffix(ROOT_CONFIG), config.directory, blobs)
        blobs = [blob for blob in blobs if blob.path.rpartition("/")[0] in {f"{root}/tasks", f"{root}/completed"}]
    unread = tuple(
        path for path in source.unread if _is_task(path, config.prefix) and path.startswith(f"{root}/tasks/")
    )
    graph_id = safe_id(root.rpartition("/")[2], otherwise="backlog")
    files, strangers = _read(blobs, config.prefix)
    locate = FileLocate(root, files)
    found = Findings(locate)
    tasks = read_tasks(graph_id, files, config, found=found, unread=unread)
    graph = Graph(
        graph_id,
        root,
        "backlog",
        locate,
        tasks.nodes,
        tasks.broken,
        numbered=True,
        ambiguous=tasks.ambiguous,
        unread=tasks.unread,
    )
    broken_files = [problem for file in files if file.document for problem in file.document.problems]
    return Parsed((graph,), (*problems, *broken_files, *found.problems(), *strangers))


def _home(base: str, directory: str, blobs: list[Blob]) -> str:
    """Return the folder that the configuration at the root names."""
    if directory:
        return f"{base}{directory}"
    present = {blob.path.rpartition("/")[0].rpartition("/")[0] for blob in blobs}
    return next((f"{base}{folder}" for folder in FOLDERS if f"{base}{folder}" in present), f"{base}{FOLDERS[0]}")


def _read(blobs: list[Blob], prefix: str) -> tuple[list[File], list[Problem]]:
    """Read the files whose names begin with the prefix; those without front matter and number are not tasks."""
    files: list[File] = []
    strangers: list[Problem] = []
    for blob in blobs:
        folder, _, name = blob.path.rpartition("/")
        if not _is_task(blob.path, prefix):
            continue
        document = read_front_matter(blob)
        if document is None and not name[len(prefix) + 1 :][:1].isdigit():
            message = "the file lies among task files and has no front matter, so it is no task"
            hint = "move it out of the folder to silence this"
            strangers.append(Problem("warning", "not-a-tracker", message, blob.path, 1, 1, hint))
        else:
            files.append(File(blob.path, document, done=folder.endswith("completed")))
    return files, strangers


def _is_task(path: str, prefix: str) -> bool:
    return path.rpartition("/")[2].upper().startswith(f"{prefix}-")


def suits(blob: Blob) -> bool:
    """Return whether a file named by the user is the configuration at the root.

    No other file is enough by itself: only the whole folder makes a graph.
    """
    return blob.path.endswith(ROOT_CONFIG)


FORMAT: Final = Format("backlog", claim, suits, parse)
