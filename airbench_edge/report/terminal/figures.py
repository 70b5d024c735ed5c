"""Numbers as they are printed: what rounds to zero has no sign."""

from __future__ import annotations

from collections.abc import Mapping

from airbench_edge.statistics.interval import Interval

NONE = "—"


def percent(share: float | None) -> str:
    """A share in percent without the sign: ``61.2``."""
    return NONE if share is None else f"{100 * share:z.1f}"


def percent_interval(interval: Interval | None) -> str:
    """``59.8–62.6``."""
    return NONE if interval is None else f"{percent(interval.low)}–{percent(interval.high)}"


def score(value: float | None) -> str:
    """A chat score: ``6.93``."""
    return NONE if value is None else f"{value:z.2f}"


def score_interval(interval: Interval | None) -> str:
    """``6.85–7.01``."""
    return NONE if interval is None else f"{score(interval.low)}–{score(interval.high)}"


def number(count: int) -> str:
    """A count with its thousands set apart: ``24,683``."""
    return f"{count:,}"


def coverage(part: int, whole: int) -> str:
    """How much of a whole is there, in percent; ``100`` only where nothing is missing."""
    return "100" if part == whole else f"{min(100 * part / whole, 99.9):.1f}"


def plural(count: int, noun: str) -> str:
    """``1 item``, ``2 items``."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def shares(counts: Mapping[str, int]) -> str:
    """``bare letter 81.2 %, option text 12.0 %``."""
    whole = sum(counts.values())
    return ", ".join(f"{name.replace('_', ' ')} {percent(count / whole)} %" for name, count in counts.items())
