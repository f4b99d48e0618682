"""The style sheet of pages, for light and dark screens and for paper; nothing is told by color alone."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from typing import Final

STYLE: Final = """
:root {
  color-scheme: light dark;
  --paper: #fff; --ink: #1c2128; --soft: #59636e; --line: #d1d9e0; --band: #f6f8fa; --mark: #b35900;
  --bad: #b3261e; --c0: #b6d4fe; --c1: #bfe5c7; --c2: #f5d9a8; --c3: #dccbf7; --c4: #f7c6cf; --c5: #b5e3e3;
  --c6: #dfe3b0; --c7: #d8d8d8;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161c; --ink: #e6edf3; --soft: #9aa4ae; --line: #3a424c; --band: #1a2028; --mark: #ffb066;
    --bad: #ff8f86; --c0: #1f4a80; --c1: #235c36; --c2: #6b4a12; --c3: #4f3a7d; --c4: #7a2f3d; --c5: #1b5c5e;
    --c6: #565b1c; --c7: #4a4f55;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; overflow-wrap: anywhere; }
h2 code, h1 code { font-size: 1em; }
p { margin: .25rem 0; max-width: 60rem; }
.kind, footer, .soft { color: var(--soft); }
.counts { margin-top: 1.5rem; }
.kind { margin: 0; font-size: .85rem; letter-spacing: .04em; }
code { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .3rem .75rem .3rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 600; font-size: .85rem; white-space: nowrap; }
td.n, th.n { text-align: right; white-space: nowrap; }
td code { overflow-wrap: normal; white-space: nowrap; color: var(--soft); }
summary { cursor: pointer; margin: 1.5rem 0 .5rem; font-weight: 600; }
tr.key td { font-weight: 600; }
tr.sum td { border-bottom: 0; font-weight: 600; }
.problems { border-left: 4px solid var(--bad); background: var(--band); padding: .5rem 1rem; margin: 1rem 0; }
.problems p, .problems li { overflow-wrap: anywhere; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: .5rem; font-size: .85rem; }
svg { display: block; width: 100%; min-width: 62rem; height: auto; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); }
svg .soft { fill: var(--soft); }
.grid { stroke: var(--line); stroke-width: 1; }
.bar { stroke: var(--soft); stroke-width: 1; }
.c0 { fill: var(--c0); } .c1 { fill: var(--c1); } .c2 { fill: var(--c2); } .c3 { fill: var(--c3); }
.c4 { fill: var(--c4); } .c5 { fill: var(--c5); } .c6 { fill: var(--c6); } .c7 { fill: var(--c7); }
.about { stroke-dasharray: 4 3; }
.critical { stroke: var(--mark); stroke-width: 2.5; }
.cold { fill: var(--paper); fill-opacity: .55; }
@media screen and (max-width: 40rem) {
  body { padding: 1rem; }
  table, tbody, tr, td { display: block; }
  thead, td:empty { display: none; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  td, td.n { padding: .05rem 0; border: 0; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  td code { white-space: normal; overflow-wrap: anywhere; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-weight: 400; }
}
@media print {
  :root { color-scheme: light; --paper: #fff; --ink: #000; --soft: #444; --line: #bbb; --band: #fff; --mark: #a04000;
    --bad: #a00; --c0: #d5e5fd; --c1: #d9f0de; --c2: #f9e8cb; --c3: #eae0fa; --c4: #fadde2; --c5: #d6efef;
    --c6: #edefd5; --c7: #e8e8e8; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  svg { min-width: 0; }
  .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  .wide { overflow: visible; }
  tr, svg { break-inside: avoid; }
}
"""
"""The only style sheet of a page; the page's content security policy allows no other."""

POLICY: Final = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; "
    f"style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
)
"""The content security policy of a page: its own style and nothing else."""

COLORS: Final = 8
"""Number of fill colors that distinguish graphs or repositories."""
