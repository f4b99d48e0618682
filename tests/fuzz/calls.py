"""The calls: every command with every option that it has, each value a likely one or a hostile one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

import click

from fuzz.mutations import WORDS
from git_sched.cli.main import COMMANDS, group

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

Words = tuple[str, ...]

LEFT_OUT: Final = {("mcp",), ("hook", "run")}
"""Commands that cannot be run in this process: one is a server, the other ends the process when its time is up."""

VALUES: Final = {
    "agents": ("ada", "bo", "ada"), "agent": ("ada", "bo"), "rev": ("HEAD", "HEAD~1", "main", "HEAD:"),
    "now": ("commit", "wall", "2026-11-03T09:30:00Z", "2026-11-03"), "limit": ("1", "3", "1000"), "lookahead": ("2",),
    "weights": ("urgency=3", "age=0.5", "cost=-1"), "limits": ("total=2", "tokens=10"),
    "others": ("redispatch_after=off", "sources=[{path: a.json}]"), "preset": ("balanced", "rfc-0012"),
    "graph_ids": ("work",), "graph_id": ("work",), "labels": ("a",), "repositories": ("web",),
}  # fmt: skip
"""Values that mean something, by the name of the parameter; a number or a choice is drawn from its type."""

ANSWERS: Final = frozenset({"next", "status", "explain", "plan", "check", "diff"})
"""Commands that read everything; they are drawn more often."""

PLACES: Final = (".", "out.json", "a/b", "missing/out", "/dev/null", "/dev/full", "", "-", "x\udcff", "n" * 300)
"""Paths of every kind. None of them leads out of the folder of a run: some commands write there."""

_OUTSIDE: Final = ("/", "..")


@cache
def commands() -> tuple[tuple[Words, click.Command], ...]:
    """Give every command that people and agents call, with the words that name it."""
    return tuple(found for name in COMMANDS for found in _below((name,), group.get_command(click.Context(group), name)))


def _below(words: Words, command: click.Command | None) -> Iterator[tuple[Words, click.Command]]:
    if isinstance(command, click.Group):
        for name, inner in command.commands.items():
            yield from _below((*words, name), inner)
    elif command is not None and words not in LEFT_OUT:
        yield words, command


def draw_call(dice: random.Random, paths: Sequence[str], ids: Sequence[str]) -> Words:
    """Draw a command with a few of its options; ``paths`` and ``ids`` are what the workspace has, or may have."""
    words, command = dice.choices(commands(), weights=[6 if words[0] in ANSWERS else 1 for words, _ in commands()])[0]
    found = list(words)
    for parameter in command.params:
        needed = isinstance(parameter, click.Argument) and parameter.required
        rate = 0.97 if needed else 0.35 if parameter.name in {"format_", "words", "paths"} else 0.05
        for _ in range(1 if needed else dice.choice([1, 1, 2]) if dice.random() < rate else 0):
            found += _drawn(parameter, dice, paths, ids)
    return tuple(word.replace("\0", "") for word in found)  # no argument of a process has that


def _drawn(parameter: click.Parameter, dice: random.Random, paths: Sequence[str], ids: Sequence[str]) -> list[str]:
    switch = dice.choice([*parameter.opts, *parameter.secondary_opts])
    if isinstance(parameter, click.Option) and (parameter.is_flag or parameter.count):
        return [switch]
    likely = VALUES.get(parameter.name or "") or (
        paths if parameter.metavar in {"FILE", "PATH", "PATHS", "RECORD"} else ids
    )
    if isinstance(parameter.type, click.Choice):
        likely = [str(choice) for choice in parameter.type.choices]
    hostile = [word for word in WORDS if not word.startswith(_OUTSIDE)]
    value = dice.choice(dice.choices([likely, PLACES, hostile], weights=[30, 1, 2])[0])
    return [value] if isinstance(parameter, click.Argument) else [switch, value]
