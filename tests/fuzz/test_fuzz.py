"""The whole command line over damaged files and any arguments: a few fixed seeds, and what long runs found."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzz.runs import draw_case, dump_case, load_case, run_case

SEEDS = 40
CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_seed(seed: int, tmp_path: Path) -> None:
    assert list(run_case(draw_case(str(seed)), tmp_path / "run")) == []


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_what_was_found(path: Path, tmp_path: Path) -> None:
    assert list(run_case(load_case(path), tmp_path / "run")) == []


def test_a_case_is_read_as_it_was_written(tmp_path: Path) -> None:
    case = draw_case("7")
    (tmp_path / "case.json").write_text(dump_case(case, "why"), encoding="utf-8")
    assert load_case(tmp_path / "case.json") == case
