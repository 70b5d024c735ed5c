"""The letter rule of AIR-Bench's released ``score_foundation.py``, oddities included.

"Because" counts as B and "The answer is B" as a failure. That is how the published numbers were made.
"""

from __future__ import annotations

from airbench_edge.benchmark.items import LETTERS
from airbench_edge.benchmark.letters.reading import LetterReading


def official_letter(response: str | None) -> LetterReading:
    """Read a letter as the released script does: the first character, else the last but one, upper case only.

    Args:
        response: The raw response. The script stops with an error on null; here it is undecided like an empty one.

    Returns:
        The letter, even one that the item does not offer: the script counts such a letter as a wrong answer.
    """
    text = (response or "").strip().replace("\n", "")
    if not text or text == "None":
        return LetterReading(None, "empty")
    if text[0] in LETTERS:
        return LetterReading(text[0], "first_character")
    if len(text) > 1 and text[-2] in LETTERS:
        return LetterReading(text[-2], "second_to_last_character")
    return LetterReading(None, "no_letter")
