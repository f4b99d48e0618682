"""Workflows run for real: act runs them on this host, from an empty environment, against the loopback server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sandbox import commit, git, write

if TYPE_CHECKING:
    from collections.abc import Mapping

    from github.loopback import Server

TOP = Path(__file__).resolve().parents[2]
ACT = shutil.which("act", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")]))
PYTHONS = Path(os.path.realpath(sys.executable)).parent
STUBS = Path(__file__).parent / "stubs"

HOSTILE = "import os; open(os.environ['HOME'] + '/hostile', 'a').write(__file__ + '\\n')\n"
"""A module that leaves a mark where it is imported."""

HOSTILES = {
    **{f"{name}.py": HOSTILE for name in ("click", "yaml", "venv", "ensurepip", "pydantic", "urllib3", "sysconfig")},
    "pip/__init__.py": HOSTILE,
    "pip/__main__.py": HOSTILE,
    "git_sched/__init__.py": HOSTILE,
    "sitecustomize.py": HOSTILE,
    "usercustomize.py": HOSTILE,
    "evil.pth": HOSTILE,
}
"""What stands in every checkout of these tests, at the top, and must never run."""

SHIM = """#!/bin/sh
env -0 >>"$HOME/environments"
exec {git} "$@"
"""
"""Stands before git in PATH: only the step that decides runs git, so this is what its environment holds."""

CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1"


class Annotation(NamedTuple):
    """An annotation as act read it back."""

    kind: str
    place: Mapping[str, str]
    text: str


@dataclass
class Ran:
    """What came of a workflow."""

    code: int
    outputs: dict[str, str] = field(default_factory=dict)
    summaries: list[str] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    environments: bytes = b""

    @property
    def summary(self) -> str:
        """All summaries, one below the other."""
        return "\n".join(self.summaries)

    def said(self, kind: str) -> list[str]:
        """Give the annotations of one kind."""
        return [a.text for a in self.annotations if a.kind == kind]


def project(folder: Path, files: Mapping[str, str | bytes], *, workflow: str) -> Path:
    """Make a repository that holds the Action itself, task files, and one workflow; commit it."""
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(TOP / "sched", folder / "sched", ignore=skipped)
    write(
        folder,
        {
            "action.yml": (TOP / "action.yml").read_bytes(),
            ".github/requirements/run.txt": (TOP / ".github/requirements/run.txt").read_bytes(),
            ".github/workflows/test.yml": workflow,
            ".metagit/schedule/policy.yml": "version: 1\nexclude: [sched]\n",
            **HOSTILES,
            **files,
        },
    )
    commit(folder)
    git(folder, "remote", "add", "origin", "https://github.com/acme/shop.git")
    return folder


def run(
    repository: Path,
    event: str,
    payload: Mapping[str, Any],
    *,
    server: Server,
    wheels: Path,
    workflow: str = ".github/workflows/test.yml",
) -> Ran:
    """Run a workflow for an event. Nothing of the checkout may run, and decide may see no token."""
    assert ACT is not None
    scratch = repository.parent / "act"
    scratch.mkdir(exist_ok=True)
    (scratch / "event.json").write_text(json.dumps(payload), encoding="utf-8")
    environment = {
        "GITHUB_API_URL": server.url,
        "GITHUB_GRAPHQL_URL": f"{server.url}/graphql",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(wheels),
        "PIP_NO_CACHE_DIR": "1",
        "STUB_STORE": str(scratch / "store"),
        "STUB_SOURCE": str(repository),
    }
    command = [
        ACT, event, "-C", repository, "-W", repository / workflow, "-P", "ubuntu-latest=-self-hosted",
        "-e", scratch / "event.json", "-s", "GITHUB_TOKEN=tok123", "--action-cache-path", scratch / "cache",
        "--action-offline-mode", "--no-cache-server", "--json",
        *(word for stub in stubs() for word in ("--local-repository", stub)),
        *(word for item in environment.items() for word in ("--env", "=".join(item))),
    ]  # fmt: skip
    home, shims = scratch / "home", scratch / "shims"
    home.mkdir(exist_ok=True)
    shims.mkdir(exist_ok=True)
    (shims / "git").write_text(SHIM.format(git=shutil.which("git")), encoding="utf-8")
    (shims / "git").chmod(0o755)
    (home / "environments").write_bytes(b"")
    places = [str(shims), str(PYTHONS), "/usr/local/bin", "/usr/bin", "/bin"]
    done = subprocess.run(
        [str(word) for word in command],
        env={"PATH": os.pathsep.join(places), "HOME": str(home)},
        capture_output=True, encoding="utf-8", errors="replace", check=False, timeout=300,
    )  # fmt: skip
    ran = _read(done)
    ran.environments = (home / "environments").read_bytes()
    held = {row.partition(b"=")[0] for row in ran.environments.split(b"\0") if b"tok123" in row}
    assert held <= {b"INPUT_TOKEN"}  # act hands inputs to inner steps under such names, the runner does not
    assert not (home / "hostile").exists(), (home / "hostile").read_text(encoding="utf-8")
    return ran


def stubs() -> list[str]:
    """Name our stand-ins for the actions that need GitHub, at the commits that the workflows name."""
    text = "".join(p.read_text(encoding="utf-8") for p in sorted((TOP / ".github/workflows").glob("*.yml")))
    found = []
    for name in ("actions/checkout", "actions/cache", "actions/upload-artifact", "actions/download-artifact"):
        at = text.find(f"{name}/" if name == "actions/cache" else f"{name}@")
        digest = text[text.index("@", at) + 1 :][:40]
        found.append(f"{name}@{digest}={STUBS / name.rpartition('/')[2]}")
    return found


def _annotation(row: Mapping[str, Any]) -> Annotation:
    return Annotation(row["command"], row.get("kvPairs") or {}, row.get("arg") or "")


def _read(done: subprocess.CompletedProcess[str]) -> Ran:
    ran = Ran(done.returncode)
    for line in [*done.stdout.splitlines(), *done.stderr.splitlines()]:
        row = json.loads(line) if line.startswith("{") else {"msg": line}
        match row.get("command"):
            case "set-output" if row.get("name"):
                ran.outputs[row["name"]] = row.get("arg") or ""
            case "summary":
                ran.summaries.append(row.get("content") or row.get("msg") or "")
            case "notice" | "warning" | "error":
                ran.annotations.append(_annotation(row))
            case _:
                ran.log.append(str(row.get("msg", "")).rstrip())
    return ran
