"""The pages are true and plain: generated blocks are up to date, links lead to files, no word is banned."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / ".github").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")

BANNED = {
    "mend": "fix",
    "mends": "fixes",
    "mended": "fixed",
    "mending": "fixing",
    "reckon": "use",
    "reckoned": "used",
    "outranked": "lower-ranked",
    "hangs on": "is on the critical path of",
    "never starts": "cannot start",
    "nobody assigned": "unassigned",
    "is served": "is offered",
    "are served": "are offered",
    "not served": "not offered",
    "handed out": "given out, dispatched",
    "hand-out": "dispatch",
    "hand-outs": "dispatches",
    "passed over": "ignored, skipped",
    "playthrough": "simulation",
    "rule [A-H][0-9]+": "its meaning",
    "rules [A-H][0-9]*": "their meaning",
}
"""What nobody would say to a colleague, as patterns of whole words, each with the words to use instead."""

NOT_OURS = (":!CHANGELOG.md", ":!tests/contract/test_docs.py", ":!*/repo/*", ":!.github/requirements/*.txt")
"""What the words need not be plain in: the past, this list, files of other tools, generated locks."""


@pytest.mark.heavy
def test_generated_blocks_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, "docs/blocks.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page: Path) -> None:
    targets = [target for target in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in target]
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []


ROWS = re.findall(
    r"^\| (.+?) \| (.+) \|$",
    (ROOT / "docs" / "architecture.md")
    .read_text(encoding="utf-8")
    .partition("## To change one thing\n")[2]
    .partition("\n## ")[0],
    re.MULTILINE,
)[1:]


@pytest.mark.parametrize("where", [where for _, where in ROWS], ids=[what for what, _ in ROWS])
def test_what_is_to_be_changed_is_where_the_table_has_it(where: str) -> None:
    """Each path exists, and each name is in one of the files of its row."""
    code = re.findall(r"`([^`]+)`", where)
    paths = [ROOT / "sched" / "git_sched" / word for word in code if "/" in word]
    assert paths
    assert [path for path in paths if not path.exists()] == []
    text = "".join(path.read_text(encoding="utf-8") for path in paths if path.is_file())
    assert [word for word in code if "/" not in word and word != "diff" and word not in text] == []


THREATS = [
    line
    for line in (ROOT / ".github" / "SECURITY.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ")
][1:]


@pytest.mark.parametrize("row", THREATS, ids=range(1, len(THREATS) + 1))
def test_each_threat_names_a_test_that_exists(row: str) -> None:
    named = re.findall(r"`([\w/]+\.py)::(\w+)`", row.split("|")[-2])
    assert named
    for path, name in named:
        assert f"\ndef {name}(" in (ROOT / "tests" / path).read_text(encoding="utf-8"), f"{path} has no {name}"


def test_every_format_has_a_page() -> None:
    from git_sched.formats.places import PLACES

    pages = {path.stem for path in (ROOT / "docs" / "formats").glob("*.md")}
    assert set(PLACES) - {"native"} <= pages


def test_the_changelog_speaks_of_this_version_or_of_what_is_unreleased() -> None:
    from git_sched import __version__

    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    top = re.search(r"^## \[([^\]]+)\]", text, re.MULTILINE)
    assert top is not None
    assert top[1] in {"Unreleased", __version__}


def test_no_text_has_a_banned_word() -> None:
    pattern = rf"\b({'|'.join(BANNED)})\b"
    command = ["git", "grep", "-nIP", pattern, "--", ".", *NOT_OURS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")  # 1: nothing was found
