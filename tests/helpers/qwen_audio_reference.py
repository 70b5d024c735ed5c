"""Qwen-Audio in plain numpy, straight from the published architecture and the names of its weights.

No cache, no batch, double precision: slow, and nothing in common with what is tested but the definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import erf
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Weights = Mapping[str, Array]


def logits_of_answer(
    weights: Weights, config: Mapping[str, Any], ids: list[int], start: int, mel: Array, new_tokens: int
) -> Array:
    """Logits before each token of the greedy answer, [tokens, vocabulary].

    Args:
        weights: As in the checkpoint.
        config: Its ``config.json``.
        ids: Prompt, with the tags of the sound and what stands between them.
        start: Where the first tag is.
        mel: Log-mel up to the end of the sound, [bins, frames].
        new_tokens: Tokens of the answer.
    """
    states = weights["transformer.wte.weight"][ids]
    sound = encode(weights, config["audio"], mel)
    states[start : start + len(sound)] = sound
    rows = []
    for _ in range(new_tokens):
        rows.append(_decode(weights, config, states)[-1] @ weights["lm_head.weight"].T)
        states = np.vstack([states, weights["transformer.wte.weight"][rows[-1].argmax()]])
    return np.array(rows)


def encode(weights: Weights, audio: Mapping[str, Any], mel: Array) -> Array:
    """The embeddings in place of the tags and those of the sound between them, [positions + 2, width]."""
    part = {name.removeprefix("transformer.audio."): value for name, value in weights.items() if ".audio." in name}
    states = _gelu(_convolve(_gelu(_convolve(mel, part, "conv1", 1)), part, "conv2", 2)).T
    states = states + part["positional_embedding"][: len(states)]
    for layer in range(audio["n_layer"]):
        block = {name.removeprefix(f"blocks.{layer}."): value for name, value in part.items()}
        normed = _layer_norm(states, block, "attn_ln")
        query, key, value = (_linear(normed, block, f"attn.{name}") for name in ("query", "key", "value"))
        mixed = _attend(query, key, value, audio["n_head"], causal=False)
        states = states + _linear(mixed, block, "attn.out")
        inner = _gelu(_linear(_layer_norm(states, block, "mlp_ln"), block, "mlp.0"))
        states = states + _linear(inner, block, "mlp.2")
    pairs = len(states) // 2
    halved = states[: 2 * pairs].reshape(pairs, 2, -1).mean(1)
    begin, end = part["audio_bos_eos_token.weight"]
    return np.vstack([begin, _linear(_layer_norm(halved, part, "ln_post"), part, "proj"), end])


def _decode(weights: Weights, config: Mapping[str, Any], states: Array) -> Array:
    heads, width = config["num_attention_heads"], config["hidden_size"]
    for layer in range(config["num_hidden_layers"]):
        block = {name.removeprefix(f"transformer.h.{layer}."): value for name, value in weights.items()}
        mixed = _linear(_rms_norm(states, block["ln_1.weight"], config), block, "attn.c_attn")
        query, key, value = (mixed[:, at : at + width] for at in (0, width, 2 * width))
        query, key = (_rotate(part, heads, config["rotary_emb_base"]) for part in (query, key))
        states = states + _linear(_attend(query, key, value, heads, causal=True), block, "attn.c_proj")
        normed = _rms_norm(states, block["ln_2.weight"], config)
        gate = _linear(normed, block, "mlp.w2")
        states = states + _linear(_linear(normed, block, "mlp.w1") * gate / (1 + np.exp(-gate)), block, "mlp.c_proj")
    return _rms_norm(states, weights["transformer.ln_f.weight"], config)


def _attend(query: Array, key: Array, value: Array, heads: int, *, causal: bool) -> Array:
    size = query.shape[1] // heads
    mixed = np.empty_like(query)
    for head in range(heads):
        part = slice(head * size, (head + 1) * size)
        scores = query[:, part] @ key[:, part].T / np.sqrt(size)
        if causal:
            scores[np.triu_indices(len(scores), 1)] = -np.inf
        shares = np.exp(scores - scores.max(1, keepdims=True))
        mixed[:, part] = shares / shares.sum(1, keepdims=True) @ value[:, part]
    return mixed


def _rotate(states: Array, heads: int, base: float) -> Array:
    """Turn the pairs (i, i + half) of each head by position times base^(-2 i / size)."""
    split = states.reshape(len(states), heads, 2, -1)
    half = split.shape[-1]
    angles = np.arange(len(states))[:, None] * base ** (-np.arange(half) / half)
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    first, second = split[:, :, 0], split[:, :, 1]
    turned = np.stack([first * cosine - second * sine, second * cosine + first * sine], 2)
    return turned.reshape(states.shape)


def _convolve(states: Array, weights: Weights, name: str, stride: int) -> Array:
    padded = np.pad(states, ((0, 0), (1, 1)))
    places = range(0, states.shape[1], stride)
    columns = [np.tensordot(weights[f"{name}.weight"], padded[:, at : at + 3], 2) for at in places]
    made: Array = np.array(columns).T + weights[f"{name}.bias"][:, None]
    return made


def _linear(states: Array, weights: Weights, name: str) -> Array:
    made: Array = states @ weights[f"{name}.weight"].T
    return made + weights[f"{name}.bias"] if f"{name}.bias" in weights else made


def _layer_norm(states: Array, weights: Weights, name: str) -> Array:
    centred = states - states.mean(1, keepdims=True)
    normed: Array = centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5)
    return normed * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def _rms_norm(states: Array, weight: Array, config: Mapping[str, Any]) -> Array:
    normed: Array = states / np.sqrt((states**2).mean(1, keepdims=True) + config["layer_norm_epsilon"])
    return normed * weight


def _gelu(states: Array) -> Array:
    shares: Array = np.vectorize(erf)(states / np.sqrt(2))
    return 0.5 * states * (1 + shares)
