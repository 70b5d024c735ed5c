"""Tokens of a judge and their price."""

from __future__ import annotations

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.prices import OPENAI_SERVER, Price, price_of
from airbench_edge.report.model import Usage
from airbench_edge.run.folder import Judged


def usage_of(judged: Judged) -> Usage:
    """Add up what the verdicts of one judge took."""
    verdicts = judged.records.values()
    usage = Usage(
        prompt_tokens=sum(verdict.prompt_tokens for verdict in verdicts),
        completion_tokens=sum(verdict.completion_tokens for verdict in verdicts),
        asked_again=sum(verdict.attempts > 1 for verdict in verdicts),
    )
    price = _list_price(judged.identity)
    if price is None:
        return usage
    cost = price.of(usage.prompt_tokens, usage.completion_tokens)
    return Usage(usage.prompt_tokens, usage.completion_tokens, usage.asked_again, cost, price.as_of)


def _list_price(judge: JudgeIdentity) -> Price | None:
    """The price is OpenAI's own; what the same name costs at another server nobody knows."""
    if judge.details.get("server") != OPENAI_SERVER:
        return None
    try:
        return price_of(judge.details.get("model", ""))
    except InputError:
        return None
