"""Which option a response chose: by the released script's rule, or as a careful reader would say.

The strict rule is a pipeline; each step has its own module: ``cleaning`` (thinking, chat tokens, later turns),
``markup``, ``tokens`` with its table ``vocabulary``, ``option_texts``, ``places``, ``letter_tokens``, ``neighbours``,
``listing``, ``scanner`` (chosen, rejected, left open) and ``decision``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from airbench_edge.benchmark.letters.official import official_letter
from airbench_edge.benchmark.letters.reading import LetterReading
from airbench_edge.benchmark.letters.strict import strict_letter
from airbench_edge.benchmark.rules_name import RulesName

__all__ = ["LetterReading", "official_letter", "read_letter", "strict_letter"]


def read_letter(rules: RulesName, response: str | None, options: Mapping[str, str]) -> LetterReading:
    """Read the letter that a response chose.

    Args:
        rules: Whose rule to follow.
        response: The raw response; None is undecided.
        options: Letter to text of the options that the item offers; the official rule does not look at them.

    Returns:
        The letter or the reason why there is none.
    """
    return official_letter(response) if rules == "official" else _strict(response, tuple(options.items()))


@lru_cache(maxsize=1 << 16)
def _strict(response: str | None, options: tuple[tuple[str, str], ...]) -> LetterReading:
    """Kept, because one command reads a response for the live figures, the report and the page."""
    return strict_letter(response, dict(options))
