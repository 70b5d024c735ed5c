"""The strict letter rule: what a careful human reader would say that a response chose, never a guess."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from airbench_edge.benchmark.letters.cleaning import first_turn, tidy, without_thinking
from airbench_edge.benchmark.letters.decision import decide
from airbench_edge.benchmark.letters.letter_tokens import resolve
from airbench_edge.benchmark.letters.listing import without_listing
from airbench_edge.benchmark.letters.markup import plain
from airbench_edge.benchmark.letters.neighbours import drop_quoted, join_letter_and_text
from airbench_edge.benchmark.letters.option_texts import mark_exact, mark_loose
from airbench_edge.benchmark.letters.places import mark_places
from airbench_edge.benchmark.letters.reading import LetterReading
from airbench_edge.benchmark.letters.scanner import Scanner
from airbench_edge.benchmark.letters.tokens import recognise, split
from airbench_edge.benchmark.letters.vocabulary import Kind
from airbench_edge.benchmark.letters.word_forms import canonical

_INSTRUCTION_END: Final = "you may only choose A or B or C or D"
_ONE_LETTER: Final = re.compile(r"([A-Z])(?:\1{2,})?(?:[\W_]+\1+)*|([a-z])(?:[\W_]+\2)*")
_NOTE_SIGN: Final = re.compile("[A-Za-z][#♯♭+°]")
_LAST_WORD_LOOKALIKE: Final = re.compile(r"(?<![^\W_])[АСΑΒ](?=[\W_]*$)")
_LOOKALIKES: Final = {"А": "A", "С": "C", "Α": "A", "Β": "B"}
_MISSING: Final = {"", "none", "nan", "null", "n/a", "na"}


def strict_letter(response: str | None, options: Mapping[str, str]) -> LetterReading:
    """Read which of exactly these options a response chose.

    Args:
        response: The raw response; None is undecided.
        options: Letter to text of the options that the item offers.

    Returns:
        A letter of ``options``, or an undecided reading with its reason.
    """
    spoken = without_thinking(tidy(response or ""))
    if spoken is None:
        return LetterReading(None, "only_thinking")
    text = plain(first_turn(_without_instruction(spoken)))
    text = _LAST_WORD_LOOKALIKE.sub(lambda letter: _LOOKALIKES[letter.group()], text)
    return _whole(text, options) or _sentences(text, options)


def _without_instruction(text: str) -> str:
    """Drop the line of the official prompt that a response repeats."""
    return "\n".join(line.rpartition(_INSTRUCTION_END)[2] for line in text.split("\n"))


def _whole(text: str, options: Mapping[str, str]) -> LetterReading | None:
    """Read a response that is one letter or one option's text, but for signs around it."""
    solid = [index for index, character in enumerate(text) if character.isalnum()]
    core = text[solid[0] : solid[-1] + 1] if solid else ""
    single = None if _NOTE_SIGN.search(text) else _ONE_LETTER.fullmatch(core)
    letter = core[0].upper() if single else ""
    texts = _letters_of_text(letter or text, options)
    if single and not texts:
        return LetterReading(letter, "whole_letter") if letter in options else LetterReading(None, "beyond_options")
    if texts and (not single or letter in texts or letter not in options):
        return LetterReading(texts[0], "whole_text") if len(texts) == 1 else LetterReading(None, "letter_or_text")
    if single:
        return LetterReading(None, "letter_or_text")
    return LetterReading(None, "empty") if core.lower() in _MISSING else None


def _letters_of_text(text: str, options: Mapping[str, str]) -> list[str]:
    """Return the letters of the options whose text is the same, word for word."""
    words = _words(text.lower())
    return [letter for letter, option in options.items() if words and _words(tidy(option).lower()) == words]


def _words(text: str) -> list[str]:
    return [canonical(piece.value) for piece in split(text) if piece.kind is Kind.WORD or piece.value == "%"]


def _sentences(text: str, options: Mapping[str, str]) -> LetterReading:
    """Read a response sentence by sentence."""
    tokens = recognise(mark_exact(text, split(text), options))
    tokens = mark_places(mark_loose(tokens, options), options)
    tokens = join_letter_and_text(resolve(text, tokens, options))
    tokens, listed = without_listing(drop_quoted(text, tokens), options)
    return decide(Scanner(tokens), options, listed)
