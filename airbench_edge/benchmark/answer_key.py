"""Which letters are right: from the texts of the options and ``answer_gt``.

The official key is the text of the right option and must equal it exactly. Where it does not, a careful reader still
recognises a key that differs in case, spacing, a final full stop or the writing of a number, and one that is a letter.
"""

from __future__ import annotations

import re
import unicodedata

import msgspec

from airbench_edge.benchmark.items import LETTERS
from airbench_edge.benchmark.notes import Problem, Unusable

_LETTER = re.compile(r"\W*([A-D])\W*", re.IGNORECASE)
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


class AnswerKey(msgspec.Struct, frozen=True):
    """The right letters, several where the right text stands several times, and what to say about them."""

    letters: tuple[str, ...]
    problem: Problem | None = None


def read_key(options: dict[str, str], answer_gt: str) -> AnswerKey:
    """Find the right letters among the options that exist.

    Raises:
        Unusable: The key is none of the options (``gt_not_in_choices``) or may mean two that differ (``ambiguous_gt``).
    """
    exact = tuple(letter for letter, text in options.items() if text == answer_gt)
    if exact:
        return AnswerKey(exact, _repeated(exact, answer_gt))
    alike = tuple(letter for letter, text in options.items() if _plain(text) == _plain(answer_gt))
    named = _LETTER.fullmatch(answer_gt)
    by_letter = (named[1].upper(),) if named and named[1].upper() in options else ()
    found = tuple(letter for letter in LETTERS if letter in alike + by_letter)
    if not found:
        raise Unusable("gt_not_in_choices", f"answer_gt {answer_gt!r} is none of the options.")
    if len({options[letter] for letter in found}) > 1:
        raise Unusable("ambiguous_gt", f"answer_gt {answer_gt!r} may mean any of {', '.join(found)}.")
    if alike:
        return AnswerKey(found, Problem("gt_spelling", f"answer_gt {answer_gt!r} was taken for {options[found[0]]!r}."))
    return AnswerKey(
        found, Problem("gt_letter", f"answer_gt is a letter ({answer_gt!r}) and was taken for that option.")
    )


def _repeated(letters: tuple[str, ...], text: str) -> Problem | None:
    if len(letters) == 1:
        return None
    return Problem(
        "same_choice_twice", f"The right text {text!r} stands at {' and '.join(letters)}; each counts as right."
    )


def _plain(text: str) -> str:
    words = " ".join(unicodedata.normalize("NFKC", text).casefold().split()).rstrip(". ")
    return str(float(words)) if _NUMBER.fullmatch(words) else words
