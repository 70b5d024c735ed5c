"""From plain text to a flat list of tokens: known phrases, option texts, letters, everything else."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from airbench_edge.benchmark.letters.vocabulary import GLUED, SPACED, Kind


class Token(NamedTuple):
    """A stretch of the response and what it does.

    Attributes:
        kind: What the stretch does in its sentence.
        start: First character.
        end: One after the last character.
        value: For letters and option texts the option's letter, otherwise the lower-case text.
    """

    kind: Kind
    start: int
    end: int
    value: str


_ALPHABET = "A-Za-z\u00c0-\u024f\u0300-\u036f\u0370-\u052f\u1e00-\u1fff"
_PIECE = re.compile(
    rf"(?P<newline>\n[\s]*)|(?P<number>(?<![\w)\]])-?\d+(?:\.\d+)?|\d+(?:\.\d+)?)"
    rf"|(?P<word>[{_ALPHABET}][{_ALPHABET}0-9]*(?:'[{_ALPHABET}]+)*)|(?P<mark>\.\.+|--?>|[^\w\s]|_)|(?P<glued>\w)"
)
_MARKS = {
    **dict.fromkeys(".!;。！;|।…", Kind.STOP),
    "..": Kind.STOP,
    **dict.fromkeys("?？؟", Kind.QUESTION),
    **dict.fromkeys(",，،", Kind.COMMA),
    **dict.fromkeys([*":=-–—→", "->", "-->"], Kind.LINK),
    "/": Kind.OR,
    "&": Kind.AND,
    "+": Kind.AND,
    "、": Kind.AND,
    **dict.fromkeys("✓✔✅☑", Kind.RIGHT),
    **dict.fromkeys("❌✗✘☒", Kind.WRONG),
}


def split(text: str) -> list[Token]:
    """Cut the text into words, numbers, marks, line ends and single characters of scripts without spaces."""
    pieces: list[Token] = []
    for match in _PIECE.finditer(text):
        value = match.group().lower()
        if match["newline"]:
            kind = Kind.STOP
        elif match["mark"]:
            kind = _MARKS.get(value[:2] if value.startswith("..") else value, Kind.SIGN)
        else:
            kind = Kind.WORD
        pieces.append(Token(kind, match.start(), match.end(), value))
    return pieces


def recognise(pieces: list[Token]) -> list[Token]:
    """Replace the words that form a known phrase by one token of its kind; the longest phrase wins."""
    tokens: list[Token] = []
    index = 0
    phrases = _phrases()
    while index < len(pieces):
        piece = pieces[index]
        length, kind = 1, piece.kind
        if piece.kind is Kind.WORD:
            for words, phrase_kind in phrases.get(piece.value, ()):
                if tuple(p.value for p in pieces[index : index + len(words)]) == words:
                    length, kind = len(words), phrase_kind
                    break
            else:
                if piece.value.endswith("n't"):
                    kind = Kind.NOT
        tokens.append(Token(kind, piece.start, pieces[index + length - 1].end, piece.value))
        index += length
    return tokens


@cache
def _phrases() -> dict[str, list[tuple[tuple[str, ...], Kind]]]:
    """First piece of a phrase to the phrases that begin with it, longest first."""
    table: dict[str, list[tuple[tuple[str, ...], Kind]]] = {}
    for kinds in (SPACED, GLUED):
        for kind, listed in kinds.items():
            for phrase in listed.split(","):
                words = tuple(piece.value for piece in split(" ".join(phrase.split())))
                if words:
                    table.setdefault(words[0], []).append((words, kind))
    for entries in table.values():
        entries.sort(key=lambda entry: -len(entry[0]))
    return table
