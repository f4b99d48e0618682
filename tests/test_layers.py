"""The house: a functional core, a thin shell around it, and one side effect a place. Read from the source itself."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from git_sched.operations import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

SCHED: Final = Path(__file__).resolve().parents[1] / "sched"
MODULES: Final = {
    ".".join(path.relative_to(SCHED).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SCHED.rglob("*.py"))
}

SHELL: Final = (
    "asking",
    "cli",
    "files",
    "git",
    "github",
    "ground",
    "history",
    "hooks",
    "mcp_server",
    "observe",
    "policy_store",
    "question",
    "source",
    "sources",
    "stored",
    "workspace",
    "writing",
)
"""Modules and packages that touch the world, or stand on those that do; all others are the core."""

WORLD: Final = {
    "asyncio", "fcntl", "getpass", "glob", "http", "io", "os", "pathlib", "platform", "pwd", "random", "secrets",
    "select", "shutil", "signal", "socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
    "urllib3", "uuid",
}  # fmt: skip
"""Modules of the standard library, and beyond, through which files, processes, clocks and chance come in."""


def part(module: str) -> str:
    """Give the module or package directly below ``git_sched`` that a module belongs to."""
    return module.partition(".")[2].partition(".")[0]


def is_core(module: str) -> bool:
    """Say whether a module belongs to the core."""
    return part(module) not in {*SHELL, "__main__"}


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Give everything that is run: what stands under ``if TYPE_CHECKING`` is not."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.If) and isinstance(child.test, ast.Name) and child.test.id == "TYPE_CHECKING":
            continue
        yield child
        yield from statements(child)


def imports(path: Path) -> set[str]:
    """Give the full names of all that a module imports when it runs, at its top or inside a function."""
    found = set()
    for statement in statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            found |= {name.name for name in statement.names}
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            found |= {statement.module, *(f"{statement.module}.{name.name}" for name in statement.names)}
    return found


def uses(path: Path) -> set[str]:
    """Give what a module calls or reads, as it is written: ``print``, ``sys.stdout``, ``time.time``."""
    return {
        ast.unparse(node)
        for node in statements(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Name | ast.Attribute)
    }


def who(imported: str) -> set[str]:
    """Give the modules that import a top-level module."""
    return {module for module, path in MODULES.items() if any(n.partition(".")[0] == imported for n in imports(path))}


def test_the_shell_is_what_the_list_says() -> None:
    """A name that is gone from the source must go from the list."""
    assert set(SHELL) <= {part(module) for module in MODULES}


def test_what_coverage_leaves_out_is_the_shell() -> None:
    """So that every new module of the core must be reached by the tests in every branch."""
    settings = tomllib.loads((SCHED.parent / "pyproject.toml").read_text(encoding="utf-8"))
    report = settings["tool"]["coverage"]["report"]
    left_out = {path.removeprefix("*/git_sched/").removesuffix("/*").removesuffix(".py") for path in report["omit"]}
    assert left_out == {"__main__", *SHELL}
    assert report["fail_under"] == 100


@pytest.mark.parametrize("module", [module for module in MODULES if is_core(module)])
def test_the_core_imports_nothing_of_the_shell(module: str) -> None:
    ours = {name for name in imports(MODULES[module]) if name.startswith("git_sched.")}
    assert {name for name in ours if part(name) in SHELL} == set()


def test_the_core_touches_nothing() -> None:
    """No file, process, clock, environment or chance; the look-ahead draws from a seed that follows from its input."""
    found = {
        (module, name)
        for module, path in MODULES.items()
        if is_core(module)
        for name in {name.partition(".")[0] for name in imports(path)} & WORLD
    }
    assert found <= {("git_sched.lookahead", "random"), ("git_sched.playout", "random")}


def test_the_core_prints_asks_and_opens_nothing() -> None:
    """Not even with what is built in."""
    built_in = {"print", "input", "open", "exit", "quit", "__import__", "eval", "exec"}
    for module, path in MODULES.items():
        calls = {
            ast.unparse(node.func)
            for node in statements(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
        }
        assert not is_core(module) or not calls & built_in, module


def test_git_is_the_only_process_that_is_started() -> None:
    assert who("subprocess") == {"git_sched.git"}
    starting = {"os.system", "os.popen", "os.fork", "os.execv", "os.execvp", "os.posix_spawn", "os.spawnv"}
    assert not [module for module, path in MODULES.items() if uses(path) & starting]


def test_only_the_command_line_prints_and_ends() -> None:
    """Besides it the guard of a hook, which must end a process that hangs, and a server that reports its own bug."""
    ending = {"print", "sys.exit", "os._exit", "exit", "quit", "sys.stdout", "sys.stderr", "sys.stdin"}
    found = {module for module, path in MODULES.items() if uses(path) & ending}
    assert {module for module in found if part(module) != "cli"} <= {
        "git_sched.hooks.limit",
        "git_sched.mcp_server.server",
    }


def test_only_the_question_looks_at_the_clock() -> None:
    """Nothing else may know what time it is; how long something took is another matter."""
    clocks = {"time.time", "time.time_ns", "time.localtime", "time.gmtime", "time.strftime"}
    clocks |= {
        f"{name}.{call}" for name in ("datetime", "date", "datetime.datetime") for call in ("now", "today", "utcnow")
    }
    assert {module for module, path in MODULES.items() if uses(path) & clocks} == {"git_sched.question"}


def test_agents_and_the_action_ask_without_the_command_line() -> None:
    """They make a question of their own; the Action's steps are commands, and use only what prints of the others."""
    steps = {module for module in MODULES if module.startswith("git_sched.cli.action")}
    theirs = {*steps, "git_sched.cli.streams", "git_sched.cli"}
    for module in (module for module in MODULES if part(module) == "mcp_server" or module in steps):
        used = {name for name in MODULES if part(name) == "cli"} & imports(MODULES[module])
        assert used <= (theirs if module in steps else set()), module


@pytest.mark.parametrize(
    ("library", "homes"),
    [
        ("click", {"cli"}),
        ("yaml", {"formats", "policy_edit"}),
        ("pathspec", {"pick"}),
        ("urllib3", {"github"}),
        ("mcp", {"mcp_server"}),
    ],
)
def test_each_library_has_one_home(library: str, homes: set[str]) -> None:
    """So that it can be replaced, and is imported only where it is used."""
    assert {part(module) for module in who(library)} == homes


@pytest.mark.parametrize("module", MODULES)
def test_no_module_is_long(module: str) -> None:
    assert len(MODULES[module].read_text(encoding="utf-8").splitlines()) <= 300


def test_sched_is_a_source_root_and_no_package() -> None:
    """A package of that name would stand in for the standard library's ``sched`` and break every installed script."""
    assert not (SCHED / "__init__.py").exists()
    assert [path.name for path in SCHED.iterdir() if path.name != "__pycache__"] == ["git_sched"]


def test_every_operation_has_its_place_in_the_reference() -> None:
    """The registry names commands as the page's headings do, so that its links lead somewhere."""
    page = (SCHED.parent / "docs" / "reference.md").read_text(encoding="utf-8")
    headings = {line.strip("#` ").replace(" ", "-") for line in page.splitlines() if line.startswith("## ")}
    assert {operation.anchor for operation in OPERATIONS} <= headings
