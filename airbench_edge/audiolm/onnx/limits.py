"""When an answer ends, as the configurations say."""

from __future__ import annotations

from airbench_edge.audiolm.onnx.config import Config, GenerationConfig, TextConfig
from airbench_edge.audiolm.onnx.decoding import Limits
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.errors import InputError

_PENALTIES = (0.01, 100.0)  # beyond, float32 logits may overflow


def read_limits(folder: ModelFolder, config: Config, text: TextConfig, vocabulary: int) -> Limits:
    """Stop tokens, from ``generation_config.json`` or else ``config.json``, and repetition penalty.

    Args:
        folder: The model folder.
        config: Its ``config.json``.
        text: What that says of the decoder.
        vocabulary: How many tokens there are.

    Raises:
        InputError: There is no stop token, or one or the penalty is none that can be meant.
    """
    generation = folder.read("generation_config.json", GenerationConfig) or GenerationConfig()
    named = (generation.eos_token_id, config.eos_token_id, text.eos_token_id)
    first = next((ids for ids in named if ids is not None), [])
    stop = [first] if isinstance(first, int) else first
    if not stop:
        raise InputError(f"{folder.path} names no stop token: add eos_token_id to its generation_config.json.")
    if unknown := [token for token in stop if not 0 <= token < vocabulary]:
        raise InputError(
            f"{folder.path} names the stop token {unknown[0]}, and its vocabulary has the tokens 0 to "
            f"{vocabulary - 1}: correct eos_token_id in its generation_config.json or config.json."
        )
    penalty = 1.0 if generation.repetition_penalty is None else generation.repetition_penalty
    if not _PENALTIES[0] <= penalty <= _PENALTIES[1]:
        raise InputError(
            f"{folder.path / 'generation_config.json'}: repetition_penalty must be between {_PENALTIES[0]} and "
            f"{_PENALTIES[1]:.0f}, 1 for none, not {penalty}."
        )
    return Limits(frozenset(stop), penalty)
