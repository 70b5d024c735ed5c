"""Which tokens Whisper may write next.

Source: ``SuppressBlank``, ``SuppressTokens`` and ``ApplyTimestampRules`` in openai/whisper, ``whisper/decoding.py``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from airbench_edge.audiolm.whisper.folder import Tokens

Logits = npt.NDArray[np.float32]


def log_softmax(logits: Logits) -> Logits:
    """Log-probabilities, same shape; a token that is ruled out stays at minus infinity."""
    shifted = logits - logits.max()
    logprobs: Logits = shifted - np.log(np.exp(shifted).sum())
    return logprobs


def allowed_log_probabilities(logits: Logits, made: Sequence[int], tokens: Tokens) -> Logits:
    """Log-probabilities of the next token, minus infinity for what the rules forbid, [vocabulary].

    A window begins with a timestamp not later than ``max_initial_timestamp_index``; timestamps come in pairs, end of a
    piece and begin of the next, and never go back; the text ends after a single timestamp or a pair. Where all
    timestamps together are likelier than any one text token, a timestamp it is.

    Args:
        logits: Logits of the next token, [vocabulary]; left as they are.
        made: Tokens of this window so far, without those that begin it.
        tokens: What the model says of its tokens.
    """
    first, end = tokens.first_timestamp, tokens.eos_token_id
    logits = logits.copy()
    logits[tokens.suppress_tokens] = -np.inf
    logits[tokens.no_timestamps_token_id] = -np.inf
    if not made:
        logits[tokens.begin_suppress_tokens] = -np.inf
        logits[:first] = -np.inf
        logits[first + tokens.max_initial_timestamp_index + 1 :] = -np.inf
    else:
        after_timestamp = made[-1] >= first
        after_pair = after_timestamp and (len(made) < 2 or made[-2] >= first)
        if after_pair:
            logits[first:] = -np.inf
        elif after_timestamp:
            logits[:end] = -np.inf
        times = [token for token in made if token >= first]
        if times:
            # A piece that is open may not end where it began.
            logits[first : times[-1] + (0 if after_timestamp and not after_pair else 1)] = -np.inf
    logprobs = log_softmax(logits)
    in_time, in_text = logprobs[first:], logprobs[:first].max()
    if np.isfinite(in_text) and np.log(np.exp(in_time).sum(dtype=np.float64) + 1e-300) > in_text:
        logits[:first] = -np.inf
        return log_softmax(logits)
    return logprobs
