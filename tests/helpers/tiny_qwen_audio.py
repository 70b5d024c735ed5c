"""A tiny Qwen-Audio checkpoint with random weights, in the layout of the published ones. Needs torch."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import torch
from helpers.tiny_checkpoint import make_tokenizer
from safetensors.torch import save_file

WINDOW_S = 10
_WIDTH, _LAYERS, _SPECIALS, _BEFORE_TAGS = 64, 2, 208 + 3314, 208 + 3312


def make_checkpoint(folder: Path, seed: int = 0) -> dict[str, torch.Tensor]:
    """Write the checkpoint and return its weights."""
    folder.mkdir(parents=True, exist_ok=True)
    tokens = write_tiktoken(folder / "qwen.tiktoken")
    config = _config(tokens)
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "generation_config.json").write_text('{"chat_format": "chatml", "eos_token_id": 151643}')
    weights = _weights(config, torch.Generator().manual_seed(seed))
    save_file(weights, folder / "model-00001-of-00001.safetensors", {"format": "pt"})
    return weights


def write_tiktoken(file: Path) -> int:
    """Write the bytes and a few words of their joins as tiktoken keeps them; return how many there are."""
    vocabulary = make_tokenizer(320, ()).get_vocab()
    seen = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {chr(byte): byte for byte in seen}
    letters |= {chr(256 + place): byte for place, byte in enumerate(sorted(set(range(256)) - set(seen)))}
    tokens = sorted(vocabulary, key=lambda token: vocabulary[token])
    lines = [base64.b64encode(bytes(letters[letter] for letter in token)).decode() for token in tokens]
    file.write_text("".join(f"{line} {rank}\n" for rank, line in enumerate(lines)), encoding="ascii")
    return len(lines)


def _config(tokens: int) -> dict[str, Any]:
    return {
        "architectures": ["QWenLMHeadModel"],
        "model_type": "qwen",
        "hidden_size": _WIDTH,
        "intermediate_size": 4 * _WIDTH,
        "num_attention_heads": 4,
        "num_hidden_layers": _LAYERS,
        "kv_channels": _WIDTH // 4,
        "layer_norm_epsilon": 1e-3,  # published: 1e-5; here it can be told from the default
        "rotary_emb_base": 500,  # published: 10000, a default as well
        "rotary_pct": 1.0,
        "seq_length": 2048,
        "no_bias": True,
        "use_dynamic_ntk": True,
        "use_logn_attn": True,
        "vocab_size": tokens + _SPECIALS + 6,
        "audio": {
            "n_mels": 80,
            "n_ctx": 50 * WINDOW_S,
            "n_state": _WIDTH,
            "n_head": 2,
            "n_layer": _LAYERS,
            "output_dim": _WIDTH,
            "avg_pool": True,
            "add_audio_bos_eos_token": True,
            "audio_start_id": tokens + _BEFORE_TAGS,
        },
    }


def _weights(config: dict[str, Any], generator: torch.Generator) -> dict[str, torch.Tensor]:
    wide, vocabulary = 2 * _WIDTH, config["vocab_size"]
    shapes: dict[str, tuple[int, ...]] = {
        "transformer.wte.weight": (vocabulary, _WIDTH),
        "transformer.ln_f.weight": (_WIDTH,),
        "lm_head.weight": (vocabulary, _WIDTH),
        "transformer.audio.conv1.weight": (_WIDTH, 80, 3),
        "transformer.audio.conv1.bias": (_WIDTH,),
        "transformer.audio.conv2.weight": (_WIDTH, _WIDTH, 3),
        "transformer.audio.conv2.bias": (_WIDTH,),
        "transformer.audio.positional_embedding": (50 * WINDOW_S, _WIDTH),
        "transformer.audio.audio_bos_eos_token.weight": (2, _WIDTH),
        **_linear("transformer.audio.ln_post", (_WIDTH,)),
        **_linear("transformer.audio.proj", (_WIDTH, _WIDTH)),
    }
    for layer in range(_LAYERS):
        text, audio = f"transformer.h.{layer}.", f"transformer.audio.blocks.{layer}."
        shapes |= {f"{text}{name}.weight": (_WIDTH,) for name in ("ln_1", "ln_2")}
        shapes |= _linear(f"{text}attn.c_attn", (3 * _WIDTH, _WIDTH))
        shapes |= {f"{text}attn.c_proj.weight": (_WIDTH, _WIDTH), f"{text}mlp.c_proj.weight": (_WIDTH, wide)}
        shapes |= {f"{text}mlp.{name}.weight": (wide, _WIDTH) for name in ("w1", "w2")}
        shapes |= {f"{audio}attn.key.weight": (_WIDTH, _WIDTH)}
        for name in ("query", "value", "out"):
            shapes |= _linear(f"{audio}attn.{name}", (_WIDTH, _WIDTH))
        shapes |= _linear(f"{audio}mlp.0", (4 * _WIDTH, _WIDTH)) | _linear(f"{audio}mlp.2", (_WIDTH, 4 * _WIDTH))
        shapes |= _linear(f"{audio}attn_ln", (_WIDTH,)) | _linear(f"{audio}mlp_ln", (_WIDTH,))
    return {name: _random(name, shape, generator) for name, shape in shapes.items()}


def _linear(name: str, shape: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    return {f"{name}.weight": shape, f"{name}.bias": shape[:1]}


def _random(name: str, shape: tuple[int, ...], generator: torch.Generator) -> torch.Tensor:
    """Normal with a spread that keeps logits apart; about 1 for norms. Rounded, so that float16 holds it."""
    norm = len(shape) == 1 and name.endswith("weight")
    values = torch.randn(shape, generator=generator) * (0.1 if "audio" in name else 0.2) + (1.0 if norm else 0.0)
    return values.half().float()
