"""Greedy decoding: the likeliest token, again and again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from airbench_edge.audiolm.contract import ModelError
from airbench_edge.audiolm.onnx.decoder import Decoder, Embedded, Logits

OVERFLOW = "in float16 that is overflow, choose another --dtype; in float32 the weights are damaged, copy them again"
"""What a result that is no number means, and what to do."""


class Limits(NamedTuple):
    """When an answer ends, and what it may not repeat freely.

    Attributes:
        stop: Token ids that end it.
        repetition_penalty: What the logits of tokens seen before are divided by, or, where negative, multiplied with; 1
            for nothing. Belongs to greedy decoding too where a checkpoint's generation settings name it, and counts the
            tokens of the prompt (Keskar et al. 2019, section 4.1, as transformers applies it).
    """

    stop: frozenset[int]
    repetition_penalty: float = 1.0


def greedy(
    decoder: Decoder, ids: Sequence[int], embeds: Embedded, limits: Limits, max_new_tokens: int
) -> tuple[list[int], str]:
    """Decode one prompt.

    Args:
        decoder: The decoder.
        ids: Token ids of the prompt, for the repetition penalty.
        embeds: Its embeddings, audio features in place.
        limits: Stop tokens and penalty.
        max_new_tokens: Most tokens to make.

    Returns:
        The new tokens without the one that stopped them, and ``stop`` or ``length``.

    Raises:
        ModelError: The decoder computes no finite logits.
    """
    continuation = decoder.begin(len(ids) + max_new_tokens)
    seen = set(ids)
    made: list[int] = []
    while len(made) < max_new_tokens:
        token = _likeliest(continuation.feed(embeds), seen, limits)
        if token in limits.stop:
            return made, "stop"
        made.append(token)
        seen.add(token)
        embeds = decoder.embed([token])
    return made, "length"


class Followed(NamedTuple):
    """What a model would have said at each token of another one.

    Attributes:
        choices: Its own choice there.
        logits: Its logits there, before any penalty, [tokens, vocabulary].
    """

    choices: list[int]
    logits: Logits


def follow(decoder: Decoder, ids: Sequence[int], embeds: Embedded, limits: Limits, tokens: Sequence[int]) -> Followed:
    """Feed given tokens instead of one's own; the first choice that differs is where free answers would part.

    Args:
        decoder: The decoder.
        ids: Token ids of the prompt.
        embeds: Its embeddings, audio features in place.
        limits: Its repetition penalty.
        tokens: Tokens to feed after the prompt.

    Raises:
        ModelError: The decoder computes no finite logits.
    """
    continuation = decoder.begin(len(ids) + len(tokens))
    seen = set(ids)
    choices, rows = [], []
    for token in tokens:
        rows.append(continuation.feed(embeds))
        choices.append(_likeliest(rows[-1], seen, limits))
        seen.add(token)
        embeds = decoder.embed([token])
    return Followed(choices, np.stack(rows))


def _likeliest(logits: Logits, seen: set[int], limits: Limits) -> int:
    scores = penalised(logits, seen, limits.repetition_penalty)
    token = int(np.argmax(scores))  # NaN before any number
    if not np.isfinite(scores[token]):
        raise ModelError(f"the decoder computes NaN or infinity as logits: {OVERFLOW}")
    return token


def penalised(logits: Logits, seen: set[int], penalty: float) -> Logits:
    """Logits after the repetition penalty, see ``Limits``."""
    if penalty == 1.0:
        return logits
    ids = np.fromiter(seen, np.int64, len(seen))
    chosen, factor = logits[ids], np.float32(penalty)
    logits = logits.copy()
    logits[ids] = np.where(chosen < 0, chosen * factor, chosen / factor)
    return logits
