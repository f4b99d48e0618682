"""500 random workspaces before the real metagit and git-sched: the same order, scores and reasons, or a reason why not.

``METAGIT_WORKSPACES`` and ``METAGIT_SEED`` ask for another number of them, and for others.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

import pytest

from interop import metagit_workspaces
from interop.metagit_workspaces import World, draw, save, translate
from interop.real_metagit import in_metagit
from sandbox import ask, names

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.heavy

NUMBER: Final = int(os.environ.get("METAGIT_WORKSPACES", "500"))
SEED: Final = int(os.environ.get("METAGIT_SEED", "0"))
ALL: Final = 1_000
CLOSE: Final = 3e-6
"""How far scores may differ: git-sched rounds each row of a score to a millionth, metagit the sum."""

SKIPS: Final = "skipped decisions do not use up the limit"
ROUNDING: Final = "each row of a score is rounded, not the sum, which orders what is nearly equal"

PREVIEW: Final = """
from metagit.core.scheduler.service import SchedulerService
found = []
for folder, limit in given:
    rows = SchedulerService(folder).preview_next(limit=limit)
    assert isinstance(rows, list), (folder, rows)
    found.append([row.model_dump(mode="json") for row in rows])
print(json.dumps(found))
"""

COMMANDS: Final = """
import os
from click.testing import CliRunner
from metagit.cli.main import cli
from metagit.core.scheduler.events import ScheduleEventStore
found = []
for folder, commands in given:
    os.chdir(folder)
    said = [CliRunner().invoke(cli, words) for words in commands]
    assert not any(one.exit_code for one in said), (folder, [one.output for one in said])
    events = ScheduleEventStore(folder).list_events()
    assert isinstance(events, list), (folder, events)
    found.append(([json.loads(one.stdout) for one in said], len(events)))
print(json.dumps(found))
"""

STATUS: Final = ["schedule", "status", "--recent", "100000", "--json"]


def ours(folder: Path, limit: int, *words: str) -> dict[str, Any]:
    """Ask git-sched; it must refuse nothing that metagit wrote."""
    said = ask(folder, "next", "--json", "--limit", str(limit), *words)
    assert said.code == 0, said.err
    found: dict[str, Any] = json.loads(said.out)
    unread = {problem["code"] for problem in found["problems"]} & {
        "history-line",
        "signal-unreadable",
        "policy-invalid",
    }
    assert not unread, found["problems"]
    return found


def rows_of(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Give picks and skipped tasks by name, in the order of their scores."""
    rows = sorted([*found["decisions"], *found["skipped"]], key=lambda row: -row["score"])
    return dict(zip(names(rows), rows, strict=True))


def compare(mine: dict[str, Any], theirs: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """Give what differs between an answer about all tasks and metagit's, and whether near ties are in another order."""
    own, other = rows_of(mine), dict(zip(names(theirs), theirs, strict=True))
    if own.keys() != other.keys():
        return [f"tasks: {sorted(own)}, metagit {sorted(other)}"], False
    found = []
    for name, row in other.items():
        if abs(own[name]["score"] - row["score"]) > CLOSE:
            found.append(f"{name}: score {own[name]['score']}, metagit {row['score']}")
        kept = ("reasons", "acl_commands", "skipped")
        found += [f"{name}: {key} {own[name][key]}, metagit {row[key]}" for key in kept if own[name][key] != row[key]]
    return found + disorder(mine, theirs), near_ties(mine, theirs)


def disorder(mine: dict[str, Any], theirs: list[dict[str, Any]]) -> list[str]:
    """Give the pairs of picks, and of skipped tasks, that are in another order though their scores are apart."""
    score = {name: row["score"] for name, row in zip(names(theirs), theirs, strict=True)}
    found = []
    for rows in (mine["decisions"], mine["skipped"]):
        exact = {name: row["score"] for name, row in zip(names(rows), rows, strict=True)}
        rank = [name for name in score if name in exact]
        for one, two in zip(exact, list(exact)[1:], strict=False):
            if rank.index(one) > rank.index(two) and (exact[one] == exact[two] or abs(score[one] - score[two]) > CLOSE):
                same = exact[one] == exact[two] and score[one] != score[two]
                found += [] if same else [f"{one} before {two}"]
    return found


def near_ties(mine: dict[str, Any], theirs: list[dict[str, Any]]) -> bool:
    """Say whether the order of picks or of skipped tasks is not metagit's."""
    other = names(theirs)
    return any(
        names(rows) != [n for n in other if n in set(names(rows))] for rows in (mine["decisions"], mine["skipped"])
    )


def by_hints(own: dict[str, Any], theirs: list[dict[str, Any]]) -> list[str]:
    """Give the hints and compile commands that are not what metagit gives for the same task."""
    mine = rows_of(own)
    return [
        f"{name}: {key} {mine[name][key]}, metagit {row[key]}"
        for name, row in zip(names(theirs), theirs, strict=True)
        for key in ("dispatch_hints", "compile_command")
        if name in mine and mine[name][key] != row[key]
    ]


def cut(own: dict[str, Any], limit: int) -> tuple[list[str], list[str]]:
    """Give the picks and skipped tasks that a limit leaves of an answer about all tasks."""
    picks = own["decisions"][:limit]
    last = [*own["decisions"], *own["skipped"]]
    last.sort(key=lambda row: -row["score"])
    before = [row for row in last[: last.index(picks[-1])] if row["skipped"]] if picks else []
    if len(picks) < limit:
        before += [row for row in own["skipped"] if row not in before][:limit]
    return names(picks), names(before)


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[World, Path]]:
    """Write the workspaces."""
    base = tmp_path_factory.mktemp("random")
    found = [(draw(SEED + n), base / str(SEED + n) / "w") for n in range(NUMBER)]
    for world, folder in found:
        save(world, folder)
    return found


