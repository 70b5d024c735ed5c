"""Letters beside option texts, and options inside somebody's quoted words."""

from __future__ import annotations

import re
from typing import Final

from airbench_edge.benchmark.letters.tokens import Token
from airbench_edge.benchmark.letters.vocabulary import Kind

_TEXTS: Final = {Kind.TEXT, Kind.LOOSE}
_BESIDE: Final = {Kind.SIGN, Kind.LINK, Kind.COMMA, Kind.GLUE}
_REJECTING: Final = {Kind.NOT, Kind.NO, Kind.WRONG}
_QUOTATION: Final = re.compile(r'"[^"\n]{0,2000}"|“[^”\n]{0,2000}”|「[^」\n]{0,2000}」|«[^»\n]{0,2000}»')
_SPEAKING: Final = {Kind.BE, Kind.LEAN, Kind.NOT, Kind.MAYBE, Kind.UNKNOWN}
_STATING: Final = {Kind.CUE, Kind.FINAL, Kind.BE, Kind.LINK, Kind.OPTION}


def join_letter_and_text(tokens: list[Token]) -> list[Token]:
    """Join a letter and the option text beside it: the same option once, or a ``CLASH`` of two options."""
    joined: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        partner = _partner(tokens, index, _kind_before(joined))
        if partner:
            letter, text = (token, tokens[partner]) if token.kind is Kind.LETTER else (tokens[partner], token)
            kind = Kind.LETTER if letter.value == text.value else Kind.CLASH
            joined.append(Token(kind, token.start, tokens[partner].end, letter.value))
            index = partner + 1
        else:
            joined.append(token)
            index += 1
    return joined


def drop_quoted(text: str, tokens: list[Token]) -> list[Token]:
    """Turn what stands inside quoted speech into plain words: ``the speaker says "I am happy"`` chooses nothing."""
    kept: list[Token] = []
    index = 0
    for quotation in _QUOTATION.finditer(text):
        while index < len(tokens) and tokens[index].start < quotation.start():
            kept.append(tokens[index])
            index += 1
        inside: list[Token] = []
        while index < len(tokens) and tokens[index].end <= quotation.end():
            inside.append(tokens[index])
            index += 1
        goes_on = index < len(tokens)
        if _is_speech(kept, inside, goes_on):
            inside = [t if t.kind is Kind.SIGN else t._replace(kind=Kind.WORD) for t in inside]
        kept += inside
    return kept + tokens[index:]


def _kind_before(tokens: list[Token]) -> Kind | None:
    return next((t.kind for t in reversed(tokens[-8:]) if t.kind not in {Kind.SIGN, Kind.GLUE}), None)


def _partner(tokens: list[Token], index: int, before: Kind | None) -> int:
    """Return the index of the text that belongs to the letter at ``index``, or the other way round, or 0."""
    token = tokens[index]
    if before in _REJECTING or token.kind not in {Kind.LETTER, *_TEXTS}:
        return 0
    wanted = _TEXTS if token.kind is Kind.LETTER else {Kind.LETTER}
    between: list[Kind] = []
    for place in range(index + 1, min(index + 8, len(tokens))):
        kind = tokens[place].kind
        if kind in wanted:
            beside = token.kind is Kind.LETTER or Kind.LINK in between or _in_brackets(tokens, place)
            return place if beside else 0
        is_label_stop = kind is Kind.STOP and token.kind is Kind.LETTER and Kind.STOP not in between
        if kind not in _BESIDE and not is_label_stop and not (kind is Kind.OPTION and token.kind in _TEXTS):
            return 0
        between.append(kind)
    return 0


def _in_brackets(tokens: list[Token], place: int) -> bool:
    behind = place + 1
    return behind < len(tokens) and tokens[behind].value in {")", "]"}


def _is_speech(before: list[Token], inside: list[Token], goes_on: bool) -> bool:
    """Tell whether a quotation is somebody's words, not an answer put between quotes."""
    if any(token.kind is Kind.SAY for token in before[-8:]):
        return True
    has_words = any(token.kind is Kind.WORD for token in inside)
    if not before:
        states = any(token.kind in {Kind.CUE, Kind.FINAL, Kind.OPTION} for token in inside)
        return goes_on and not states and (has_words or any(token.kind in _SPEAKING for token in inside))
    return has_words and _kind_before(before) not in _STATING
