"""What was run, at the head of the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from airbench_edge.benchmark.items import Track
from airbench_edge.report.model import ReportModel, Usage
from airbench_edge.report.terminal.console import literal, short_hashes
from airbench_edge.report.terminal.figures import number, plural


def print_header(console: Console, model: ReportModel) -> None:
    """Print the identity of everything that has a say in the figures."""
    console.print(Text.assemble(("airbench-edge", "bold"), (f" {model.program}", "dim")))
    console.print()
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value, details in identity_lines(model):
        parts = Text(value, "bold"), Text(short_hashes(console, details), "dim")
        grid.add_row(name, Text("  ").join(part for part in parts if part))
    console.print(grid)


def identity_lines(model: ReportModel) -> Iterator[tuple[str, str, str]]:
    """Name, value and details of each line."""
    audiolm, data = model.audiolm, model.data
    yield "Audio-LM", literal(audiolm.name), _identity(audiolm.kind, audiolm.details)
    if model.providers:
        providers = [f"{literal(session)} on {provider}" for session, provider in model.providers.items()]
        yield "Sessions", "", ", ".join(providers)
    counts = f"{number(data.foundation)} foundation and {number(data.chat)} chat items"
    yield "Data set", literal(data.name), f"{counts}, metadata {literal(data.fingerprint)}"
    yield "Selection", "", _selection(model)
    if model.foundation:
        yield "Prompt", "", f"{model.prompt} wording of the foundation prompt"
    for aligner in (letters.aligner for letters in model.letters):
        if aligner:
            yield "Aligner", literal(aligner.name), _identity(aligner.kind, aligner.details)
    for chat in model.judges:
        answered = {
            "answered as": _counted(chat.models),
            "fingerprint": _counted(chat.fingerprints),
            "asked with": _counted(chat.asked_with),
        }
        yield "Judge", literal(chat.judge.name), _identity(chat.judge.kind, {**chat.judge.details, **answered})
        if chat.usage.prompt_tokens:
            yield "Tokens", "", _usage(chat.usage)


def _identity(kind: str, details: Mapping[str, str]) -> str:
    return ", ".join([kind, *(f"{literal(name)} {literal(value)}" for name, value in details.items() if value)])


def _counted(names: Mapping[str, int]) -> str:
    return " and ".join(f"{name} ({plural(count, 'verdict')})" for name, count in names.items())


def _usage(usage: Usage) -> str:
    tokens = f"{number(usage.prompt_tokens)} read and {number(usage.completion_tokens)} written"
    if usage.cost_usd is None:
        return tokens
    return f"{tokens}, {usage.cost_usd:.2f} USD at the list price of {usage.price_as_of}, cache and batches apart"


def _selection(model: ReportModel) -> str:
    selection = model.selection
    planned = sum(counts.planned for counts in (model.foundation, model.chat) if counts)
    parts = [plural(planned, "item"), "both tracks" if len(selection.tracks) == len(Track) else selection.tracks[0]]
    if selection.tasks:
        parts.append(f"tasks {', '.join(map(literal, selection.tasks))}")
    if selection.limit is not None:
        parts.append(f"limit {number(selection.limit)} spread over the folders by seed {selection.seed}")
    return ", ".join(parts)
