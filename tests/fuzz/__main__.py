"""``python tests/fuzz --minutes 60``: runs new seeds for that long; ``--seed X`` makes one run again."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

if not __package__:  # started by folder: the folder itself is on the path, its parent is needed
    sys.path[0] = str(Path(__file__).resolve().parent.parent)
    sys.path.append(str(Path(__file__).resolve().parents[2] / "sched"))

from conftest import FOREIGN, PINNED
from fuzz.runs import draw_case, dump_case, run_case


def main() -> int:
    """Run seeds until the time is up; return 1 if anything was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--first", type=int, default=0, help="The first seed; the others count up from it.")
    parser.add_argument("--seed", help="Make one run again, and write its case to stdout.")
    options = parser.parse_args()
    for name in FOREIGN:
        os.environ.pop(name, None)
    os.environ.update(PINNED)
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        if options.seed is not None:
            return _again(options.seed, Path(folder))
        return _session(options.first, options.minutes, Path(folder))


def _again(seed: str, folder: Path) -> int:
    case = draw_case(seed)
    findings = [f"{' '.join(map(ascii, call))}: {complaint}" for call, complaint in run_case(case, folder / seed)]
    sys.stdout.write(dump_case(case, "; ".join(findings)[:200]))
    sys.stderr.write("\n".join([*findings, ""]))
    return int(bool(findings))


def _session(first: int, minutes: float, folder: Path) -> int:
    began, seed, counts, found = time.monotonic(), first, Counter[str](), 0
    while time.monotonic() - began < 60 * minutes:
        name = f"all-{seed}" if seed % 2 else str(seed)
        case = draw_case(name)
        counts["runs"] += 1
        counts["calls"] += len(case.calls)
        counts["tools"] += len(case.tools)
        counts.update(call[0] for call in case.calls)
        try:
            findings = [
                f"{' '.join(map(ascii, call))[:200]}: {complaint}" for call, complaint in run_case(case, folder / name)
            ]
        except Exception as error:  # noqa: BLE001 - what the judges cannot read is a finding as well
            findings = [f"the answer cannot be judged: {error!r:.500}"]
        found += len(findings)
        sys.stdout.writelines(f"python tests/fuzz --seed {name}  # {finding}\n" for finding in findings)
        sys.stdout.flush()
        seed += 1
    sys.stdout.write(f"seeds {first} to {seed - 1}: {dict(counts)}; {found} findings\n")
    return int(found > 0)


sys.exit(main())
