"""What every page that shows a judge's scores says of the judge."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.health.card import HealthCard
from airbench_edge.judges.health.limits import Finding
from airbench_edge.report.health import health_line
from airbench_edge.report.terminal.console import literal, short_hashes

STYLES = {Finding.PASS: "green", Finding.CAUTION: "yellow", Finding.FAIL: "red"}


def judge_fact(console: Console, judge: JudgeIdentity) -> Text:
    """Its name and everything that can change a verdict."""
    details = ", ".join([judge.kind, *(f"{literal(name)} {literal(value)}" for name, value in judge.details.items())])
    return Text("  ").join([Text(literal(judge.name), "bold"), Text(short_hashes(console, details), "dim")])


def health_fact(judge: JudgeIdentity, card: HealthCard | None) -> Text:
    """The line of its health card, coloured by the verdict; red where the prompt is another one."""
    style = STYLES[card.verdict] if card else "dim"
    return Text(health_line(judge, card), style if judge.prompt == "official" else "red")
