"""What a letter rule returns."""

from __future__ import annotations

from typing import NamedTuple


class LetterReading(NamedTuple):
    """The letter that a response chose.

    Attributes:
        letter: Letter of an option, or None where the response is undecided.
        how: Short stable name of the rule that found the letter, or of the reason why there is none.

    The strict rule finds a letter by ``whole_letter``, ``whole_text`` (nothing else was said), ``leading_letter``,
    ``final_letter``, ``stated_letter``, ``named_letter``, ``stated_text``, ``text_in_sentence``, ``words_of_text``,
    ``only_candidate`` ("it could be B") or ``only_one_left`` (all others are rejected), and finds none because of
    ``empty``, ``only_thinking``, ``refusal``, ``several_letters``, ``several_texts``, ``left_open`` ("A or B"),
    ``letter_against_text``, ``letter_or_text`` (an option's text is the letter of another), ``beyond_options``,
    ``taken_back``, ``rejected_only``, ``lists_all`` or ``no_option_named``. The official rule says
    ``first_character``, ``second_to_last_character``, ``empty`` or ``no_letter``.
    """

    letter: str | None
    how: str
