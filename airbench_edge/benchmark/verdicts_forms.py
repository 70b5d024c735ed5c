"""The forms in which a reply gives two scores: a pair, a numbered list, scores beside names, one score for both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from airbench_edge.benchmark.verdicts_grammar import Kind, Token

_TAIL: Final = {
    *(Kind.STOP, Kind.MARK, Kind.OPEN, Kind.CLOSE, Kind.JOIN, Kind.DASH, Kind.TURN, Kind.NAME, Kind.GIVE, Kind.FINAL)
}
_NAME_TO_SCORE: Final = {Kind.GLUE, Kind.SCORE, Kind.MARK, Kind.OPEN, Kind.CLOSE, Kind.DASH, Kind.FINAL}


def sentences(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the tokens of each sentence with its stop."""
    sentence: list[Token] = []
    for token in tokens:
        sentence.append(token)
        if token.kind is Kind.STOP:
            yield sentence
            sentence = []


def numbered(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Yield the scores of a list "1. 8" and "2. 7"."""
    for index, token in enumerate(tokens):
        starts = index == 0 or tokens[index - 1].kind in {Kind.STOP, Kind.JOIN, Kind.OPEN}
        if not (starts and token.kind is Kind.NUMBER and token.text == "1"):
            continue
        first = _entry(tokens, index)
        second = _skip(tokens, first + 1, {Kind.STOP, Kind.JOIN, Kind.OPEN}) if first else 0
        if second < len(tokens) and second and tokens[second].text == "2" and (last := _entry(tokens, second)):
            yield tokens[first], tokens[last]


def _entry(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the number behind a list number such as ``1.``, ``1)``, ``1:`` or ``1 |``, or 0."""
    marked = tokens[index + 1].kind in {Kind.STOP, Kind.CLOSE, Kind.MARK} or tokens[index + 1].text == "|"
    place = _skip(tokens, index + 1, {Kind.STOP, Kind.CLOSE, Kind.MARK, Kind.JOIN})
    alone = place + 1 < len(tokens) and tokens[place + 1].kind in {Kind.STOP, Kind.JOIN}
    return place if marked and alone and tokens[place].kind is Kind.NUMBER else 0


def _skip(tokens: Sequence[Token], index: int, kinds: set[Kind]) -> int:
    while index < len(tokens) and tokens[index].kind in kinds:
        index += 1
    return index


def pairs(tokens: Sequence[Token]) -> Iterator[tuple[Token, Token]]:
    """Yield every pair of scores that begins a sentence or follows words that announce scores."""
    lone: list[Token] = []
    for sentence in [*sentences(tokens), []]:
        content = [token for token in sentence if token.kind not in {Kind.STOP, Kind.MARK, Kind.OPEN, Kind.CLOSE}]
        if len(content) == 1 and content[0].kind is Kind.NUMBER and sentence[-1].text[:1] in {"", "\n"}:
            lone.append(content[0])
            continue
        if len(lone) == 2:
            yield lone[0], lone[1]
        lone = lone if sentence and not content else []
        if pair := _pair(sentence):
            yield pair


def _pair(sentence: Sequence[Token]) -> tuple[Token, Token] | None:
    """Return the pair of scores of one sentence."""
    start = next((index for index, token in enumerate(sentence) if token.kind is Kind.NUMBER), None)
    if start is None or not _announces(sentence[:start]):
        return None
    second = _skip(sentence, start + 1, {Kind.JOIN, Kind.OPEN, Kind.CLOSE})
    if sentence[second].kind is not Kind.NUMBER or not _ends_score(sentence, second + 1):
        return None
    return sentence[start], sentence[second]


def _announces(prefix: Sequence[Token]) -> bool:
    """Tell whether the words before a pair leave no doubt that it is the verdict."""
    kinds = {token.kind for token in prefix} - {Kind.MARK, Kind.OPEN, Kind.CLOSE, Kind.JOIN, Kind.DASH}
    if not kinds:
        return not any(token.kind is Kind.DASH for token in prefix)
    return bool(kinds & {Kind.SCORE, Kind.FINAL}) and not kinds & {Kind.NAME, Kind.CRITERION, Kind.BLOCK, Kind.RANGE}


def _ends_score(tokens: Sequence[Token], index: int) -> bool:
    """Tell whether a score ends here: no further number, and no noun that it would count ("2 dogs")."""
    after = tokens[_skip(tokens, index, {Kind.CLOSE, Kind.JOIN, Kind.DASH})]
    if after.kind is Kind.NUMBER:
        return False
    following = tokens[index]
    return following.kind in _TAIL or (following.kind is Kind.WORD and not following.text[:1].islower())


def labels(tokens: Sequence[Token]) -> dict[str, list[Token]]:
    """Return for each assistant's name the numbers given to it, before the name or behind it."""
    behind = _collect(_named_behind(tokens))
    return behind if len(behind) == 2 else _collect(_named_before(tokens))


def _collect(named: Iterator[tuple[str, Token]]) -> dict[str, list[Token]]:
    found: dict[str, dict[Token, None]] = {}
    for name, number in named:
        found.setdefault(name, {})[number] = None
    return {name: list(numbers) for name, numbers in found.items()}


def _named_before(tokens: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    """Yield what follows a name: "Assistant 1: 8", "Assistant 1 deserves an 8"."""
    for index, token in enumerate(tokens):
        if token.kind is not Kind.NAME:
            continue
        place = index + 1
        while place < len(tokens) and _may_precede_score(tokens, place) and place - index < 12:
            place += 1
        if place < len(tokens) and tokens[place].kind is Kind.RANGE:
            yield token.text, Token(Kind.NUMBER, "", "range")
        elif place < len(tokens) and tokens[place].kind is Kind.NUMBER and (number := _whole_score(tokens, place)):
            yield token.text, number


def _may_precede_score(tokens: Sequence[Token], index: int) -> bool:
    token, before = tokens[index], tokens[index - 1]
    if token.kind is Kind.STOP:
        return before.text == ":" or before.kind is Kind.STOP
    return token.kind in _NAME_TO_SCORE or token.text == "|"


def _whole_score(tokens: Sequence[Token], index: int) -> Token | None:
    """Return the number at ``index`` if it is a score by itself, with a fault if it is one of several values."""
    after = tokens[index + 1]
    beyond = tokens[index + 2].kind if index + 2 < len(tokens) else Kind.STOP
    if after.kind is Kind.NUMBER or (beyond is Kind.NUMBER and after.kind is Kind.JOIN and after.text != "|"):
        return tokens[index]._replace(fault="several_values")
    if beyond is Kind.NUMBER and (after.kind in {Kind.DASH, Kind.RANGE, Kind.GIVE}):
        return tokens[index]._replace(fault="range")
    if after.kind not in _TAIL and not (after.kind is Kind.WORD and not after.text[:1].islower()):
        return None
    entry = _until_next_name(tokens, index + 1)
    if any(t.kind is Kind.CRITERION for t in entry) and any(t.kind is Kind.NUMBER for t in entry):
        return tokens[index]._replace(fault="several_values")
    return tokens[index]


def _until_next_name(tokens: Sequence[Token], index: int) -> Sequence[Token]:
    end = index
    while end < len(tokens) and end < index + 60 and tokens[end].kind not in {Kind.NAME, Kind.STOP}:
        end += 1
    return tokens[index:end]


def _named_behind(tokens: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    """Yield what stands before a name: "8 for Assistant 1", "8 (Assistant 1)"."""
    for index, token in enumerate(tokens[:-3]):
        if token.kind is not Kind.NUMBER:
            continue
        place = _skip(tokens, index + 2, {Kind.GLUE})
        if place >= len(tokens) or tokens[place].kind is not Kind.NAME:
            continue
        in_brackets = tokens[index + 1].kind is Kind.OPEN and tokens[place + 1].kind is Kind.CLOSE
        if tokens[index + 1].kind is Kind.GIVE or in_brackets:
            yield tokens[place].text, token


def for_both(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the score of "both assistants receive 8"."""
    for index, token in enumerate(tokens):
        if token.kind is Kind.BOTH:
            place = _skip(tokens, index + 1, {Kind.GLUE, Kind.SCORE})
            if place < len(tokens) and tokens[place].kind is Kind.NUMBER and (number := _whole_score(tokens, place)):
                yield number
