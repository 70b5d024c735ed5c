"""A judge from what the user typed after ``--judge``."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import Judge
from airbench_edge.judges.prices import OPENAI_SERVER, price_of
from airbench_edge.judges.recorded import RecordedJudge


class JudgeSettings(msgspec.Struct, frozen=True):
    """How a judge is to be asked; each back end takes what concerns it.

    Attributes:
        base_url: Address of an OpenAI-compatible server.
        temperature: A number, or ``official`` for the released scripts' mixture of 1.0 and 2.0.
        seed: Seed of that mixture.
        concurrency: API requests under way at once.
        free_form: Let a local judge write freely instead of choosing two integers.
        reasoning: ``reasoning_effort`` of an API judge; empty to leave it to the server.
        longest_wait_s: Longest wait in seconds that an API may ask for.
        max_cost: Most USD that each API judge may spend; None for no cap.
        prices: A file of prices beside the built-in ones.
        cache: Whether replies of an API are remembered; None for those of OpenAI itself only, because a name at another
            server may stand for other weights tomorrow.
        batch: Use the Batch API.
    """

    base_url: str | None = None
    temperature: str = "0"
    seed: int = 0
    concurrency: int = 8
    free_form: bool = False
    reasoning: str = ""
    longest_wait_s: float = 600.0
    max_cost: float | None = None
    prices: Path | None = None
    cache: bool | None = None
    batch: bool = False


def open_judge(spec: str, settings: JudgeSettings) -> Judge:
    """Open ``llama:FILE.gguf``, ``openai:MODEL`` or ``recorded:FILE.jsonl``.

    Raises:
        InputError: The spec is of no known kind, or what it names cannot be used.
    """
    kind, colon, target = spec.partition(":")
    if kind == "llama" and target:
        from airbench_edge.judges.llamacpp import LlamaJudge

        return LlamaJudge(Path(target).expanduser(), free_form=settings.free_form)
    if kind == "openai" and target:
        return _api_judge(target, settings)
    if kind == "recorded" and target:
        return RecordedJudge(Path(target).expanduser())
    hint = f" (did you mean llama:{spec}?)" if spec.endswith(".gguf") and not colon else ""
    raise InputError(
        f"--judge {spec} is of no known kind{hint}: give llama:FILE.gguf, openai:MODEL or recorded:FILE.jsonl."
    )


def _api_judge(model: str, settings: JudgeSettings) -> Judge:
    from airbench_edge.judges.openai.budget import Budget
    from airbench_edge.judges.openai.cache import ReplyCache, cache_folder
    from airbench_edge.judges.openai.judge import OpenAIJudge
    from airbench_edge.judges.openai.pending import PendingBatches

    base_url = settings.base_url or os.environ.get("OPENAI_BASE_URL")
    at_openai = base_url is None or urlsplit(base_url).hostname == OPENAI_SERVER
    budget = None
    if settings.max_cost is not None:
        budget = Budget(settings.max_cost, price_of(model, settings.prices, built_in=at_openai))
    cached = at_openai if settings.cache is None else settings.cache
    return OpenAIJudge(
        model,
        base_url=base_url,
        temperature="official" if settings.temperature == "official" else _number(settings.temperature),
        seed=settings.seed,
        reasoning=settings.reasoning,
        concurrency=settings.concurrency,
        longest_wait_s=settings.longest_wait_s,
        budget=budget,
        cache=ReplyCache(cache_folder() / "replies") if cached else None,
        batches=PendingBatches(cache_folder() / "batches") if settings.batch else None,
    )


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 2.0:
        raise InputError(f"--judge-temperature {text} is neither a number from 0 to 2 nor the word official.")
    return value
