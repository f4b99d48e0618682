"""``python tests/benchmarks``: the table, without setting a path first."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

if not __package__:  # started by folder: the folder itself is on the path, its parent is needed
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

runpy.run_module("benchmarks.table", run_name="__main__")
