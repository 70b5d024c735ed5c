"""Where the figures of a run would stand in the published tables."""

from __future__ import annotations

import msgspec

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.published import Standing, published_column, standing
from airbench_edge.benchmark.scores.chat import ChatScores
from airbench_edge.benchmark.scores.foundation import FoundationScores
from airbench_edge.benchmark.scores.mean import Mean


class Place(msgspec.Struct, frozen=True):
    """The place of one figure in its column.

    Attributes:
        standing: Of the figure itself.
        best: Rank of the upper end of its 95 % interval; None where it has none.
        worst: Rank of the lower end.
    """

    standing: Standing
    best: int | None
    worst: int | None


def foundation_places(scores: FoundationScores) -> dict[str, Place]:
    """Place of each complete category and of the average, by the ``official`` figures in percent."""
    return _places(Track.FOUNDATION, {part.name: part.official for part in (*scores.categories, scores.average)}, 100)


def chat_places(scores: ChatScores) -> dict[str, Place]:
    """Place of each complete category and of the average, by the ``official`` figures."""
    return _places(Track.CHAT, {part.name: part.official for part in (*scores.categories, scores.average)}, 1)


def _places(track: Track, means: dict[str, Mean], unit: float) -> dict[str, Place]:
    places = {}
    for name, mean in means.items():
        if mean.value is not None:
            column, ends = published_column(track, name), mean.interval
            places[name] = Place(
                standing(unit * mean.value, column),
                standing(unit * ends.high, column).rank if ends else None,
                standing(unit * ends.low, column).rank if ends else None,
            )
    return places
