"""The architecture: packages on one line, a functional core, one side effect a place. Read from the source itself."""

from __future__ import annotations

import ast
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from git_sched.operations import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHED: Final = Path(__file__).resolve().parents[2] / "sched"
MODULES: Final = {
    ".".join(path.relative_to(SCHED).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SCHED.rglob("*.py"))
}

BELOW_FACES: Final = (
    "model", "formats", "decide", "record", "report", "render", "schemas", "workspace", "operations",
)  # fmt: skip

LAYERS: Final[dict[str, tuple[str, ...]]] = {
    "model": (),
    "formats": ("model",),
    "decide": ("model",),
    "record": (),
    "report": ("record", "decide", "model"),
    "render": ("record", "model"),
    "schemas": ("record", "report", "render", "decide", "formats", "model"),
    "workspace": ("formats", "record", "model"),
    "operations": ("model", "formats", "decide", "record", "report", "render", "schemas", "workspace"),
    "hooks": BELOW_FACES,
    "mcp_server": BELOW_FACES,
    "github": BELOW_FACES,
    "cli": (*BELOW_FACES, "hooks", "mcp_server", "github"),
}
"""Every package below ``git_sched``, and which others it may import, in the order in which they are read."""

SHELL: Final = ("workspace", "operations", "hooks", "mcp_server", "github", "cli")
"""Packages that touch the world, or use those that do; all others are the core."""

ENTRIES: Final = 16
"""Files and folders that the package may have at its top."""

FLOORS: Final = 8
"""Packages that the longest chain of imports may lead through."""

WORLD: Final = {
    "asyncio", "fcntl", "getpass", "glob", "http", "io", "os", "pathlib", "platform", "pwd", "random", "secrets",
    "select", "shutil", "signal", "socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
    "urllib3", "uuid",
}  # fmt: skip
"""Modules of the standard library, and beyond, through which files, processes, clocks and chance come in."""


def package(module: str) -> str:
    """Give the package directly below ``git_sched`` that a module belongs to."""
    return module.partition(".")[2].partition(".")[0]


def is_core(module: str) -> bool:
    """Say whether a module belongs to the core."""
    return package(module) not in {*SHELL, "__main__"}


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Give everything that is run, and not what is under ``if TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        yield child
        yield from statements(child)


@cache
def parsed(path: Path) -> ast.Module:
    """Parse a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def names_in(nodes: Iterator[ast.AST]) -> set[str]:
    """Give the full names of all that is imported in some statements."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            full = {f"{node.module}.{name.name}" for name in node.names}
            found |= full if full <= MODULES.keys() else {node.module, *full}
    return found


@cache
def imports(path: Path) -> frozenset[str]:
    """Give the full names of all that a module imports when it runs, at its top or inside a function."""
    return frozenset(names_in(statements(parsed(path))))


@cache
def uses(path: Path) -> frozenset[str]:
    """Give what a module calls or reads, as it is written: ``print``, ``sys.stdout``, ``time.time``."""
    found = (node for node in statements(parsed(path)) if isinstance(node, ast.Name | ast.Attribute))
    return frozenset(ast.unparse(node) for node in found)


def who(imported: str) -> set[str]:
    """Give the modules that import a top-level module."""
    return {module for module, path in MODULES.items() if any(n.partition(".")[0] == imported for n in imports(path))}


def test_the_listing_is_the_picture() -> None:
    """Every package is on the list, and beside them is only what Python asks for."""
    listed = {path.name for path in (SCHED / "git_sched").iterdir() if path.name != "__pycache__"}
    assert listed == {*LAYERS, "__init__.py", "__main__.py", "py.typed"}
    assert len(listed) <= ENTRIES


def test_the_longest_chain_of_packages_is_short() -> None:
    floors: dict[str, int] = {}
    for name, below in LAYERS.items():
        floors[name] = 1 + max((floors[other] for other in below), default=0)
    assert max(floors.values()) <= FLOORS


@pytest.mark.parametrize("module", [module for module in MODULES if package(module) in LAYERS])
def test_no_import_goes_up(module: str) -> None:
    """For types, too: a value that is spoken of belongs below those who speak of it."""
    ours = {name for name in names_in(ast.walk(parsed(MODULES[module]))) if name.startswith("git_sched.")}
    above = {name for name in ours if package(name) not in {*LAYERS[package(module)], package(module), "__version__"}}
    assert above == set(), f"{module} may import {LAYERS[package(module)]}: move what it needs, or the module"


