"""How much of a run the scores of a judge cover."""

from __future__ import annotations

from airbench_edge.benchmark.scores.chat_score import ChatScore
from airbench_edge.report.model import ChatReading, ReportModel


def sample_of(model: ReportModel, reading: ChatReading) -> str:
    """``sample of 12 of 80 items`` where the judge was to be asked about a part of the chat items, else nothing."""
    if model.chat is None or reading.planned >= model.chat.planned:
        return ""
    return f"sample of {reading.planned:,} of {model.chat.planned:,} items"


def verdicts_to_come(part: ChatScore) -> int:
    """Verdicts about responses that are there which the judge was to give and has not, for good or ill."""
    given = sum(order.n + order.failed for order in (part.reference_first, part.model_first))
    return max(2 * part.counts.answered - given, 0)
