"""Repeated option lists: a response that recites all options, in their order, has not chosen by that."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from airbench_edge.benchmark.letters.mentions import MENTIONS
from airbench_edge.benchmark.letters.tokens import Token
from airbench_edge.benchmark.letters.vocabulary import Kind

_SEPARATORS: Final = {Kind.SIGN, Kind.GLUE, Kind.COMMA, Kind.STOP, Kind.LINK, Kind.OR, Kind.AND, Kind.OPTION}


def without_listing(tokens: list[Token], letters: Collection[str]) -> tuple[list[Token], bool]:
    """Replace every recital of all options by a full stop.

    Returns:
        The tokens that remain, and whether there was a recital.
    """
    kept: list[Token] = []
    index = 0
    listed = False
    while index < len(tokens):
        end = _listing_end(tokens, index, list(letters)) if tokens[index].kind in MENTIONS else 0
        if end:
            listed = True
            kept.append(Token(Kind.STOP, tokens[index].start, tokens[end - 1].end, ""))
            index = end
        else:
            kept.append(tokens[index])
            index += 1
    return kept, listed


def _listing_end(tokens: list[Token], start: int, letters: list[str]) -> int:
    """Return the index behind a recital that begins at ``start``, or 0; padding such as ``C. None`` belongs to it."""
    index = start
    if len(letters) < 2:
        return 0
    for letter in letters:
        index = _skip_separators(tokens, index)
        if index >= len(tokens) or tokens[index].kind not in MENTIONS or tokens[index].value != letter:
            return 0
        index += 1
    while _is_padding(tokens, following := _skip_separators(tokens, index), letters):
        index = _skip_separators(tokens, following + 1) + 1
    return index


def _skip_separators(tokens: list[Token], index: int) -> int:
    while index < len(tokens) and tokens[index].kind in _SEPARATORS:
        index += 1
    return index


def _is_padding(tokens: list[Token], index: int, letters: list[str]) -> bool:
    """Tell whether a letter that was not offered stands here with the word "None" behind it."""
    word = _skip_separators(tokens, index + 1)
    return (
        word < len(tokens)
        and tokens[index].kind is Kind.LETTER
        and tokens[index].value not in letters
        and tokens[word].value == "none"
    )
