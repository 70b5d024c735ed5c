"""The published tables in the terminal, with the model of the run in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from rich.console import Console

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.published import AVERAGE, CHAT_TABLE, FOUNDATION_TABLE
from airbench_edge.benchmark.tasks import CHAT_CATEGORIES, FOUNDATION_CATEGORIES
from airbench_edge.report.standing import Place
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import heading, literal, print_remarks, room_of
from airbench_edge.report.terminal.figures import NONE

_REMARKS = {
    Track.FOUNDATION: "The published letters were found by a language model from the responses of each model.",
    Track.CHAT: (
        "The published judge is gpt-4-0125-preview; another judge has a scale of its own. "
        "Ranked by the mean of the four figures; the averages printed for NExT-GPT and Macaw-LLM are not that."
    ),
}


def print_standing(
    console: Console, track: Track, model: str, figures: Mapping[str, float | None], places: Mapping[str, Place]
) -> None:
    """Print the published table of a track.

    Args:
        console: Where to.
        track: The track.
        model: Name of the model of the run.
        figures: Its ``official`` figures by column, in the unit of the table.
        places: Its place in each column that it has a figure for; nothing is printed where it has none.
    """
    if not places:
        return
    average = places.get(AVERAGE)
    rank = f", place {_rank(average)}" if average else ""
    heading(console, "Among the published results", f"{track}, official rules{rank}")
    columns = FOUNDATION_CATEGORIES if track is Track.FOUNDATION else CHAT_CATEGORIES
    shown = f"{{:.{1 if track is Track.FOUNDATION else 2}f}}".format
    console.print(table(_columns(columns, shown), _rows(track, literal(model), figures), room_of(console)))
    by_column = ", ".join(f"{column} {_rank(place)}" for column, place in places.items())
    print_remarks(console, [f"Place by column, and the places that its interval allows: {by_column}.", _REMARKS[track]])


def _rank(place: Place) -> str:
    """``2 of 9``, with the range of places that the interval allows."""
    rank = f"{place.standing.rank} of {place.standing.of}"
    return rank if place.best == place.worst else f"{rank} ({place.best} to {place.worst})"


class _Place(NamedTuple):
    """A line of the table: the figures that it shows and the average by which it is ranked."""

    name: str
    figures: Mapping[str, float | None]
    average: float | None
    own: bool = False


def _columns(categories: tuple[str, ...], shown: Callable[[float], str]) -> list[Column[_Place]]:
    def figure(name: str) -> Callable[[_Place], str]:
        return lambda place: NONE if (value := place.figures.get(name)) is None else shown(value)

    names = [Column[_Place](name.capitalize(), figure(name)) for name in (*categories, AVERAGE)]
    return [Column[_Place]("Model", lambda place: f"{'▸' if place.own else ' '} {place.name}", justify="left"), *names]


def _rows(track: Track, model: str, figures: Mapping[str, float | None]) -> Iterator[Row[_Place]]:
    """Best first, models without an average last; a tie leaves the model of the run above, as its rank says."""
    own = _Place(model, figures, figures.get(AVERAGE), own=True)
    published = [
        _Place(row.model, {**row.categories, AVERAGE: row.printed_average}, row.average)
        for row in (FOUNDATION_TABLE if track is Track.FOUNDATION else CHAT_TABLE)
    ]
    for place in sorted([own, *published], key=lambda place: (place.average is None, -(place.average or 0.0))):
        yield Row(place, "bold cyan" if place.own else "")
