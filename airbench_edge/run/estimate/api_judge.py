"""What a judge behind an API would cost. It is not called."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeRequest
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.judges.prices import BATCH_SHARE, price_of
from airbench_edge.run.estimate.figures import Judging

_CHARACTERS_A_TOKEN = 4
"""OpenAI's rule of thumb for English ("What are tokens and how to count them?"); its tokenizers need the network."""

_FRAME_TOKENS = 8
"""What a chat format puts around one message."""

_REPLY_TOKENS, _MOST_TOKENS = 4, 1024
"""Two numbers, and the cap of the released script, which a model that explains or reasons may use up."""


def estimate_api(model: str, settings: JudgeSettings, requests: Sequence[JudgeRequest]) -> tuple[Judging, str]:
    """Reckon tokens from characters, and their price; gives a sentence too where OpenAI's price is not known.

    Args:
        model: Name as the API knows it.
        settings: Where it is, its prices, and whether it is asked in batches.
        requests: All prompts.

    Raises:
        InputError: The file of prices cannot be used or does not hold the model.
    """
    counts = [-(-len(request.prompt) // _CHARACTERS_A_TOKEN) + _FRAME_TOKENS for request in requests]
    judging = Judging(
        judge=f"openai:{model}",
        requests=len(counts),
        prompt_tokens=sum(counts),
        longest=max(counts, default=0),
        tokenizer=f"{_CHARACTERS_A_TOKEN} characters a token",
    )
    if not settings.at_openai and settings.prices is None:
        return judging, ""
    try:
        price = price_of(model, settings.prices, built_in=settings.at_openai)
    except InputError as error:
        if settings.prices is not None:
            raise
        return judging, str(error)
    share = BATCH_SHARE if settings.batch else 1.0
    priced = msgspec.structs.replace(
        judging,
        usd=share * price.of(sum(counts), len(counts) * _REPLY_TOKENS),
        usd_most=share * price.of(sum(counts), len(counts) * _MOST_TOKENS),
        price_as_of=price.as_of,
    )
    return priced, ""
