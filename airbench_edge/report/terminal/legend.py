"""What the words of the tables mean, of those alone that are there."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from airbench_edge.report.model import ReportModel
from airbench_edge.report.terminal.chat import has_expected
from airbench_edge.report.terminal.console import Room, room_of
from airbench_edge.report.terminal.grids import print_words

_COLOURS = " A strict figure is green above it, red below, yellow where the interval does not tell."
_BAR = " The bar is the strict figure, its notch the chance."


def print_legend(console: Console, model: ReportModel) -> None:
    """Print the words that this report uses."""
    print_words(console, dict(_words(console, model)))


def _words(console: Console, model: ReportModel) -> Iterator[tuple[str, str]]:
    room = room_of(console)
    yield (
        "Official",
        "As the released scripts, digit for digit: what they cannot read leaves numerator and denominator.",
    )
    yield (
        "Strict",
        "A careful reader: every item that was heard counts, and one without a letter counts as not right; "
        "a chat item counts where its verdicts can be read in both orders.",
    )
    yield "95 %", "Interval of Wilson for a task, bootstrap over the items within tasks and groups for a mean."
    if (model.letters and room >= Room.MEDIUM) or (model.judges and room >= Room.WIDE):
        yield "Dropped", "Responses and verdicts that the released scorer cannot read."
    if model.letters:
        yield from _foundation(room, coloured=console.color_system is not None and not console.no_color)
    if model.judges:
        yield from _chat(room, model)


def _foundation(room: Room, *, coloured: bool) -> Iterator[tuple[str, str]]:
    yield "Heard", "Items that reached the audio-LM, and their share of the planned ones."
    yield "Undecided", "Responses in which strict finds no letter."
    yield "Mean", "A task pools its sources, a category is the mean of its tasks, the average that of the categories."
    colours, bar = _COLOURS if coloured else "", _BAR if room >= Room.WIDE else ""
    yield "Chance", f"Guessing among the options that exist.{colours}{bar}"


def _chat(room: Room, model: ReportModel) -> Iterator[tuple[str, str]]:
    yield "Judged", "Items that have scores in both orders, by either of the rules."
    yield (
        "Ref. first",
        "Mean score of the audio-LM where the judge reads the reference answer first; likewise model first.",
    )
    yield "Win rates", "Share of verdicts in which the audio-LM scores strictly higher, in these two orders."
    if room >= Room.MEDIUM:
        yield "Unread", "Verdicts that strict cannot read."
    if any(has_expected(judge.scores) for judge in model.judges):
        yield (
            "Expected",
            "Mean of the scores that the judge expects by its own probabilities, beside those that it wrote.",
        )
    if any(category.name == "mixed" for judge in model.judges for category in judge.scores.categories):
        yield "Mixed", "The mean of its two groups."
