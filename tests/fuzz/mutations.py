"""Ways to damage a file: each takes bytes and dice, and returns other bytes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

LONGEST: Final = 40_000
"""Number of characters of the longest run that is put into a file."""

WORDS: Final = (
    "", "\0", "\ufeff", "\x1b[31m", "\u202e", "\u200b", "\U000e0041", "\r", "\r\n", "\x85", "\u2028", "\t", "no", "~",
    "null", "true", "0x1f", "1e999", "-0", ".5", "NaN", "1_0", "010", "9" * 400, "-" + "9" * 5000, "2026-02-30",
    "0000-01-01", "9999-12-31T23:59:59-14:00", "2026-01-01T24:00:00Z", "-----", "```", "<!--", "-->", "- [ ] ",
    "- [~] T001 x", "T001", "1.1", "TASK-1", "&a", "*a", "!!python/object", "<<: *a", "{", "}", "[", "]", "[[", "]]",
    '"', "'", '\\"', "\\ud800", ": ", ":", ", ", "#", "# ", "---\n", "...\n", "<<<<<<< HEAD\n", "=======\n",
    ">>>>>>> b\n", "../..", "/etc/passwd", "a/b", "..", "-rf", "${{ github.token }}", "::set-output name=a::b", "%0A",
    "<script>", "](http://x)", "@team", "#12", "|", "depends_on", "status", "completed", "running", "version: 1", "é",
    "日本", "ß", "İ", "e\u0301", "👩‍👧", "graph_id", "node_id", "id", "(depends on T001-T999999)", "_Depends: 1, 2_",
)  # fmt: skip
"""What is put into a file somewhere: marks of every format, values that readers take differently, hostile text."""

_TOKENS: Final = re.compile(rb"\w+|\s+|[^\w\s]")


def flip(data: bytes, dice: random.Random) -> bytes:
    """Overwrite a few bytes with any others."""
    found = bytearray(data or b" ")
    for _ in range(dice.randint(1, 6)):
        found[dice.randrange(len(found))] = dice.randrange(256)
    return bytes(found)


def cut(data: bytes, dice: random.Random) -> bytes:
    """Leave out everything from some byte on, or up to it, or between two."""
    first, second = sorted(dice.randrange(len(data) + 1) for _ in range(2))
    return dice.choice([data[:first], data[first:], data[:first] + data[second:]])


def insert(data: bytes, dice: random.Random) -> bytes:
    """Put words somewhere between two tokens, or in the place of one."""
    tokens = _TOKENS.findall(data) or [b""]
    for _ in range(dice.randint(1, 4)):
        at, word = dice.randrange(len(tokens)), dice.choice(WORDS).encode(errors="surrogatepass")
        tokens[at] = word if dice.random() < 0.5 else tokens[at] + word
    return b"".join(tokens)


def repeat(data: bytes, dice: random.Random) -> bytes:
    """Repeat a word, or a few tokens of the file, very often."""
    tokens = _TOKENS.findall(data) or [b"x"]
    at = dice.randrange(len(tokens))
    own = b"".join(tokens[at : at + dice.randint(1, 6)])
    piece = own if dice.random() < 0.5 else dice.choice(WORDS).encode()
    times = dice.choice([2, 30, 1_000, LONGEST]) if len(piece) < 3 else dice.choice([2, 30, 1_000])
    return b"".join([*tokens[:at], (piece * times)[:LONGEST], *tokens[at:]])


def shuffle(data: bytes, dice: random.Random) -> bytes:
    """Exchange, double or delete lines or tokens."""
    pieces = data.splitlines(keepends=True) if dice.random() < 0.6 else _TOKENS.findall(data)
    for _ in range(dice.randint(1, 5)):
        if len(pieces) < 2:
            break
        here, there = dice.randrange(len(pieces)), dice.randrange(len(pieces))
        match dice.randrange(3):
            case 0:
                pieces[here], pieces[there] = pieces[there], pieces[here]
            case 1:
                pieces.insert(here, pieces[there])
            case _:
                del pieces[here]
    return b"".join(pieces)


def recode(data: bytes, dice: random.Random) -> bytes:
    """Change line ends or the encoding, or put a byte order mark in front."""
    text = data.decode(errors="replace")
    ways: Sequence[Callable[[], bytes]] = (
        lambda: data.replace(b"\n", b"\r\n"),
        lambda: data.replace(b"\n", b"\r"),
        lambda: b"\xef\xbb\xbf" + data,
        lambda: text.encode("utf-16"),
        lambda: text.encode("utf-32"),
        lambda: text.encode("latin-1", "replace"),
        lambda: text.swapcase().encode(),
        lambda: data.replace(b" ", "\u00a0".encode()),
        lambda: re.sub(
            rb"\d+", b"0" * dice.choice([1, 50]) + rb"\g<0>" + b"0" * dice.choice([0, 25, 5_000]), data, count=3
        ),
    )
    return dice.choice(ways)()


def nest(data: bytes, dice: random.Random) -> bytes:
    """Put the file, or nothing, deep into lists, mappings or quotes."""
    first, last = dice.choice([(b"[", b"]"), (b'{"a":', b"}"), (b"- ", b""), (b"> ", b""), (b"  ", b""), (b"(", b")")])
    depth = dice.choice([3, 63, 64, 65, 300, 20_000])
    return first * depth + dice.choice([data, b"1", b""]) + last * dice.choice([0, depth])


MUTATIONS: Final = (flip, cut, insert, insert, repeat, shuffle, recode, nest)
"""All of them; what reaches deepest into the readers is listed twice."""


def mutate(data: bytes, dice: random.Random) -> bytes:
    """Damage a file in one to three ways."""
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        data = dice.choice(MUTATIONS)(data, dice)
    return data[: 8 * LONGEST]
