"""The page of two judges: how far they agree, drawn and in tables, and the answers on which they do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from airbench_edge.report.agreement import AgreementModel
from airbench_edge.report.agreement.model import Part, Rank, Reading
from airbench_edge.report.health import health_line
from airbench_edge.report.html.bland_altman import HEIGHT, WIDTH, Figure, bland_altman
from airbench_edge.report.html.template import fixed_parts, template
from airbench_edge.report.terminal.agreement import RANKS, READING_TITLES, WORDS, agreement_columns
from airbench_edge.report.terminal.columns import Column

SHOWN = 200
"""Answers on which the judges differ that a page shows; --json has them all."""

Line = TypeVar("Line", Part, Rank)


class Panel(NamedTuple):
    """One kind of scores.

    Attributes:
        title: What they are.
        heads: Headings of the table of categories.
        rows: Its cells, all answers last.
        rank_heads: Headings of the table of runs.
        ranks: Its cells; empty where one run was compared.
        figure: All answers, drawn.
    """

    title: str
    heads: list[str]
    rows: list[list[str]]
    rank_heads: list[str]
    ranks: list[list[str]]
    figure: Figure


def agreement_parts(model: AgreementModel) -> Iterator[str]:
    """Give the page piece by piece."""
    return template("agreement.html").generate(
        **fixed_parts(),
        model=model,
        sides=[(side, health_line(side.judge, side.health)) for side in (model.first, model.second)],
        panels=[_panel(reading, len(model.runs) > 1) for reading in model.readings],
        words=WORDS,
        shown=SHOWN,
        width=WIDTH,
        height=HEIGHT,
    )


def _panel(reading: Reading, several: bool) -> Panel:
    columns = agreement_columns(several)
    return Panel(
        READING_TITLES[reading.scores],
        [column.head for column in columns],
        _cells(columns, reading.parts),
        [column.head for column in RANKS],
        _cells(RANKS, reading.ranks),
        bland_altman(reading),
    )


def _cells(columns: Sequence[Column[Line]], lines: Sequence[Line]) -> list[list[str]]:
    return [[str(column.cell(line)) for column in columns] for line in lines]
