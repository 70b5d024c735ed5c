"""Options named by their place: "the second option", "option 3", "第二个选项"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from airbench_edge.benchmark.letters.letter_tokens import LETTER_OR_TEXT
from airbench_edge.benchmark.letters.tokens import Token
from airbench_edge.benchmark.letters.vocabulary import Kind
from airbench_edge.benchmark.letters.word_forms import canonical

_ORDINALS: Final = {
    word: place
    for place, words in {
        1: ("first", "1st", "erste", "première", "premier", "primera", "一"),
        2: ("second", "2nd", "zweite", "deuxième", "segunda", "二"),
        3: ("third", "3rd", "dritte", "troisième", "tercera", "三"),
        4: ("fourth", "4th", "vierte", "quatrième", "cuarta", "四"),
        -1: ("last", "letzte", "dernière", "última"),
    }.items()
    for word in words
}
_SILENT: Final = {Kind.SIGN, Kind.GLUE}


def mark_places(tokens: list[Token], options: Mapping[str, str]) -> list[Token]:
    """Turn an option's place, next to the word "option", into the ``LETTER`` token of that option."""
    marked = list(tokens)
    for index, token in enumerate(tokens):
        if token.kind is not Kind.OPTION and not _is_lone_pronoun(tokens, index):
            continue
        before, after = _neighbour(tokens, index, -1), _neighbour(tokens, index, 1)
        if before is not None and tokens[before].value in _ORDINALS:
            marked[before] = _letter(tokens[before], _ORDINALS[tokens[before].value], options)
        elif after is not None and (number := _number(tokens[after], options)):
            marked[after] = _letter(tokens[after], number, options)
    return marked


def _is_lone_pronoun(tokens: list[Token], index: int) -> bool:
    """Tell whether this is the last word of "the second one."."""
    return tokens[index].value == "one" and [token.kind for token in tokens[index + 1 : index + 3]] in ([], [Kind.STOP])


def _neighbour(tokens: list[Token], index: int, step: int) -> int | None:
    """Return the index of the next token that is neither glue nor a sign."""
    index += step
    while 0 <= index < len(tokens) and tokens[index].kind in _SILENT and tokens[index].value not in _ORDINALS:
        index += step
    return index if 0 <= index < len(tokens) else None


def _number(token: Token, options: Mapping[str, str]) -> int:
    """Return the place that a number names, 0 for anything else."""
    word = canonical(options[token.value] if token.kind is Kind.TEXT else token.value)
    return int(word) if len(word) == 1 and word.isdecimal() else 0


def _letter(token: Token, place: int, options: Mapping[str, str]) -> Token:
    """Return a letter token for a place; one beyond the options keeps a value that is no option."""
    letters = list(options)
    letter = letters[place - (place > 0)] if place <= len(letters) else f"#{place}"
    if token.kind is Kind.TEXT and token.value != letter:
        letter = LETTER_OR_TEXT
    return token._replace(kind=Kind.LETTER, value=letter)
