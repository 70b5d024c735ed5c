"""What a run would take, in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from rich.table import Table
from rich.text import Text

from airbench_edge.report.terminal.console import heading, literal, print_remarks, printing
from airbench_edge.report.terminal.figures import number, plural
from airbench_edge.run.estimate import Estimate
from airbench_edge.run.estimate.figures import Answering, Judging


def print_estimate(model: Estimate, file: TextIO) -> None:
    """Print it line by line."""
    with printing(file) as console:
        heading(console, "Estimate", f"airbench-edge {model.program}")
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_column(style="dim", no_wrap=True)
        grid.add_column(overflow="fold")
        for name, value in _lines(model):
            grid.add_row(name, Text(value))
        console.print(grid)
        print_remarks(console, [*map(literal, model.remarks), _basis(model)])


def _lines(model: Estimate) -> Iterator[tuple[str, str]]:
    items = " and ".join(f"{number(count)} {track}" for track, count in model.items.items())
    yield "Data set", f"{literal(model.data.name)}: {items} items"
    if model.sound:
        clips = f"lengths of {plural(model.sound.measured, 'clip')} measured"
        yield "Sound", f"{_hours(model.sound.hours)} in {plural(model.sound.with_clip, 'item')}, {clips}"
    yield "Audio-LM", literal(model.model)
    for part in model.answering:
        yield "", _answering(part)
    for judging in model.judging:
        yield "Judge", literal(judging.judge)
        yield from (("", line) for line in _judging(model, judging))
    total = sum(part.hours for part in model.answering) + sum(judging.hours or 0.0 for judging in model.judging)
    if total:
        yield "Together", f"{_hours(total)} here"


def _answering(part: Answering) -> str:
    between = "" if part.low is None or part.high is None else f", {_hours(part.low)} to {_hours(part.high)}"
    return (
        f"{part.track}: {_hours(part.hours)} here{between} "
        f"({part.seconds:.2f} s an item, {plural(part.measured, 'item')} measured)"
    )


def _judging(model: Estimate, judging: Judging) -> Iterator[str]:
    if judging.prompt_tokens is None:
        yield f"{plural(judging.requests, 'verdict')} are recorded"
        return
    yield (
        f"{plural(judging.requests, 'prompt')}, {number(judging.prompt_tokens)} tokens by {judging.tokenizer}, "
        f"the longest {number(judging.longest or 0)}"
    )
    if judging.memory is not None:
        yield f"about {judging.memory / 2**20:,.0f} MiB of memory"
    if judging.hours is not None:
        yield f"{_hours(judging.hours)} here ({plural(judging.measured, 'prompt')} measured)"
    if judging.usd is not None and judging.usd_most is not None:
        unknown = "" if _is_recorded(model) else ", with responses as long as the reference answers"
        yield (
            f"{judging.usd:.2f} USD if each reply is two numbers, "
            f"up to {judging.usd_most:.2f} USD if each is as long as allowed{unknown}, "
            f"at prices of {literal(judging.price_as_of)}"
        )


def _hours(hours: float) -> str:
    """``2.4 hours``, ``38 minutes`` or ``12 seconds``."""
    if hours >= 1.5:
        return f"{hours:,.1f} hours"
    minutes = round(60 * hours)
    return plural(minutes, "minute") if minutes > 1 else plural(round(3600 * hours), "second")


def _basis(model: Estimate) -> str:
    basis = ["Nothing was written, and no API was called."]
    if model.answering or any(judging.hours is not None for judging in model.judging):
        basis.insert(0, "Hours are for this machine as busy as it was now.")
    if model.judging and not _is_recorded(model):
        known = "the responses of the warm-up and, for the rest, " if model.answering else ""
        basis.insert(0, f"Prompts of judges are made with {known}reference answers in place of responses.")
    return " ".join(basis)


def _is_recorded(model: Estimate) -> bool:
    """Whether all responses are known: only such a model hears nothing."""
    return model.sound is None
