"""JSON means the same whoever parses it: the standard library first, pydantic-core where the two could differ."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic_core import from_json

from git_sched.model.json_codec import DEPTH, RepeatedKeyError, load, load_unique

TEXTS = st.text(max_size=3)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
PIECES = st.sampled_from(
    [
        "",
        '"',
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\\",
        "\\ud83d\\ude00",
        "\\ud800",
        "e",
        "-",
        "+",
        "0",
        ".",
        "\t",
        "\x01",
        "NaN",
    ]
)


def meaning(parsed: object) -> str:
    """Tell values apart that are equal in Python: 1, 1.0 and true, and one NaN from no other."""
    return repr(parsed)


@given(
    value=VALUES,
    plain=st.booleans(),
    edits=st.lists(st.tuples(st.integers(0, 60), st.integers(0, 2), PIECES), max_size=3),
)
@example(value="\ud83d\ude00", plain=True, edits=[])
def test_a_text_means_what_pydantic_core_says(value: object, plain: object, edits: list[tuple[int, int, str]]) -> None:
    text = json.dumps(value, ensure_ascii=bool(plain)).encode("utf-8", "replace").decode()
    for at, cut, piece in edits:
        text = text[:at] + piece + text[at + cut :]
    try:
        expected = meaning(from_json(text))
    except ValueError as error:
        for given_ in (text, text.encode()):
            with pytest.raises(ValueError, match=re.escape(str(error))):
                load(given_)
    else:
        assert meaning(load(text)) == meaning(load(text.encode())) == expected


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
@pytest.mark.parametrize("depth", [DEPTH, DEPTH + 1, 100_000])
def test_values_are_nested_as_deeply_as_pydantic_core_takes_them(opening: str, closing: str, depth: int) -> None:
    text = opening * depth + "1" + closing * depth
    if depth <= DEPTH:
        assert load(text) == from_json(text)
    else:
        with pytest.raises(ValueError, match="recursion limit exceeded at line 1 column"):
            load(text)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(ValueError, match="at line 1 column"):
        load(b'"\xff"')


def test_a_key_given_twice_is_told_from_a_text_that_is_no_json() -> None:
    twice = '{"a": 1, "a": 2}'
    assert load(twice) == {"a": 2}
    with pytest.raises(RepeatedKeyError):
        load_unique(twice)
    with pytest.raises(ValueError, match="at line 1 column 17") as caught:
        load_unique(twice + "x")
    assert not isinstance(caught.value, RepeatedKeyError)
