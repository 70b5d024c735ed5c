"""Share of right answers in a set of foundation items, under both rules."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from airbench_edge.benchmark.scores.bounds import Bounds
from airbench_edge.benchmark.scores.marks import Mark
from airbench_edge.benchmark.scores.mean import Cell
from airbench_edge.statistics.bootstrap import share_draws
from airbench_edge.statistics.interval import Interval
from airbench_edge.statistics.wilson import wilson


class Accuracy(msgspec.Struct, frozen=True):
    """Right answers out of those that a rule counts.

    Attributes:
        right: Right answers.
        n: The denominator. ``official``: responses with a letter. ``strict``: items that reached the audio-LM.
        undecided: Responses without a letter, empty ones included. ``official`` drops them, ``strict`` counts them as
            not right.
        value: ``right / n``; None where n is 0.
        interval: 95 % interval of Wilson.
    """

    right: int
    n: int
    undecided: int
    value: float | None
    interval: Interval | None

    def cell(self, random: np.random.Generator) -> Cell | None:
        """The share as part of a mean."""
        return None if self.value is None else Cell(self.value, share_draws(self.right, self.n, random))


def official_accuracy(marks: Sequence[Mark]) -> Accuracy:
    """``score_foundation.py``: an unreadable response leaves numerator and denominator."""
    letters = sum(mark.official.letter is not None for mark in marks)
    return _accuracy(sum(mark.official_right for mark in marks), letters, _answered(marks) - letters)


def strict_accuracy(marks: Sequence[Mark]) -> Accuracy:
    """Every item that reached the audio-LM counts, whatever came back."""
    letters = sum(mark.strict.letter is not None for mark in marks)
    right = sum(mark.strict_right for mark in marks)
    return _accuracy(right, sum(mark.heard for mark in marks), _answered(marks) - letters)


def accuracy_bounds(marks: Sequence[Mark]) -> Bounds:
    """Bounds of ``strict``: every item without a letter, for whatever reason, is wrong, or is right."""
    right = sum(mark.strict_right for mark in marks)
    undecided = sum(mark.strict.letter is None for mark in marks)
    return Bounds(right / len(marks), (right + undecided) / len(marks))


def chance(marks: Sequence[Mark]) -> float:
    """Expected share of right answers of someone who picks one of the real options at random."""
    return sum(len(mark.item.accepted) / len(mark.item.options) for mark in marks) / len(marks)


def _answered(marks: Sequence[Mark]) -> int:
    return sum(mark.response is not None and mark.response.text is not None for mark in marks)


def _accuracy(right: int, n: int, undecided: int) -> Accuracy:
    return Accuracy(right, n, undecided, right / n if n else None, wilson(right, n) if n else None)
