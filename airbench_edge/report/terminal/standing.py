"""The published tables in the terminal, with the model of the run in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rich.console import Console

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.published import AVERAGE, CHAT_TABLE, FOUNDATION_TABLE
from airbench_edge.benchmark.tasks import CHAT_CATEGORIES, FOUNDATION_CATEGORIES
from airbench_edge.report.standing import Place
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import heading, literal, print_remarks, room_of
from airbench_edge.report.terminal.figures import NONE

REMARKS = {
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
    rank = f", place {rank_words(average)}" if average else ""
    heading(console, "Among the published results", f"{track}, official rules{rank}")
    columns = FOUNDATION_CATEGORIES if track is Track.FOUNDATION else CHAT_CATEGORIES
    shown = f"{{:.{1 if track is Track.FOUNDATION else 2}f}}".format
    rows = [Row(line, "bold cyan" if line.own else "") for line in ranked(track, model, figures)]
    console.print(table(_columns(columns, shown), rows, room_of(console)))
    by_column = ", ".join(f"{column} {rank_words(place)}" for column, place in places.items())
    print_remarks(console, [f"Place by column, and the places that its interval allows: {by_column}.", REMARKS[track]])


def rank_words(place: Place) -> str:
    """``2 of 9``, with the range of places that the interval allows."""
    rank = f"{place.standing.rank} of {place.standing.of}"
    return rank if place.best == place.worst else f"{rank} ({place.best} to {place.worst})"


class Ranked(NamedTuple):
    """A line of the table: the figures that it shows and the average by which it is ranked."""

    name: str
    figures: Mapping[str, float | None]
    average: float | None
    own: bool = False


def _columns(categories: tuple[str, ...], shown: Callable[[float], str]) -> list[Column[Ranked]]:
    def figure(name: str) -> Callable[[Ranked], str]:
        return lambda place: NONE if (value := place.figures.get(name)) is None else shown(value)

    names = [Column[Ranked](name.capitalize(), figure(name)) for name in (*categories, AVERAGE)]
    return [Column[Ranked]("Model", lambda place: f"{'▸' if place.own else ' '} {place.name}", justify="left"), *names]


def ranked(track: Track, model: str, figures: Mapping[str, float | None]) -> list[Ranked]:
    """Best first, models without an average last; a tie leaves the model of the run above, as its rank says."""
    own = Ranked(literal(model), figures, figures.get(AVERAGE), own=True)
    published = [
        Ranked(row.model, {**row.categories, AVERAGE: row.printed_average}, row.average)
        for row in (FOUNDATION_TABLE if track is Track.FOUNDATION else CHAT_TABLE)
    ]
    return sorted([own, *published], key=lambda line: (line.average is None, -(line.average or 0.0)))
