"""What a response says about one option: chosen, rejected or left open, and how firmly."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum, auto
from typing import Final

from airbench_edge.benchmark.letters.vocabulary import Kind

MENTIONS: Final = frozenset({Kind.LETTER, Kind.CLASH, Kind.TEXT, Kind.LOOSE})
"""Kinds of tokens that name an option."""


class Stance(StrEnum):
    """What a sentence says about an option."""

    FOR = auto()
    AGAINST = auto()
    OPEN = auto()
    VOID = auto()  # named without saying anything about it


class Weight(IntEnum):
    """How firmly an option is chosen."""

    NAMED = 1
    STATED = 3
    FINAL = 4


@dataclass(slots=True)
class Mention:
    """One place where a response names an option.

    Attributes:
        kind: By its letter, its exact text, or loosely by the words of its text.
        letter: Letter of the option.
        stance: What is said about it.
        weight: How firmly.
        definite: For rejections: "it is not A", not merely "I do not hear A".
        asserted: For texts: a whole clause says so ("the emotion is sad"), or consists of it.
        label: Stands at the head of a line, as in ``B. dog barking``.
        asked: Named in a question, "Is it B?".
        joined: How it hangs together with the mention before: "and", "or", "comma", or not at all.
    """

    kind: Kind
    letter: str
    stance: Stance
    weight: Weight = Weight.NAMED
    definite: bool = False
    asserted: bool = False
    label: bool = False
    joined: str = ""
    asked: bool = False
