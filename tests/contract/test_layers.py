"""The core takes values and returns values: it imports nothing of the shell, which is listed here."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "sched" / "git_sched"

SHELL = {
    "__main__", "cli", "files", "git", "github", "ground", "history", "hooks", "mcp_server", "observe", "policy_store",
    "source", "sources", "stored", "workspace",
}  # fmt: skip
"""The modules and packages that may touch files, processes, the clock or the environment."""

EFFECTS = {
    "asyncio", "builtins", "glob", "io", "multiprocessing", "os", "pathlib", "platform", "random", "secrets", "shutil",
    "signal", "socket", "subprocess", "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
"""What a function of values has no use for."""

ALLOWED = {
    ("lookahead", "random"): "a generator that is seeded with a hash of the open nodes (rule E9)",
    ("schemas", "pydantic"): "it makes JSON Schemas of the types",
}
LIBRARIES = {"click", "mcp", "pydantic", "urllib3"}
"""Libraries that belong to the shell."""

LONGEST = 300


class Imports(ast.NodeVisitor):
    """Collects what a module imports when it runs, wherever in it; what is for type checkers alone is left out."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.calls: set[str] = set()

    def visit_If(self, node: ast.If) -> None:
        """Pass over the block for type checkers."""
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for other in node.orelse:
                self.visit(other)
        else:
            self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        """Note ``import a.b``."""
        self.names |= {alias.name for alias in node.names}

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Note ``from a import b``; from the package itself the names are modules."""
        assert node.level == 0, "imports are absolute"
        module = node.module or ""
        self.names |= {f"{module}.{alias.name}" for alias in node.names} if module == "git_sched" else {module}

    def visit_Call(self, node: ast.Call) -> None:
        """Note which plain names are called."""
        if isinstance(node.func, ast.Name):
            self.calls.add(node.func.id)
        self.generic_visit(node)


def modules() -> list[Path]:
    """Give every module of the package."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def top(path: Path) -> str:
    """Give the name of the module or package directly in ours that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def read(path: Path) -> Imports:
    """Read what a module imports and calls."""
    found = Imports()
    found.visit(ast.parse(path.read_text(encoding="utf-8"), str(path)))
    return found


CORE = [path for path in modules() if top(path) not in SHELL]


def test_the_shell_is_as_listed() -> None:
    assert {top(path) for path in modules()} >= SHELL


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_the_core_imports_nothing_of_the_shell(path: Path) -> None:
    found = read(path)
    ours = {name.split(".")[1] for name in found.names if name.startswith("git_sched.")}
    others = {name.partition(".")[0] for name in found.names}
    assert ours & SHELL == set()
    assert {name for name in others & (EFFECTS | LIBRARIES) if (top(path), name) not in ALLOWED} == set()
    assert found.calls & {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"} == set()


def test_processes_are_started_in_one_place() -> None:
    assert {top(path) for path in modules() if "subprocess" in read(path).names} == {"git"}


def test_the_exceptions_are_still_needed() -> None:
    used = {(top(path), name) for path in CORE for name in read(path).names}
    assert set(ALLOWED) <= used


def test_no_module_is_too_long() -> None:
    long = {str(path): n for path in modules() if (n := len(path.read_text(encoding="utf-8").splitlines())) > LONGEST}
    assert long == {}


def test_the_source_root_is_no_package() -> None:
    assert not (PACKAGE.parent / "__init__.py").exists(), "a package called sched would hide the standard library's"
