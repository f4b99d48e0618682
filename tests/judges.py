"""Independent judges of what is printed: the runner's grammars, written anew from its rules; a Markdown parser."""

from __future__ import annotations

import re
import unicodedata
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final, NamedTuple

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markdown_it.token import Token


class Command(NamedTuple):
    """A workflow command as the runner would obey it."""

    name: str
    properties: dict[str, str]
    data: str


def commands(text: str) -> Iterator[Command]:
    """Find what a runner obeys in a log: ``::name k=v::data`` at the start of a line, ``##[name k=v]data`` anywhere."""
    for line in re.split(r"\r\n|\r|\n", text):
        if (start := line.lstrip()).startswith("::") and (end := start.find("::", 2)) > 1:
            yield _command(start[2:end], start[end + 2 :], ",")
        elif (at := line.find("##[")) >= 0 and (end := line.find("]", at)) > 0:
            yield _command(line[at + 3 : end], line[end + 1 :], ";")


def _command(head: str, data: str, separator: str) -> Command:
    name, _, rest = head.strip().partition(" ")
    pairs = (pair.partition("=") for pair in rest.split(separator) if "=" in pair)
    return Command(name, {key.strip(): _unescaped(value) for key, _, value in pairs}, _unescaped(data))


def _unescaped(text: str) -> str:
    for code, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, character)
    return text


def outputs(text: str) -> dict[str, str]:
    """Read a file of outputs as the runner does: the first of ``=`` and ``<<`` decides, the last write wins."""
    assert not text or text.endswith("\n"), "the runner refuses a file without a final newline"
    found = {}
    lines = iter(text.split("\n")[:-1])
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if heredoc >= 0 and (equals < 0 or heredoc < equals):
            name, end = line[:heredoc], line[heredoc + 2 :]
            assert name, line
            assert end, line
            value = []
            for inner in lines:
                if inner == end:
                    break
                value.append(inner)
            else:
                raise AssertionError(f"the end of {name} is missing")
            found[name] = "\n".join(value)
        else:
            assert equals > 0, line
            found[line[:equals]] = line[equals + 1 :]
    return found


FOLDED: Final = (
    "Why this order", "Held and blocked", "Held", "Blocked", "What waits for what", "The order before and after",
    "All tasks by id",
)  # fmt: skip
HTML: Final = {"<sub>", "</sub>", "</details>", *(f"<details><summary>{title}</summary>" for title in FOLDED)}
"""All the HTML that summary and comment write themselves."""

LINKED: Final = re.compile(
    r"@\w|#\w|\bgh-\d|://|\bwww\.|\b(?:javascript|data|mailto):\w|\b[0-9a-f]{7,}\b|\b[\w.-]+/[\w.-]+#\d"
    r"|(?<!\u200b)\$",
    re.IGNORECASE,
)
"""What GitHub makes a mention, a reference, a link or math of, outside of code."""

UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U00013441\U00013442\U00016fe4"
    "\U0001d159\U000e0100-\U000e01ef]"
)
"""What Unicode calls ignorable although it is a letter or a mark, and letters and symbols that are drawn empty."""

_MARKDOWN: Final = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def blocks(text: str) -> list[str]:
    """Give the kinds of blocks a Markdown text has, rows and cells of tables included."""
    return [token.type for token in _MARKDOWN.parse(text)]


def check_markdown(text: str) -> None:
    """Assert that a text has no markup but ours: no foreign HTML, no link, no image, no mention, nothing invisible."""
    visible = text.replace("\u200b", "")
    assert not [c for c in visible if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn"}]
    assert not UNSEEN.search(visible)
    for token in _MARKDOWN.parse(text):
        if token.type == "html_block":
            assert token.content.strip() in HTML, token.content
        if token.type == "inline":
            _check_inline(token.children or [])


def _check_inline(children: list[Token]) -> None:
    said = ""
    for child in children:
        assert child.type not in {"link_open", "image", "em_open", "s_open"}, child
        assert child.type != "html_inline" or child.content in HTML, child.content
        said += child.content if child.type == "text" else "\0"
    assert not LINKED.search(said), said


_SIZE = r"-?[0-9]+(?:[.][0-9])? (?:min|h|h [0-9]+ min)"
_NODE = rf'n\d{{1,3}}(?:\["[A-Za-z0-9_./ -]*(?:<br/>{_SIZE})?"\](?::::(?:pick|ready))?)?'
_FLOW = re.compile(rf"  {_NODE}(?: (?:-->|==>) {_NODE})*")


def check_mermaid(text: str) -> None:
    """Assert that a drawing holds nothing but numbered nodes with safe labels, arrows and our two classes."""
    assert len(text) < 50_000
    head, *lines = text.splitlines()
    assert head in {"flowchart LR", "flowchart TB"}
    assert lines[-2:] == ["  classDef pick stroke-width:3px", "  classDef ready stroke-dasharray:0"]
    for line in lines[:-2]:
        assert _FLOW.fullmatch(line), line
    assert text.count("-->") + text.count("==>") <= 200


ELEMENTS: Final = {
    **dict.fromkeys(("head", "title", "style", "header", "section", "h1", "h2", "strong", "ul", "li", "code"), ""),
    **dict.fromkeys(("table", "thead", "tbody", "body", "footer", "g"), ""),
    **dict.fromkeys(("details", "summary"), ""),
    **dict.fromkeys(("p", "div", "tr", "th"), "class"),
    "td": "class data-label",
    "html": "lang",
    "meta": "charset http-equiv content name",
    "svg": "viewbox role aria-label",
    "text": "class x y text-anchor",
    "rect": "class x y width height rx",
    "line": "class x1 x2 y1 y2",
}
"""All the elements that pages are made of, each with its attributes: none loads, links, runs or styles anything."""

CLASSES: Final = re.compile(r"kind|(counts )?soft|wide|problems|key|sum|n|grid|cold|bar c[0-7]( about)?( critical)?")
EMPTY: Final = {"meta", "rect", "line"}


class _Page(HTMLParser):
    """Notes the elements of a page in order, and what stands in the style and in the policy."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.shape: list[str] = []
        self.open: list[str] = []
        self.said: list[str] = []
        self.policy = self.style = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), attrs
        assert set(names) <= set(ELEMENTS[tag].split()), (tag, attrs)
        values = dict(attrs)
        assert CLASSES.fullmatch(values.get("class") or "n"), values
        if values.get("http-equiv"):
            assert not self.policy
            self.policy = values["content"] or ""
        self.shape.append(f"{tag}.{values.get('class', '')}")
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.said.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(data)

    def handle_pi(self, data: str) -> None:
        raise AssertionError(data)


def check_html(text: str) -> list[str]:
    """Assert that a page loads, links and runs nothing, and shows nothing invisible; give its elements in order."""
    found = _Page()
    found.feed(text)
    found.close()
    assert text.startswith('<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv=')
    assert not found.open
    policy = dict(part.strip().split(" ", 1) for part in found.policy.split(";"))
    style = b64encode(sha256(found.style.encode()).digest()).decode()
    assert policy == {
        "default-src": "'none'", "base-uri": "'none'", "form-action": "'none'", "style-src": f"'sha256-{style}'"
    }  # fmt: skip
    assert not re.search(r"url\(|@import|expression|<", found.style)
    said = "".join(found.said)
    assert not [c for c in said if c != "\n" and unicodedata.category(c) in {"Cc", "Cf", "Cs", "Co", "Cn"}]
    assert not UNSEEN.search(said)
    assert not list(commands(text))
    return found.shape
