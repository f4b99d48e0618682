"""Writes the generated blocks of docs/action.md from action.yml: `.venv/bin/python tests/github/page.py`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

TOP = Path(__file__).resolve().parents[2]
PAGE = TOP / "docs/action.md"


def inputs() -> str:
    """Give the table of inputs."""
    rows = [f"| `{name}` | {_cell(told)} |" for name, told in _action()["inputs"].items()]
    return "\n".join(["| input | |", "|---|---|", *rows])


def outputs() -> str:
    """Give the table of outputs."""
    rows = [f"| `{name}` | {_cell(told)} |" for name, told in _action()["outputs"].items()]
    return "\n".join(["| output | |", "|---|---|", *rows])


def workflow() -> str:
    """Give the table of the reusable workflow's inputs."""
    called = yaml.safe_load((TOP / ".github/workflows/schedule.yml").read_bytes())[True]["workflow_call"]
    rows = [f"| `{name}` | {_shown(told['default'])} | {_cell(told)} |" for name, told in called["inputs"].items()]
    return "\n".join(["| input | default | |", "|---|---|---|", *rows])


BLOCKS = {"inputs": inputs, "outputs": outputs, "workflow": workflow}


def fill(page: str) -> str:
    """Put the blocks between their markers."""
    for name, block in BLOCKS.items():
        marked = re.compile(rf"(<!-- begin {name} -->\n).*?(\n<!-- end {name} -->)", re.DOTALL)
        page = marked.sub(rf"\g<1>{block().replace(chr(92), chr(92) * 2)}\g<2>", page)
    return page


def _action() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((TOP / "action.yml").read_bytes())
    return found


def _cell(told: dict[str, Any]) -> str:
    return " ".join(told["description"].split()).replace("|", "\\|")


def _shown(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`" if value != "" else ""


if __name__ == "__main__":
    PAGE.write_text(fill(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