def test_no_circle() -> None:
    """Each module can be read before those that import it."""
    below = {module: imports(path) & MODULES.keys() - {module, "git_sched"} for module, path in MODULES.items()}
    while free := {module for module, others in below.items() if not others & below.keys()}:
        below = {module: others for module, others in below.items() if module not in free}
    assert below == {}


def test_what_coverage_leaves_out_is_the_shell() -> None:
    """So that every new module of the core must be reached by the tests in every branch."""
    settings = tomllib.loads((SCHED.parent / "pyproject.toml").read_text(encoding="utf-8"))
    report = settings["tool"]["coverage"]["report"]
    left_out = {path.removeprefix("*/git_sched/").removesuffix("/*").removesuffix(".py") for path in report["omit"]}
    assert left_out == {"__main__", *SHELL}
    assert report["fail_under"] == 100


def test_the_core_touches_nothing() -> None:
    """No file, process, clock, environment or chance; the look-ahead draws from a seed that follows from its input."""
    found = {
        (module, name)
        for module, path in MODULES.items()
        if is_core(module)
        for name in {name.partition(".")[0] for name in imports(path)} & WORLD
    }
    assert found <= {("git_sched.decide.lookahead", "random"), ("git_sched.decide.simulation", "random")}


def test_the_core_prints_asks_and_opens_nothing() -> None:
    """Not even with what is built in."""
    built_in = {"print", "input", "open", "exit", "quit", "__import__", "eval", "exec"}
    for module, path in MODULES.items():
        calls = {ast.unparse(node.func) for node in statements(parsed(path)) if isinstance(node, ast.Call)}
        assert not is_core(module) or not calls & built_in, module


def test_git_is_the_only_process_that_is_started() -> None:
    assert who("subprocess") == {"git_sched.workspace.git_process"}
    starting = {"os.system", "os.popen", "os.fork", "os.execv", "os.execvp", "os.posix_spawn", "os.spawnv"}
    assert not [module for module, path in MODULES.items() if uses(path) & starting]


def test_only_the_command_line_prints_and_ends() -> None:
    """Through the streams; besides, the guard of a hook must end a process that hangs, and a server reports its bug."""
    ending = {"print", "sys.exit", "os._exit", "exit", "quit", "sys.stdout", "sys.stderr", "sys.stdin"}
    found = {module for module, path in MODULES.items() if uses(path) & ending}
    assert {module for module in found if package(module) != "cli"} <= {
        "git_sched.github.runner_files",
        "git_sched.hooks.time_limit",
        "git_sched.mcp_server.server",
        "git_sched.workspace.streams",
    }


def test_only_the_question_looks_at_the_clock() -> None:
    """Nothing else may know what time it is; how long something took is another matter."""
    clocks = {"time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.strftime"}
    clocks |= {
        f"{name}.{call}" for name in ("datetime", "date", "datetime.datetime") for call in ("now", "today", "utcnow")
    }
    assert {module for module, path in MODULES.items() if uses(path) & clocks} == {"git_sched.workspace.question"}


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("click", {"cli"}),
        ("yaml", {"formats"}),
        ("pathspec", {"decide", "formats"}),
        ("urllib3", {"github"}),
        ("mcp", {"mcp_server"}),
    ],
)
def test_each_library_has_one_home(library: str, homes: set[str]) -> None:
    """So that it can be replaced, and is imported only where it is used."""
    assert {package(module) for module in who(library)} == homes


@pytest.mark.parametrize("module", MODULES)
def test_no_module_is_long(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= 300


def test_sched_is_a_source_root_and_no_package() -> None:
    """A package of that name would take the place of the standard library's ``sched`` and break installed scripts."""
    assert not (SCHED / "__init__.py").exists()
    assert [path.name for path in SCHED.iterdir() if path.name != "__pycache__"] == ["git_sched"]


def test_every_operation_has_its_place_in_the_reference() -> None:
    """The registry names commands as the page's headings do, so that its links lead somewhere."""
    page = (SCHED.parent / "docs" / "reference.md").read_text(encoding="utf-8")
    headings = {line.strip("#` ").replace(" ", "-") for line in page.splitlines() if line.startswith("## ")}
    assert {operation.anchor for operation in OPERATIONS} <= headings
