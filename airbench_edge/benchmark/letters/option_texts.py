"""Where a response names an option by its text: word for word, or by its words in another form or order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from airbench_edge.benchmark.letters.cleaning import tidy
from airbench_edge.benchmark.letters.tokens import Token, split
from airbench_edge.benchmark.letters.vocabulary import Kind
from airbench_edge.benchmark.letters.word_forms import canonical, is_verb_form, noun_key, verb_key

_ARTICLES: Final = {"a", "an", "the"}
_FILLERS: Final = {"to", "and", "from", "until", "through", "s", "sec", "secs", "second", "seconds", "between", "at"}
_STOPWORDS: Final = _ARTICLES | {"of", "to", "in", "on", "at", "and", "or", "is", "are", "with", "for"}
_JOINTS: Final = {Kind.SIGN, Kind.LINK, Kind.COMMA, Kind.OR, Kind.AND}
_CLAUSE_ENDS: Final = {Kind.STOP, Kind.QUESTION, Kind.COMMA, Kind.BUT, Kind.BECAUSE}
_FUNCTION_WORDS: Final = {"yes", "no", "not", "none", "both", "neither", "either", "other", "all", "and", "or", "maybe"}
_ANSWER_IS: Final = {
    "is",
    "it's",
    "that's",
    "but",
    "answer",
    "be",
    "say",
    "choose",
    "pick",
    "select",
    "definitely",
    "probably",
    "think",
}
_TIES: Final = {"or", "to", "/", "或", "oder", "ou", "o"}
_PRONOUN_BEFORE_ONE: Final = {"the", "this", "that", "which", "first", "second", "third", "fourth", "last", "other"} | {
    *("right", "correct", "each", "any", "no", "every")
}


class _Pattern(NamedTuple):
    """The words of one option's text, as they are compared."""

    letter: str
    words: tuple[str, ...]
    is_span: bool


def mark_exact(text: str, pieces: list[Token], options: Mapping[str, str]) -> list[Token]:
    """Replace every stretch that is the text of an option by one ``TEXT`` piece; the longest text wins."""
    table: dict[str, list[_Pattern]] = {}
    for pattern in sorted(_patterns(options), key=lambda pattern: -len(pattern.words)):
        table.setdefault(pattern.words[0], []).append(pattern)
    marked: list[Token] = []
    index = 0
    while index < len(pieces):
        piece = pieces[index]
        for pattern in table.get(canonical(piece.value), ()) if piece.kind is Kind.WORD else ():
            end = _match(pieces, index, pattern)
            if end and _stands_free(text, pieces, index, end, pattern):
                marked.append(Token(Kind.TEXT, piece.start, pieces[end - 1].end, pattern.letter))
                index = end
                break
        else:
            marked.append(piece)
            index += 1
    return marked


def mark_loose(tokens: list[Token], options: Mapping[str, str]) -> list[Token]:
    """Put a ``LOOSE`` token where a clause holds all words of an option that the response names nowhere exactly."""
    wanted = _loose_keys(options)
    for token in tokens:
        if token.kind is Kind.TEXT:
            wanted.pop(token.value, None)
    if not wanted:
        return tokens
    marked: list[Token] = []
    for clause in _clauses(tokens):
        marked += _mark_clause(clause, wanted)
    return marked


def is_single_letter(option: str) -> bool:
    """Tell whether an option's text is one letter, such as a note's name."""
    return len(option.strip()) == 1 and option.strip().isascii() and option.strip().isalpha()


def _patterns(options: Mapping[str, str]) -> Iterator[_Pattern]:
    for letter, option in options.items():
        words = [canonical(piece.value) for piece in split(tidy(option)) if piece.kind is Kind.WORD]
        numbers = sum(_is_number(word) for word in words)
        is_span = numbers >= 2
        if is_span:
            words = [word for word in words if word not in _FILLERS]
        elif len(words) > 1 and words[0] in _ARTICLES:
            words = words[1:]
        if words and not is_single_letter(option):
            yield _Pattern(letter, tuple(words), is_span)


def _match(pieces: list[Token], start: int, pattern: _Pattern) -> int:
    """Return the index behind the pattern's last word, or 0 where the pieces from ``start`` on do not match."""
    index = start
    for position, word in enumerate(pattern.words):
        while position and index < len(pieces) and _is_joint(pieces[index], pattern):
            index += 1
        if index >= len(pieces) or pieces[index].kind is not Kind.WORD or canonical(pieces[index].value) != word:
            return 0
        index += 1
    return index


