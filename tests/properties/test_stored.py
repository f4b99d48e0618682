"""``render`` takes what anybody may have written: whatever a record says, it is refused or printed harmlessly."""

from __future__ import annotations

import json
import re
import unicodedata
from random import Random
from typing import TYPE_CHECKING, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

import judges
from git_sched.model.json_codec import dump
from git_sched.model.problems import RequestError
from git_sched.render import RENDERERS, renderer
from git_sched.workspace.stored_records import parse
from properties.bending import KINDS, bent, records, saying, texts
from properties.test_hostile import HOSTILE, check_matrix
from render.test_golden import prepare
from sandbox import ask

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from properties.bending import Record

    Judge = Callable[[str, Record], object]

pytestmark = pytest.mark.heavy

ALL: Final = " ".join(text for text in HOSTILE if text != "\ud800")  # which no JSON can be read with


# The judges


FIGURE: Final = re.compile(r"(?<![\w&#])\d{7,}(?=[ .|)*]|$)", re.MULTILINE)
"""A number of ours that is as long as the id of a commit: GitHub would make a link of it where there is such a one."""


def unseen(text: str) -> list[str]:
    """Give what a terminal would obey or nobody would see."""
    kinds = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    return [c for c in text if c != "\n" and (unicodedata.category(c) in kinds or judges.UNSEEN.match(c))]


def markdown(text: str, _: Record) -> object:
    """Judge a summary or a comment."""
    judges.check_markdown(FIGURE.sub("0", text))
    return judges.blocks(text)


def outputs(text: str, _: Record) -> object:
    """Judge the outputs of a step."""
    found = judges.outputs(text)
    assert all(value.isascii() and "\n" not in value for value in found.values())
    check_matrix(found["matrix"])
    return list(found)


def commands(text: str, _: Record) -> object:
    """Judge what a runner is told."""
    names = [command.name for command in judges.commands(text)]
    assert set(names) <= {"error", "warning"}
    assert len(names) == text.count("\n")
    return names


def variables(text: str, _: Record) -> object:
    """Judge what a shell may source."""
    lines = text.split("\n")[:-1]
    assert all(re.fullmatch(r"NEXT_[A-Z0-9_]+=[A-Za-z0-9_.:/-]*", line) for line in lines)
    return len(lines)


def whole(text: str, record: Record) -> object:
    """Judge JSON of the whole record."""
    assert json.loads(text) == record
    return None


def rows(text: str, record: Record) -> object:
    """Judge JSON Lines."""
    assert [json.loads(row) for row in text.split("\n")[:-1]] == [*record["decisions"], *record["skipped"]]
    return None


JUDGES: Final[dict[str, Judge]] = {
    **dict.fromkeys(("summary", "comment", "markdown"), markdown),
    **dict.fromkeys(("metagit", "dispatch-plan"), lambda text, _: len(json.loads(text))),
    "html": lambda text, _: judges.check_html(text),
    "json": whole,
    "jsonl": rows,
    "matrix": lambda text, _: check_matrix(text),
    "outputs": outputs,
    "mermaid": lambda text, _: judges.check_mermaid(text) if text else None,
    "github": commands,
    "env": variables,
}
"""What judges a format with a grammar of its own, and gives the structure that no text may change."""


def lines(text: str, _: Record) -> object:
    """Judge every other format: however hostile a text is, there are as many lines as with a plain one."""
    return text.count("\n")


def shape(form: str, text: str, record: Record) -> object:
    """Assert that a rendering is harmless, and give its structure."""
    judge = JUDGES.get(form, lines)
    if judge is not markdown:  # which sets blanks of no width itself
        assert not unseen(text)
    if form not in {"github", "outputs"}:
        assert not list(judges.commands(text))
    return judge(text, record)


def judged(data: bytes) -> dict[str, object] | None:
    """Give the structure of every rendering of what is read of some bytes, or nothing where they are refused."""
    try:
        found = dict(parse(data, name="record.json"))
    except RequestError as error:
        refusal = error
    else:
        kind = str(found["kind"])
        return {form: shape(form, renderer(kind, form)(found), found) for form in RENDERERS[kind]}
    assert refusal.message
    assert refusal.hint
    assert f"{refusal.message}{refusal.hint}".isprintable()
    assert not list(judges.commands(refusal.message))
    return None


# The laws


@pytest.mark.parametrize("kind", KINDS)
def test_every_record_of_ours_is_read_back_and_harmless(kind: str) -> None:
    assert records()[kind]
    for record in records()[kind][::7]:
        assert parse(json.dumps(record).encode(), name="record.json") == record
        assert judged(json.dumps(record).encode()) is not None


@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(0, 2**32))
def test_a_record_that_is_bent_is_refused_or_harmless(kind: str, seed: int) -> None:
    dice = Random(seed)  # noqa: S311 - as good as any
    for _ in range(8):
        judged(json.dumps(bent(dice.choice(records()[kind]), dice)).encode())


@pytest.mark.parametrize("kind", KINDS)
def test_no_text_anywhere_changes_what_is_printed_around_it(kind: str) -> None:
    """The same lines, blocks, elements and keys as with a plain word; or the text is refused where an id must stand."""
    dice = Random(kind)  # noqa: S311 - as above
    kept = 0
    for record, place in texts(kind):
        usual = judged(saying(record, place, "word"))
        for text in (ALL, *dice.sample(HOSTILE, 3)):
            found = judged(saying(record, place, f"x{text}"))
            assert found in (None, usual), (place, text)
            kept += found is not None
    assert kept > len(texts(kind)) / 5


@given(st.integers(0, 2**32), st.binary(max_size=9))
def test_bytes_that_are_no_record_are_refused(seed: int, extra: bytes) -> None:
    """Cut off, with other bytes in the middle, or nothing but these."""
    dice = Random(seed)  # noqa: S311 - as above
    data = json.dumps(dice.choice(records()[dice.choice(KINDS)])).encode()
    start, end = sorted(dice.randrange(len(data)) for _ in range(2))
    for bad in (data[:start], data[:start] + extra + data[min(end, start + 3) :], data + extra, extra, extra * 999):
        judged(bad)


def test_what_is_printed_of_the_example_is_taken_back(tmp_path: Path) -> None:
    """Every record, through the command itself, in every format of its kind."""
    folder = prepare("example", tmp_path)
    words = "next --limit 9", "plan", "status", "check", "policy show", "diff HEAD", "explain search-box", "verify"
    ask(folder, "take", "index-schema")
    kinds = set()
    for command in (*words, "release index-schema"):
        record = json.loads(ask(folder, *command.split(), "--json").out)
        kinds.add(record["kind"])
        (tmp_path / "record.json").write_bytes(dump(record))
        for form in RENDERERS[record["kind"]]:
            said = ask(tmp_path, "render", "record.json", "--format", form)
            assert (said.code, said.err) == (0, ""), (command, form)
            shape(form, said.out, record)
    assert kinds == set(KINDS)
