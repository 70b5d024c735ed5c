"""An API judge as the settings of a command want it."""

from __future__ import annotations

from airbench_edge.errors import InputError
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.judges.openai.budget import Budget
from airbench_edge.judges.openai.cache import ReplyCache
from airbench_edge.judges.openai.judge import OpenAIJudge
from airbench_edge.judges.openai.pending import PendingBatches
from airbench_edge.judges.prices import price_of
from airbench_edge.user_cache import cache_folder


def api_judge(model: str, settings: JudgeSettings) -> OpenAIJudge:
    """Open the judge; prices and the cache of OpenAI itself hold for its own server only.

    Raises:
        InputError: A setting cannot be used, or a cap is set and the price is not known.
    """
    if not model.isprintable():
        raise InputError(f"--judge openai:{model!r} is no model name: give it as the server knows it.")
    budget = None
    if settings.max_cost is not None:
        budget = Budget(settings.max_cost, price_of(model, settings.prices, built_in=settings.at_openai))
    cached = settings.at_openai if settings.cache is None else settings.cache
    return OpenAIJudge(
        model,
        base_url=settings.address,
        temperature="official" if settings.temperature == "official" else _number(settings.temperature),
        seed=settings.seed,
        reasoning=settings.reasoning,
        concurrency=settings.concurrency,
        longest_wait_s=settings.longest_wait_s,
        budget=budget,
        cache=ReplyCache(cache_folder() / "replies") if cached else None,
        batches=PendingBatches(cache_folder() / "batches") if settings.batch else None,
        prompt=settings.prompt,
    )


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 2.0:
        raise InputError(f"--judge-temperature {text} is neither a number from 0 to 2 nor the word official.")
    return value
