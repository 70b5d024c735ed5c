"""Where the figures of a run would stand in the published tables."""

from __future__ import annotations

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.published import Standing, published_column, standing
from airbench_edge.benchmark.scores.chat import ChatScores
from airbench_edge.benchmark.scores.foundation import FoundationScores


def foundation_standing(scores: FoundationScores) -> dict[str, Standing]:
    """Place of each complete category and of the average, by the ``official`` figures in percent."""
    figures = {part.name: part.official.value for part in (*scores.categories, scores.average)}
    return _standings(Track.FOUNDATION, {name: 100 * value for name, value in figures.items() if value is not None})


def chat_standing(scores: ChatScores) -> dict[str, Standing]:
    """Place of each complete category and of the average, by the ``official`` figures."""
    figures = {part.name: part.official.value for part in (*scores.categories, scores.average)}
    return _standings(Track.CHAT, {name: value for name, value in figures.items() if value is not None})


def _standings(track: Track, figures: dict[str, float]) -> dict[str, Standing]:
    return {name: standing(figure, published_column(track, name)) for name, figure in figures.items()}
