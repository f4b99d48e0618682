"""The pages say what is so: generated blocks are up to date, links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / ".github").glob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


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
