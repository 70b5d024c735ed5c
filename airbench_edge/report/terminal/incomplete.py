"""Why a category or an average has no figure."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from airbench_edge.benchmark.scores.mean import Mean
from airbench_edge.report.terminal.console import literal


def incomplete(
    name: str, parts: str, official: Mean, strict: Mean, figure: Callable[[float | None], str]
) -> Iterator[str]:
    """One sentence for each rule under which a mean is missing, or one for both if they miss the same.

    Args:
        name: What is missing.
        parts: What it is the mean of.
        official: The mean under ``official``.
        strict: The mean under ``strict``.
        figure: How a partial mean is printed.
    """
    if official.missing == strict.missing:
        if official.missing:
            partial = f"{figure(official.partial)} official, {figure(strict.partial)} strict"
            yield _sentence(name, parts, official, partial)
        return
    for rules, mean in (("official", official), ("strict", strict)):
        if mean.missing:
            yield _sentence(f"{name} ({rules})", parts, mean, figure(mean.partial))


def _sentence(name: str, parts: str, mean: Mean, partial: str) -> str:
    sentence = f"{name} has no figure, for want of these {parts}: {', '.join(map(literal, mean.missing))}."
    if mean.partial is None:
        return sentence
    return f"{sentence} The mean of the other {parts} is {partial}: not to be compared with a complete one."
