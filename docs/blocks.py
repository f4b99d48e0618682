"""Writes the generated blocks of README.md and docs/*.md: what is between ``<!-- begin NAME -->`` and its end.

python docs/blocks.py           # writes them
python docs/blocks.py --check   # names those that are out of date, and exits with 1
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "sched"))

from git_sched.cli.main import COMMANDS, group  # noqa: E402 - found through the line above
from git_sched.decide.factors import FACTORS  # noqa: E402 - as above
from git_sched.formats.native_keys import GRAPH_KEYS, NODE_KEYS  # noqa: E402 - as above
from git_sched.model.keys import ByFactor, ByGraph, Choice, Items, Number, Table, Whole, write_default  # noqa: E402 - as above
from git_sched.model.policy import KEYS, METAGIT_KEYS, PRESETS  # noqa: E402 - as above
from git_sched.model.problems import CODES  # noqa: E402 - as above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from git_sched.model.keys import Key, Kind

BLOCK = re.compile(r"(<!-- begin ([a-z-]+) -->\n).*?(<!-- end \2 -->)", re.DOTALL)


def printed(name: str) -> str:
    """Run a command on the example, and return its output as a reader sees it."""
    command = [sys.executable, "-P", "-m", "git_sched", "-C", "docs/example", name]
    environment = {"PYTHONPATH": str(ROOT / "sched"), "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    return f"```console\n$ git sched {name}\n{done.stdout.rstrip()}\n```\n"


def factors() -> str:
    """Build the table of factors with what the presets weigh them."""
    balanced, rfc = PRESETS["balanced"], PRESETS["rfc-0012"]
    rows = ["| factor | rates | `balanced` | `rfc-0012` |", "|---|---|--:|--:|"]
    rows += [f"| {f.name} | {f.summary} | {balanced.get(f.name, 0):g} | {rfc.get(f.name, 0):g} |" for f in FACTORS]
    return "\n".join(rows) + "\n"


def commands() -> str:
    """Build the table of commands."""
    return (
        "\n".join(["| command | |", "|---|---|", *(f"| `git sched {n}` | {t} |" for n, t in COMMANDS.items())]) + "\n"
    )


def options(command: click.Command) -> str:
    """Build the table of a command's options, or nothing where it has none."""
    rows = [_option(param) for param in command.params if isinstance(param, click.Option) and param.help]
    return "\n".join(["| option | |", "|---|---|", *rows]) + "\n" if rows else ""


def _option(option: click.Option) -> str:
    """Build the row of an option: how it is written, and its help with the words it can take."""
    names = " / ".join(", ".join(words) for words in (option.opts, option.secondary_opts) if words)
    written = f"{names} {_value(option)}".rstrip().replace("|", r"\|")  # a bar alone would end the cell
    said = [option.help or ""]
    if isinstance(option.type, click.Choice):
        said += [f"One of {', '.join(f'`{word}`' for word in option.type.choices)}."]
    if option.multiple and "(repeatable" not in (option.help or ""):
        said += ["Can be given several times."]
    return f"| `{written}` | {' '.join(said)} |"


def _value(option: click.Option) -> str:
    if option.is_flag or option.metavar:
        return option.metavar or ""
    return "NAME" if isinstance(option.type, click.Choice) else "N"


def usage(name: str, command: click.Command) -> list[str]:
    """Write the usage lines of a command; one for each of a group's commands."""
    if isinstance(command, click.Group):
        return [line for inner, found in command.commands.items() for line in usage(f"{name} {inner}", found)]
    words = [name, *(["[OPTIONS]"] if options(command) else [])]
    for param in command.params:
        if isinstance(param, click.Argument):
            word = (param.name or "").upper()
            word = f"{word if param.required else f'[{word}]'}{'...' if param.nargs < 0 else ''}"
            words.append(param.metavar or word)
    return [" ".join(words)]


def _command(name: str) -> click.Command:
    """Find a command by its whole name."""
    found: click.Command = group
    for word in name.split()[2:]:
        inner = found.get_command(click.Context(found), word) if isinstance(found, click.Group) else None
        assert inner is not None, name  # noqa: S101 - the table of operations names commands that there are
        found = inner
    return found


