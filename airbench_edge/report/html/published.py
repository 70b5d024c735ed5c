"""The published table of a track with the model of the run in its place, or the reason why it is not shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.published import AVERAGE
from airbench_edge.benchmark.scores.chat_score import ChatScore
from airbench_edge.benchmark.scores.foundation import FoundationMean
from airbench_edge.benchmark.tasks import CHAT_CATEGORIES, FOUNDATION_CATEGORIES
from airbench_edge.report.html.strip import SCORES, SHARES, Mark
from airbench_edge.report.model import ChatReading, FoundationReading, ReportModel
from airbench_edge.report.standing import Place
from airbench_edge.report.terminal.figures import NONE
from airbench_edge.report.terminal.standing import REMARKS, rank_words, ranked


class PublishedLine(NamedTuple):
    """One model: its figures as printed, and the bar of its average."""

    name: str
    cells: list[str]
    bar: list[Mark]
    own: bool


class PublishedTable(NamedTuple):
    """The table of one track.

    Attributes:
        track: The track.
        source: Aligner or judge of the run's own figures.
        columns: Categories and the average.
        lines: The models, best first; empty where no place can be given.
        places: Column to the place of the run in words.
        remark: What to know about the published figures.
    """

    track: Track
    source: str
    columns: list[str]
    lines: list[PublishedLine]
    places: dict[str, str]
    remark: str


def published_tables(model: ReportModel) -> list[PublishedTable]:
    """A table for each source of letters and each judge; none for a data set that must not be compared."""
    if model.data.synthetic:
        return []
    return [
        *(_foundation(model.audiolm.name, letters) for letters in model.letters),
        *(_chat(model.audiolm.name, judge) for judge in model.judges),
    ]


def _foundation(model: str, reading: FoundationReading) -> PublishedTable:
    figures = _figures((*reading.scores.categories, reading.scores.average), 100)
    source = f"letters by {reading.aligner.name}" if reading.aligner else "letters read from the responses"
    return _table(Track.FOUNDATION, source, model, figures, reading.places)


def _chat(model: str, reading: ChatReading) -> PublishedTable:
    figures = _figures((*reading.scores.categories, reading.scores.average), 1)
    return _table(Track.CHAT, f"judge {reading.judge.name}", model, figures, reading.places)


def _figures(parts: Sequence[FoundationMean | ChatScore], unit: float) -> dict[str, float | None]:
    return {part.name: None if part.official.value is None else unit * part.official.value for part in parts}


def _table(
    track: Track, source: str, model: str, figures: Mapping[str, float | None], places: Mapping[str, Place]
) -> PublishedTable:
    categories, digits = (FOUNDATION_CATEGORIES, 1) if track is Track.FOUNDATION else (CHAT_CATEGORIES, 2)
    columns = [*categories, AVERAGE]
    lines = [
        PublishedLine(
            line.name,
            [NONE if (value := line.figures.get(name)) is None else f"{value:.{digits}f}" for name in columns],
            _bar(track, line.average),
            line.own,
        )
        for line in ranked(track, model, figures)
    ]
    words = {name: rank_words(place) for name, place in places.items()}
    return PublishedTable(track, source, columns, lines if places else [], words, REMARKS[track])


def _bar(track: Track, average: float | None) -> list[Mark]:
    if average is None:
        return []
    scale, value = (SHARES, average / 100) if track is Track.FOUNDATION else (SCORES, average)
    return [Mark("bar", 0, scale.at(value))]
