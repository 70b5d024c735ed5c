"""Two judges side by side in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.text import Text

from airbench_edge.report.agreement import AgreementModel
from airbench_edge.report.agreement.model import Apart, Part, Preference, Rank, Reading
from airbench_edge.report.terminal.columns import Column, Row, table
from airbench_edge.report.terminal.console import Room, heading, literal, print_remarks, printing, room_of
from airbench_edge.report.terminal.figures import NONE, number, percent, plural, score
from airbench_edge.report.terminal.grids import print_facts, print_words
from airbench_edge.report.terminal.judge_facts import health_fact, judge_fact
from airbench_edge.statistics.interval import Interval

_TERMINAL_ANSWERS = 5
"""Answers shown where the judges differ; --json has them all."""

READING_TITLES = {"integers": "By the integers", "expected": "By expected scores, where a judge has them"}
"""What each reading is called."""

WORDS = {
    "First, Second": "Mean scores over these answers. Mixed pools its two groups; a report takes their mean.",
    "Change": "Second minus first judge, in points, with Student's interval over items.",
    "ρ, τ": "Rank correlations of Spearman and Kendall (tau-b) of the scores of single answers.",
    "κ": "Quadratic-weighted kappa of Cohen over single verdicts: 0 is what their habits alone would give.",
    "Same, ±1": "Single verdicts in which both give the same score, or one that differs by at most one point.",
    "Prefer": "Answers of which both say alike that they beat the reference, equal it or fall behind it.",
    "Runs": "The same of two runs' answers to one item.",
    "Limits": "Bland and Altman: 95 % of the differences of single answers are expected between these.",
    "First +": "Points that an answer gains by standing first, by either judge.",
}
"""What the columns mean."""


def print_agreement(model: AgreementModel, file: TextIO) -> None:
    """Print how far two judges agree, and where they do not; nothing but answers is left out anywhere."""
    with printing(file) as console:
        _print_head(console, model)
        for reading in model.readings:
            _print_reading(console, reading, len(model.runs) > 1)
        _print_furthest(console, model)
        print_words(console, WORDS)


def _print_head(console: Console, model: AgreementModel) -> None:
    answers = model.readings[0].parts[-1].agreement.n
    heading(console, "Agreement of judges", f"{plural(answers, 'answer')} that both have scored in both orders")
    print_facts(console, _facts(console, model))


def _facts(console: Console, model: AgreementModel) -> Iterator[tuple[str, str | Text]]:
    for name, side in (("First", model.first), ("Second", model.second)):
        yield name, judge_fact(console, side.judge)
        yield "", health_fact(side.judge, side.health)
        if side.only:
            yield "", Text(f"{plural(side.only, 'more answer')} scored by this judge alone are left out.", "dim")
    yield "Runs", ", ".join(literal(run) for run in model.runs)


def _print_reading(console: Console, reading: Reading, several: bool) -> None:
    heading(console, READING_TITLES[reading.scores])
    rows = [Row(part, "bold" if part is reading.parts[-1] else "") for part in reading.parts]
    console.print(table(agreement_columns(several), rows, room_of(console)))
    if reading.ranks:
        console.print()
        console.print(table(RANKS, [Row(rank, _moved(rank)) for rank in reading.ranks], room_of(console)))


def agreement_columns(several: bool) -> list[Column[Part]]:
    """Columns of the table of categories; with several runs one more."""
    columns = [
        Column[Part]("Category", lambda part: part.name.capitalize(), justify="left"),
        Column[Part]("Answers", lambda part: number(part.agreement.n)),
        Column[Part]("First", lambda part: score(part.first)),
        Column[Part]("Second", lambda part: score(part.second)),
        Column[Part]("Change", lambda part: _signed(part.difference.value)),
        Column[Part]("95 %", lambda part: _ends(part.difference.interval), Room.MEDIUM),
        Column[Part]("ρ", lambda part: score(part.agreement.spearman)),
        Column[Part]("τ", lambda part: score(part.agreement.kendall), Room.MEDIUM),
        Column[Part]("κ", lambda part: score(part.agreement.kappa)),
        Column[Part]("Same\n%", lambda part: percent(part.agreement.exact)),
        Column[Part]("±1\n%", lambda part: percent(part.agreement.within_one)),
        Column[Part]("Prefer\n%", lambda part: _preferred(part.against_reference)),
    ]
    if several:
        columns.append(Column[Part]("Runs\n%", lambda part: _preferred(part.between_runs)))
    return [
        *columns,
        Column[Part]("Limits", lambda part: _ends(part.agreement.limits), Room.WIDE),
        Column[Part]("First +", lambda part: f"{_signed(part.first_bias)} {_signed(part.second_bias)}", Room.HUGE),
    ]


RANKS = (
    Column[Rank]("Run", lambda rank: literal(rank.run), justify="left"),
    Column[Rank]("First", lambda rank: score(rank.first)),
    Column[Rank]("Place", lambda rank: str(rank.first_rank)),
    Column[Rank]("Second", lambda rank: score(rank.second)),
    Column[Rank]("Place", lambda rank: str(rank.second_rank)),
)
"""Columns of the table of runs."""


def _moved(rank: Rank) -> str:
    return "" if rank.first_rank == rank.second_rank else "yellow"


def _signed(value: float | None) -> str:
    return NONE if value is None else f"{value:+z.2f}"


def _ends(interval: Interval | None) -> str:
    return NONE if interval is None else f"{interval.low:+z.2f} to {interval.high:+z.2f}"


def _preferred(preference: Preference) -> str:
    return percent(preference.same)


def _print_furthest(console: Console, model: AgreementModel) -> None:
    if not model.furthest:
        console.print()
        console.print("No answer was scored otherwise.", style="dim")
        return
    heading(console, "Where they differ most", "scores with the reference first and with the model first")
    for apart in model.furthest[:_TERMINAL_ANSWERS]:
        console.print(Text(f"{literal(apart.task)} {literal(str(apart.uniq_id))}   {_scores(apart)}", "bold"))
        for name, text in (("Question", apart.question), ("Reference", apart.reference), ("Answer", apart.response)):
            console.print(Text.assemble((f"  {name:<10}", "dim"), literal(text)))
    if rest := model.furthest[_TERMINAL_ANSWERS:]:
        print_remarks(console, [f"{plural(len(rest), 'more answer')} scored otherwise: --json has them all."])


def _scores(apart: Apart) -> str:
    sides = (" ".join(f"{value:g}" for value in side) for side in (apart.first, apart.second))
    return f"{' → '.join(sides)}   {apart.difference:+z.1f}"