def logged(world: World, folder: Path) -> World:
    """Give a workspace with the log that it has now."""
    log = folder / ".metagit/schedule/decisions.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    return world._replace(history=[json.loads(line) for line in lines])


def differences(metagit: str, worlds: list[tuple[World, Path]], turn: int) -> tuple[Counter[str], list[str]]:
    """Compare all answers; count those that are the same, those that a departure explains, and list all others."""
    mine = [ours(folder, ALL) for _, folder in worlds]
    short = [ours(folder, world.limit) for world, folder in worlds]
    translated = [translate(logged(world, folder)) for world, folder in worlds]
    for (world, _), (_, folder) in zip(translated, worlds, strict=True):
        save(world, folder.with_name(f"translated-{turn}"))
    folders = [str(folder) for _, folder in worlds]
    asked = [(folder, ALL) for folder in folders] + [
        (folder, world.limit) for (world, _), folder in zip(worlds, folders, strict=True)
    ]
    asked += [(str(folder.with_name(f"translated-{turn}")), ALL) for _, folder in worlds]
    theirs = in_metagit(metagit, PREVIEW, asked, cwd=worlds[0][1])
    counts: Counter[str] = Counter()
    unexplained = []
    for n, (world, _) in enumerate(worlds):
        whole, limited, other = theirs[n], theirs[NUMBER + n], theirs[2 * NUMBER + n]
        plain, _ = compare(mine[n], whole)
        wrong, ties = compare(mine[n], other)
        wrong += by_hints(mine[n], whole)
        if names(short[n]["decisions"]) != names(mine[n]["decisions"])[: world.limit]:
            wrong.append(f"limit {world.limit}: {names(short[n]['decisions'])}")
        reasons = translated[n][1] if plain else []
        reasons += [ROUNDING] if ties else []
        picked = [row for row in limited if not row["skipped"]]
        reasons += [SKIPS] if not plain and not ties and names(picked) != names(short[n]["decisions"]) else []
        if wrong or (plain and not translated[n][1]):
            unexplained.append(f"seed {SEED + n}, turn {turn}: {wrong or plain}")
        counts.update(reasons or ["the same"])
        if SKIPS in reasons and not world.policy.get("skip_on_merge_pressure"):
            unexplained.append(f"seed {SEED + n}, turn {turn}: limit {world.limit}: {names(picked)}")
    return counts, unexplained


def test_random_workspaces(metagit: str, worlds: list[tuple[World, Path]]) -> None:
    """Both tools are asked, metagit then logs its answer, both are asked again, and each reads what the other wrote."""
    counts, unexplained = differences(metagit, worlds, 1)
    asked = [
        (str(folder), [["schedule", "next", "--limit", str(world.limit), "--json"], STATUS]) for world, folder in worlds
    ]
    for ((_, status), events), (world, _) in zip(
        in_metagit(metagit, COMMANDS, asked, cwd=worlds[0][1]), worlds, strict=True
    ):
        assert len(status["recent_decisions"]) == len(world.history) + events
    again, more = differences(metagit, worlds, 2)
    for world, folder in worlds:
        ours(folder, world.limit, "--dispatch", "--agent", "ann")
    asked = [(str(folder), [STATUS]) for _, folder in worlds]
    for ((status,), events), (world, folder) in zip(
        in_metagit(metagit, COMMANDS, asked, cwd=worlds[0][1]), worlds, strict=True
    ):
        assert len(status["recent_decisions"]) == len(world.history) + events
        assert all(row["at"] for row in status["recent_decisions"])
        assert len(logged(world, folder).history) == len(status["recent_decisions"])
    print(f"\n{2 * NUMBER} comparisons: {dict(counts + again)}")  # noqa: T201 - what a run on demand is for
    assert [*unexplained, *more] == []
    assert set(counts + again) <= {"the same", SKIPS, ROUNDING, *metagit_workspaces.TRANSLATIONS}
