"""Weights of a Qwen-Audio checkpoint, put into modules that every transformers has.

The first Qwen is a Qwen2 with as many heads of keys and values as of queries, its projections stored as one.
"""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from transformers import GenerationConfig, Qwen2Config, Qwen2ForCausalLM

from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import not_loaded
from airbench_edge.export.families.qwen_audio_model import AudioEncoder, QwenAudio
from airbench_edge.export.families.qwen_audio_settings import QwenAudioSettings, read_settings

_PLACES = {
    "transformer.wte.": "model.embed_tokens.",
    "transformer.ln_f.": "model.norm.",
    "transformer.h.": "model.layers.",
    ".ln_1.": ".input_layernorm.",
    ".ln_2.": ".post_attention_layernorm.",
    ".attn.c_proj.": ".self_attn.o_proj.",
    ".mlp.c_proj.": ".mlp.down_proj.",
    ".mlp.w1.": ".mlp.up_proj.",
    ".mlp.w2.": ".mlp.gate_proj.",
}


def load_qwen_audio(checkpoint: Path, stops: list[int]) -> QwenAudio:
    """Load a checkpoint, weights in the types that they are stored in.

    Args:
        checkpoint: Its folder.
        stops: Tokens that end an answer.

    Raises:
        InputError: It cannot be read, or a weight is missing, unknown, or of another shape.
    """
    settings = read_settings(checkpoint)
    shards = sorted(checkpoint.glob("*.safetensors"))
    if not shards:
        raise InputError(
            f"{checkpoint} has no *.safetensors; other files of weights are not read, since reading them runs code."
        )
    try:
        stored = {name: tensor for shard in shards for name, tensor in load_file(shard).items()}
    except (OSError, SafetensorError) as error:
        raise not_loaded(checkpoint, error) from error
    with torch.device("meta"):
        model = QwenAudio(AudioEncoder(settings.audio), Qwen2ForCausalLM(_text_config(settings)))
    try:
        model.load_state_dict(_renamed(stored), strict=True, assign=True)
    except RuntimeError as error:
        found = str(error).splitlines()[1].strip()
        raise InputError(f"The weights in {checkpoint} are not those of its config.json: {found}") from error
    text = model.language_model
    text.model.rotary_emb = type(text.model.rotary_emb)(text.config)  # its table is computed, not stored
    text.generation_config = GenerationConfig(eos_token_id=stops, pad_token_id=stops[0])
    model.eval().requires_grad_(False)
    return model


def _text_config(settings: QwenAudioSettings) -> Qwen2Config:
    """The first Qwen as a Qwen2: beyond ``seq_length`` it would stretch its rotary angles, so that is the limit."""
    config = Qwen2Config(
        vocab_size=settings.vocab_size,
        hidden_size=settings.hidden_size,
        intermediate_size=settings.intermediate_size // 2,  # it counts both halves of the gated layer
        num_hidden_layers=settings.num_hidden_layers,
        num_attention_heads=settings.num_attention_heads,
        num_key_value_heads=settings.num_attention_heads,
        max_position_embeddings=settings.seq_length,
        rms_norm_eps=settings.layer_norm_epsilon,
        rope_theta=settings.rotary_emb_base,
        tie_word_embeddings=settings.tie_word_embeddings,
        use_sliding_window=False,
    )
    config._attn_implementation = "eager"
    return config


def _renamed(weights: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The same tensors under the names of the modules here; query, key and value come in one and are parted."""
    found = {}
    for name, tensor in weights.items():
        if name.startswith("transformer.audio."):
            found[name.replace("transformer.audio", "encoder")] = tensor
            continue
        for old, new in _PLACES.items():
            name = name.replace(old, new)
        if ".attn.c_attn." in name:
            for part, rows in zip("qkv", tensor.chunk(3), strict=True):
                found["language_model." + name.replace(".attn.c_attn.", f".self_attn.{part}_proj.")] = rows
        elif not name.endswith((".rotary_emb.inv_freq", ".masked_bias")):  # of old checkpoints; computed, not learnt
            found["language_model." + name] = tensor
    return found
