"""One window of 30 seconds, decoded greedily.

Source: ``DecodingTask`` in openai/whisper, ``whisper/decoding.py``: at temperature 0, without beams, with timestamps.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from airbench_edge.audiolm.whisper.folder import Tokens
from airbench_edge.audiolm.whisper.graphs import Logits, Sounding
from airbench_edge.audiolm.whisper.rules import allowed_log_probabilities, log_softmax

MAX_TOKENS = 224  # half of the text context: ``sample_len`` of openai/whisper


class Opening(NamedTuple):
    """What the first look at a window tells.

    Attributes:
        language: Token of the likeliest language; None for a model of English only.
        probability: Its share among the languages.
        no_speech: Probability that nobody speaks.
        logits: Logits of the token after the one that begins a window, [vocabulary].
    """

    language: int | None
    probability: float
    no_speech: float
    logits: Logits


class Decoded(NamedTuple):
    """What was heard in a window.

    Attributes:
        tokens: Text and timestamps, without those that begin and end the window.
        average: Mean log-probability of the tokens, the end counted.
    """

    tokens: list[int]
    average: float


def open_window(window: Sounding, tokens: Tokens) -> Opening:
    """Feed the token that begins a window: its logits name language and silence (``detect_language``)."""
    logits = window.feed([tokens.decoder_start_token_id])[0]
    no_speech = float(np.exp(log_softmax(logits)[tokens.no_speech]))
    if not tokens.is_multilingual:
        return Opening(None, 1.0, no_speech, logits)
    ids = list(tokens.lang_to_id.values())
    shares = np.exp(log_softmax(logits[ids]))
    best = int(shares.argmax())
    return Opening(ids[best], float(shares[best]), no_speech, logits)


def decode_window(window: Sounding, opening: Opening, language: int | None, tokens: Tokens) -> Decoded:
    """Decode a window that was opened.

    Args:
        window: The window, fed with the token that begins it.
        opening: What that told.
        language: Token of the language to write in; None for a model of English only.
        tokens: What the model says of its tokens.
    """
    logits = opening.logits if language is None else window.feed([language, tokens.task_to_id["transcribe"]])[-1]
    made: list[int] = []
    total = 0.0
    for _ in range(MAX_TOKENS):
        logprobs = allowed_log_probabilities(logits, made, tokens)
        token = int(logprobs.argmax())
        total += float(logprobs[token])
        if token == tokens.eos_token_id:
            break
        made.append(token)
        logits = window.feed([token])[-1]
    return Decoded(made, total / (len(made) + 1))