def _is_joint(piece: Token, pattern: _Pattern) -> bool:
    """Tell whether a piece may stand between two words of an option without changing it."""
    return piece.kind in _JOINTS or (pattern.is_span and piece.value in _FILLERS)


def _stands_free(text: str, pieces: list[Token], start: int, end: int, pattern: _Pattern) -> bool:
    """Tell whether a match is no part of something else, as 48 is of ``48-50`` and ``48.5``, one of ``the one``."""
    first, last = pieces[start], pieces[end - 1]
    before = pieces[start - 1].value if start else ""
    after = pieces[end].value if end < len(pieces) else ""
    if pattern.words[0] in _FUNCTION_WORDS and len(pattern.words) == 1:
        return _stands_alone(pieces, start, end)
    if first.value == "one" and (before in _PRONOUN_BEFORE_ONE or after in {"of", "more"}):
        return False
    if not (len(pattern.words) == 1 and _is_number(pattern.words[0])):
        return True
    if _is_one_of_two_numbers(pieces, start, end):
        return False
    left, right = text[max(0, first.start - 2) : first.start], text[last.end : last.end + 2]
    joined_left = len(left) == 2 and left[0].isdigit() and left[1] in "-.,:/–"
    joined_right = bool(right) and (right[0] == "%" or (right[0].isascii() and right[0].isalpha() and right != "s"))
    return not (joined_left or joined_right or (len(right) == 2 and right[0] in "-.,:/–" and right[1].isdigit()))


def _is_one_of_two_numbers(pieces: list[Token], start: int, end: int) -> bool:
    """Tell whether "or" or "to" ties the number to another one."""
    before = [piece.value for piece in pieces[max(0, start - 2) : start]]
    after = [piece.value for piece in pieces[end : end + 2]]
    tied_before = len(before) == 2 and before[1] in _TIES and _is_number(canonical(before[0]))
    return tied_before or (len(after) == 2 and after[0] in _TIES and _is_number(canonical(after[1])))


def _stands_alone(pieces: list[Token], start: int, end: int) -> bool:
    """Tell whether a word such as ``no`` is an answer by itself, not a part of a sentence."""
    before_ok = not start or pieces[start - 1].kind is not Kind.WORD or pieces[start - 1].value in _ANSWER_IS
    return before_ok and (end >= len(pieces) or pieces[end].kind not in {Kind.WORD, Kind.TEXT})


def _is_number(word: str) -> bool:
    return word.lstrip("-")[:1].isdecimal()


def _loose_keys(options: Mapping[str, str]) -> dict[str, frozenset[tuple[str, bool]]]:
    """Return for each option the keys of its words, each with whether it is a verb; none for options that would mix."""
    keys = {}
    for letter, option in options.items():
        words = [p.value for p in split(tidy(option)) if p.kind is Kind.WORD and p.value not in _STOPWORDS]
        if words and not is_single_letter(option) and not any(_is_number(canonical(word)) for word in words):
            keys[letter] = frozenset((_key(word, is_verb_form(word)), is_verb_form(word)) for word in words)
    counts = list(keys.values())
    return {letter: key for letter, key in keys.items() if counts.count(key) == 1}


def _key(word: str, as_verb: bool) -> str:
    return verb_key(word) if as_verb else noun_key(word)


def _clauses(tokens: list[Token]) -> Iterator[list[Token]]:
    clause: list[Token] = []
    for token in tokens:
        clause.append(token)
        if token.kind in _CLAUSE_ENDS:
            yield clause
            clause = []
    yield clause


def _mark_clause(clause: list[Token], wanted: Mapping[str, frozenset[tuple[str, bool]]]) -> list[Token]:
    """Turn the last word of each loosely named option into a ``LOOSE`` token, its other words into glue."""
    found: dict[tuple[str, bool], int] = {}
    for index, token in enumerate(clause):
        if token.kind in {Kind.WORD, Kind.GLUE, Kind.BE}:
            found[(verb_key(token.value), True)] = index
            found[(noun_key(token.value), False)] = index
    hits = {letter: keys for letter, keys in wanted.items() if keys <= found.keys()}
    marked = list(clause)
    for letter, keys in hits.items():
        if any(keys < others for others in hits.values()):
            continue
        places = sorted(found[key] for key in keys)
        for place in places:
            marked[place] = clause[place]._replace(kind=Kind.GLUE)
        marked[places[-1]] = clause[places[-1]]._replace(kind=Kind.LOOSE, value=letter)
    return marked
