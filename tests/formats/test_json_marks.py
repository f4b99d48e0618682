"""Places in JSON: those that are asked for are those of the whole walk, and nothing else is looked at."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from git_sched.formats.reading.json_text import marks

TEXTS = st.text(st.sampled_from('a"\\{[:,]}é\n'), max_size=3)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 1]), st.booleans(), st.data())
def test_what_is_asked_for_is_found_where_it_stands(
    value: object,
    indent: int | None,
    ascii_: object,
    data: st.DataObject,
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=bool(ascii_))
    every = {mark.path: mark for mark in marks(text)}
    asked = data.draw(st.sets(st.sampled_from(sorted(every, key=repr))))
    wanted = {path[:n] for path in asked for n in range(len(path) + 1)}
    assert list(marks(text, wanted)) == [mark for path, mark in every.items() if path in wanted]


def test_what_is_not_asked_for_is_passed_over_in_one_step() -> None:
    rows = [{"id": n, "needs": [{"id": "x"}]} for n in range(1_000)]
    asked = Asked({(), ("rows",), ("rows", 700), ("rows", 700, "id")})
    assert [mark.path for mark in marks(json.dumps({"rows": rows}), asked)] == sorted(asked, key=len)
    assert asked.looks < len(rows) + 10


class Asked(set[tuple[str | int, ...]]):
    """Paths that count how often one is looked for among them: once for each value the walk comes to."""

    looks = 0

    def __contains__(self, path: object) -> bool:
        """Count a look."""
        self.looks += 1
        return super().__contains__(path)