def operations() -> str:
    """Build a table of the operations and a section for each, with its options and the arguments of its tool."""
    from git_sched.mcp_server.tools import TOOLS
    from git_sched.operations import OPERATIONS
    from git_sched.schemas import of_type

    heads = ["| operation | command | MCP tool | writes |", "|---|---|---|---|"]
    rows = [
        f"| [{o.name}](#{o.anchor}) | `{o.command}` | {f'`{o.tool}`' if o.tool else ''} | {o.writes or 'nothing'} |"
        for o in OPERATIONS
    ]
    sections = []
    for operation in OPERATIONS:
        said = f"\n## `{operation.command}`\n\n{operation.summary}\n\nWrites: {operation.writes or 'nothing'}.\n"
        if operation.kind:
            said += f"`--json` and the tool give a record of kind `{operation.kind}`.\n"
        command = _command(operation.command)
        lines = "\n".join(usage(operation.command, command))
        said += f"\n```text\n{lines}\n```\n\n{options(command)}".rstrip("\n") + "\n"
        if operation.tool:
            said += f"\nMCP tool `{operation.tool}`:\n\n| argument | |\n|---|---|\n"
            asked = of_type(TOOLS[operation.tool].arguments)
            needed = asked.get("required", ())
            for name, value in asked["properties"].items():
                said += f"| `{name}`{' (required)' if name in needed else ''} | {value['description']} |\n"
        sections.append(said)
    first = f"\nBefore the command:\n\n{options(group)}"
    return "\n".join([*heads, *rows]) + "\n" + first + "".join(sections) + "\n"


def compact_records() -> str:
    """Build a table of the keys of every compact record, and one of the keys of their rows."""
    from git_sched.mcp_server.compact.records import RECORDS, Compact
    from git_sched.mcp_server.compact.row_types import Row
    from git_sched.operations import OPERATIONS
    from git_sched.schemas import of_type

    shared = of_type(Compact)["properties"]
    parts = [("Every answer", {"kind": {"description": "What kind of answer it is."}, **shared})]
    tools = {operation.kind: operation.tool for operation in OPERATIONS if operation.tool}
    parts += [(f"`{tools[kind]}`", _own_keys(of_type(type_), shared)) for kind, type_ in RECORDS.items()]
    parts += [("Tasks and other rows", of_type(Row)["properties"])]
    return "\n".join(
        "\n".join([f"### {title}\n", "| key | |", "|---|---|", *(f"| `{key}` | {about} |" for key, about in rows), ""])
        for title, keys in parts
        for rows in [[(key, value["description"]) for key, value in keys.items()]]
    )


def _own_keys(schema: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema["properties"].items() if key not in shared and key != "kind"}


def problem_codes() -> str:
    """Build a paragraph for every code that a problem can carry."""
    return "\n".join(f"### {code}\n\n{text}\n" for code, text in CODES.items())


def schemas() -> str:
    """Build the table of JSON Schemas."""
    from git_sched.schemas import SCHEMAS, URN

    rows = [f"| `{name}` | `{URN}{name}` | {entry.summary} |" for name, entry in SCHEMAS.items()]
    return "\n".join(["| name | `$id` | describes |", "|---|---|---|", *rows]) + "\n"


def keys(table: Mapping[str, Key]) -> str:
    """Build the table of the keys of a file; those of a mapping follow with its name before theirs."""
    return "\n".join(["| key | type and range | default | meaning |", "|---|---|---|---|", *_key_rows(table)]) + "\n"


def _key_rows(table: Mapping[str, Key], before: str = "") -> Iterator[str]:
    for name, key in table.items():
        default = f"`{written}`" if (written := write_default(key)) else key.absent
        cells = f"`{before}{name}`", kind_in_words(key.kind), "required" if key.required else default, key.meaning
        yield f"| {' | '.join(cells)} |"
        inner = key.kind.of if isinstance(key.kind, Items) else key.kind
        if isinstance(inner, Table) and inner.keys is not NODE_KEYS:  # nodes have a table of their own
            yield from _key_rows(inner.keys, f"{before}{name}.")


