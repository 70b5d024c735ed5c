"""Which single letters of a response name an option, and which are articles, notes, grades, initials."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from airbench_edge.benchmark.letters.option_texts import is_single_letter
from airbench_edge.benchmark.letters.tokens import Token
from airbench_edge.benchmark.letters.vocabulary import NOUNS, Kind

LETTER_OR_TEXT: Final = "?"
"""Value of a letter that is the letter of one option and the whole text of another."""

_BEYOND: Final = "EFGH"
_DELIMITERS: Final = frozenset(".):,-–—([|=;!?]}>\"'\n")
_OPENING, _CLOSING = "([{<\"'“„«「『【", ")]}>\"'”“»」』】"
_NEVER_BEFORE: Final = {Kind.WORD, Kind.THING, Kind.SAY}
_WORDS: Final = {Kind.WORD, Kind.GLUE, Kind.THING, Kind.SAY}
_AFTER_ARTICLE: Final = _WORDS | {
    *(Kind.TEXT, Kind.LOOSE, Kind.RIGHT, Kind.WRONG, Kind.OPTION),
    *(Kind.CUE, Kind.FINAL, Kind.LEAN, Kind.MAYBE, Kind.NOT_SO),
}
_ENDS: Final = {None, Kind.STOP, Kind.QUESTION, Kind.COMMA, Kind.LINK, Kind.BECAUSE, Kind.BUT, Kind.OR, Kind.AND}
_VERDICT_VERBS: Final = {"fits", "matches", "stands", "wins", "stimmt", "passt", "подходит"}
_LAST_OF_SPACED_SCRIPTS: Final = 0x058F  # behind Latin, Greek, Cyrillic and Armenian: no articles "A" any more
_BETWEEN_LETTER_AND_NOTE: Final = {Kind.SIGN, Kind.STOP, Kind.LINK, Kind.COMMA}
_CUES: Final = {Kind.CUE, Kind.FINAL, Kind.OPTION}


def resolve(text: str, tokens: list[Token], options: Mapping[str, str]) -> list[Token]:
    """Turn the words that are letters of options into ``LETTER`` tokens.

    Letters up to H that no option has become ``LETTER`` tokens too: a response that chose one is undecided.
    """
    notes = {option.strip().upper(): letter for letter, option in options.items() if is_single_letter(option)}
    resolved = list(tokens)
    for index, token in enumerate(tokens):
        is_letter = token.kind not in {Kind.LETTER, Kind.TEXT} and token.end - token.start == 1
        if is_letter and token.value.upper() in {*options, *_BEYOND}:
            resolved[index] = _Candidate(text, resolved, index, options, notes).resolve()
            if resolved[index].kind is Kind.LETTER and _heads_a_line(resolved, index):
                resolved[index + 1] = resolved[index + 1]._replace(kind=Kind.LINK)
    return resolved


def _heads_a_line(tokens: list[Token], index: int) -> bool:
    """Tell whether a closing bracket sets the letter off from the words behind it, as in ``(B) It barks``."""
    before = next(
        (token.kind for token in reversed(tokens[max(0, index - 2) : index]) if token.kind is not Kind.SIGN), Kind.STOP
    )
    behind = [token.kind for token in tokens[index + 2 : index + 3]]
    closes = index + 1 < len(tokens) and tokens[index + 1].value in {")", "]"}
    return closes and before is Kind.STOP and behind[:1] in ([Kind.WORD], [Kind.GLUE], [Kind.CUE])


class _Candidate:
    """One single letter among its neighbours."""

    def __init__(
        self, text: str, tokens: list[Token], index: int, options: Mapping[str, str], notes: Mapping[str, str]
    ) -> None:
        self.tokens, self.index, self.options, self.notes = tokens, index, options, notes
        self.text = text
        self.token = tokens[index]
        self.raw = text[self.token.start]
        self.letter = self.raw.upper()
        self.left = text[max(0, self.token.start - 2) : self.token.start]
        self.right = text[self.token.end : self.token.end + 3]
        self.before = self._kind_before(index)
        following = index + 1
        while following < len(tokens) and tokens[following].kind is Kind.SIGN:
            following += 1
        self.next = tokens[following] if following < len(tokens) else None
        self.after = self.next.kind if self.next else None
        self.bracketed = self.left[-1:] in {*_OPENING} and self.right[:1] in {*_CLOSING}
        self.delimited = not self.right.lstrip(" ") or self.right.lstrip(" ")[:1] in _DELIMITERS

    def resolve(self) -> Token:
        """Return the token that stands for this letter."""
        if self._is_part_of_a_word():
            return self.token
        if self._is_own_note():
            return self._as(Kind.SIGN)
        if self._belongs_to_a_thing():
            return self._as(Kind.TEXT, self.notes[self.letter]) if self.letter in self.notes else self._as(Kind.WORD)
        if not (self._is_capital_letter_of_option() if self.raw.isupper() else self._is_small_letter_of_option()):
            return self.token
        meant = self.notes.get(self.letter)
        if meant is None or meant == self.letter or self.before is Kind.OPTION or self._has_own_note():
            return self._as(Kind.LETTER, self.letter)
        if self.letter in self.options:
            return self._as(Kind.LETTER, LETTER_OR_TEXT)
        return self._as(Kind.TEXT, meant)

    def _as(self, kind: Kind, value: str = "") -> Token:
        return self.token._replace(kind=kind, value=value or self.token.value)

    def _kind_before(self, index: int) -> Kind | None:
        """Return the kind of the nearest token before ``index`` that carries something, None at the very start."""
        for token in reversed(self.tokens[max(0, index - 8) : index]):
            if token.kind not in {Kind.SIGN, Kind.GLUE}:
                return token.kind
        return None if index <= 8 else Kind.WORD

    def _is_part_of_a_word(self) -> bool:
        """Tell letters of abbreviations and compounds: ``a.m.``, ``B-side``, ``C#``, ``J.B.``."""
        left, right = self.left, self.right
        abbreviated = right[:1] == "." and right[1:2].isalpha() and right[2:3] in {".", " ", ""}
        compound = right[:1] == "-" and right[1:2].isalpha() and self.after is not Kind.TEXT
        behind = len(left) == 2 and left[1] in ".-_" and left[0].isalnum()
        return (
            abbreviated or compound or behind or left[-1:] in {"°", "#", "♯"} or right[:1] in {"#", "♯", "♭", "°", "+"}
        )

    def _belongs_to_a_thing(self) -> bool:
        """Tell letters that a noun claims: ``key of C``, ``vitamin D``, ``the note is D``, ``A minor``, ``says A``."""
        if self.after is Kind.THING or self.before in {Kind.THING, Kind.SAY}:
            return not self.bracketed
        if self.index and self.tokens[self.index - 1].value in NOUNS and self.left[-1:] == " ":
            return not self.bracketed
        if self._continues_a_row_of_things():
            return True
        nearby = self.tokens[max(0, self.index - 8) : self.index]
        carrying = [token.kind for token in nearby if token.kind not in {Kind.SIGN, Kind.GLUE}]
        if carrying[-1:] == [Kind.OPTION]:
            return carrying[-2:-1] == [Kind.SAY]
        return carrying[-2:] in ([Kind.THING, Kind.BE], [Kind.THING, Kind.LINK])

    def _continues_a_row_of_things(self) -> bool:
        """Tell the C of "hepatitis B and C"."""
        past = self.tokens[max(0, self.index - 2) : self.index]
        if len(past) < 2 or past[1].kind not in {Kind.AND, Kind.OR, Kind.COMMA}:
            return False
        other = past[0]
        return other.kind is Kind.WORD and other.end - other.start == 1 and self.text[other.start].isupper()

    def _is_capital_letter_of_option(self) -> bool:
        first = self.text[self.next.start] if self.next else ""
        foreign_after = first.isalpha() and ord(first) > _LAST_OF_SPACED_SCRIPTS
        if self.bracketed:
            return True
        if self.before in _NEVER_BEFORE:
            return False
        if foreign_after or self.delimited:
            return True
        if self._another_capital_follows() or self._a_sentence_or_verdict_follows():
            return True
        if self.letter == "A":
            return self.after not in _AFTER_ARTICLE or self.before is Kind.OPTION
        return self.after not in _WORDS or self.before in _CUES

    def _another_capital_follows(self) -> bool:
        """Tell a loop of letters, ``A A A``, from an article."""
        upcoming = self.tokens[self.index + 1 : self.index + 3]
        capitals = [token.end - token.start == 1 and self.text[token.start].isupper() for token in upcoming]
        return capitals[:1] == [True] and (all(capitals) or upcoming[1].kind not in _WORDS)

    def _a_sentence_or_verdict_follows(self) -> bool:
        """Tell ``A The voice ...`` and ``A fits best`` from an article."""
        if self.next is None:
            return False
        new_sentence = self.after not in {Kind.WORD, Kind.TEXT, Kind.LOOSE} and self.text[self.next.start].isupper()
        return new_sentence or (self.after is Kind.RIGHT and self.next.value in _VERDICT_VERBS)

    def _is_small_letter_of_option(self) -> bool:
        if self.bracketed and self.left[-1:] not in {"'"}:
            return True
        if self.before in {None, Kind.STOP} and self.right[:1] and self.right[:1] in ".):":
            return True
        stated = self.before in _CUES or (
            self.before in {Kind.BE, Kind.LINK, Kind.LEAN, Kind.RIGHT} and self._sentence_has_cue()
        )
        after_option = self.before is Kind.OPTION and self.after in {Kind.BE, Kind.RIGHT, Kind.WRONG, Kind.NOT}
        return after_option or (stated and self.after in _ENDS)

    def _sentence_has_cue(self) -> bool:
        for token in reversed(self.tokens[max(0, self.index - 12) : self.index]):
            if token.kind is Kind.STOP:
                return False
            if token.kind in {*_CUES, Kind.RIGHT}:
                return True
        return False

    def _has_own_note(self) -> bool:
        """Tell whether the option's own text, one letter, follows: ``B. A`` where option B is the note A."""
        own = self.options.get(self.letter, "").strip()
        rest = [t for t in self.tokens[self.index + 1 : self.index + 4] if t.kind not in _BETWEEN_LETTER_AND_NOTE]
        return is_single_letter(own) and bool(rest) and rest[0].value.upper() == own.upper()

    def _is_own_note(self) -> bool:
        """Tell whether this is the one-letter text of the option whose letter stands just before."""
        past = [t for t in self.tokens[max(0, self.index - 4) : self.index] if t.kind not in _BETWEEN_LETTER_AND_NOTE]
        return bool(past) and past[-1].kind is Kind.LETTER and self.notes.get(self.letter) == past[-1].value
