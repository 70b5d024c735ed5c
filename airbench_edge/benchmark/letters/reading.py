"""What a letter rule returns."""

from __future__ import annotations

from typing import NamedTuple


class LetterReading(NamedTuple):
    """The letter that a response chose.

    Attributes:
        letter: Letter of an option, or None where the response is undecided.
        how: Short stable name of the rule that found the letter, or of the reason why there is none.
    """

    letter: str | None
    how: str