def kind_in_words(kind: Kind) -> str:
    """Write a kind and its range in words."""
    match kind:
        case Whole(low, high):
            return f"`{low}`" if low == high else f"whole number, {low:,} to {high:,}"
        case Number(low, high, above):
            return f"number, {'more than ' if above else ''}{low:,.0f} to {high:,.0f}"
        case Choice(words):
            return ", ".join(f"`{word}`" for word in words)
        case Items(of):
            return f"list; each item: {kind_in_words(of)}"
        case Table(short=short):
            return f"mapping, or text for its `{short}`" if short else "mapping"
        case ByFactor(of):
            return f"mapping from factor to {kind_in_words(of)}"
        case ByGraph(of):
            return f"mapping from graph id to {kind_in_words(of)}"
        case _:
            return kind


def benchmark() -> str:
    """Build the table of the lab, git-sched beside the rules of today's tools."""
    command = [sys.executable, "tests/benchmarks", "--rule", "git-sched=benchmarks.adapter:decide"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def fence(number: int) -> str:
    """Return one of the workflows that the page of the Action shows."""
    page = (ROOT / "docs" / "action.md").read_text(encoding="utf-8")
    fences: list[str] = re.findall(r"^```yaml\n.*?^```\n", page, re.MULTILINE | re.DOTALL)
    return fences[number]


def table(name: str) -> str:
    """Build a table of the page of the Action, which its own test compares with action.yml."""
    page = (ROOT / "docs" / "action.md").read_text(encoding="utf-8")
    return page.partition(f"<!-- begin {name} -->\n")[2].partition(f"<!-- end {name} -->")[0]


def modules() -> str:
    """Build the list of modules, each with the first sentence of its docstring."""
    package = ROOT / "sched" / "git_sched"
    lines: list[str] = []
    for folder in sorted({path.parent for path in package.rglob("*.py")} - {package}):
        lines += ["", f"**{folder.relative_to(package).as_posix()}/** {_opening(folder / '__init__.py')}", ""]
        lines += [f"- `{path.stem}` {_opening(path)}" for path in sorted(folder.glob("[!_]*.py"))]
    return "\n".join(line for n, line in enumerate(lines[1:]) if line or lines[n]) + "\n"


def _opening(path: Path) -> str:
    """Return the first paragraph of a module's docstring."""
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.partition("\n\n")[0].split())


BLOCKS: dict[str, Callable[[], str]] = {
    "modules": modules,
    "next": lambda: printed("next"),
    "plan": lambda: printed("plan"),
    "factors": factors,
    "commands": commands,
    "three-lines": lambda: fence(0),
    "as-a-step": lambda: fence(1),
    "action-inputs": lambda: table("inputs"),
    "action-outputs": lambda: table("outputs"),
    "problems": problem_codes,
    "operations": operations,
    "compact-records": compact_records,
    "schemas": schemas,
    "policy-keys": lambda: keys(KEYS),
    "metagit-keys": lambda: keys(METAGIT_KEYS),
    "graph-keys": lambda: keys(GRAPH_KEYS),
    "node-keys": lambda: keys(NODE_KEYS),
    "benchmark": benchmark,
}


def filled(text: str) -> str:
    """Return a page with up-to-date blocks."""
    return BLOCK.sub(lambda match: match[1] + BLOCKS[match[2]]() + match[3], text)


def main() -> int:
    """Write or check all pages that have blocks."""
    stale = []
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        old = page.read_text(encoding="utf-8")
        names = {match[2] for match in BLOCK.finditer(old)}
        new = filled(old) if names <= BLOCKS.keys() else old  # the page of the Action has a test of its own
        if new != old:
            stale.append(page.relative_to(ROOT))
            if "--check" not in sys.argv:
                page.write_text(new, encoding="utf-8")
    for page in stale:
        sys.stdout.write(f"{page}: {'out of date' if '--check' in sys.argv else 'written'}\n")
    return int("--check" in sys.argv and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
