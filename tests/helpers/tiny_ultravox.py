"""A tiny Ultravox checkpoint with random weights in the published layout, and the models that it names. Needs torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import transformers
from helpers.tiny_checkpoint import make_tokenizer
from safetensors.torch import save_file

SPECIALS = ("<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>", "<|start_header_id|>", "<|end_header_id|>")
TEMPLATE = (
    "{%- if not date_string is defined %}"
    "{%- set date_string = strftime_now('%d %b %Y') if strftime_now is defined else '26 Jul 2024' %}{%- endif %}"
    "{{- bos_token + 'Today is ' + date_string }}{%- for message in messages %}"
    "{{- '<|start_header_id|>' + message.role + '<|end_header_id|>' + message.content | trim + '<|eot_id|>' }}"
    "{%- endfor %}{{- '<|start_header_id|>assistant<|end_header_id|>' }}"
)
_OLDER = {  # what the transformers of 2025 left in a published audio_config
    "_attn_implementation_autoset": True,
    "_name_or_path": "openai/whisper-large-v3-turbo",
    "torch_dtype": "bfloat16",
    "begin_suppress_tokens": [220, 50256],
    "max_length": 448,
}
HIDDEN, WIDTH, STACK, GATED, POSITIONS, MEL_BINS = 32, 24, 8, 48, 500, 20


def make_ultravox(
    folder: Path,
    *,
    whole: bool = False,
    norm_mid: bool = True,
    whisper_apart: bool = False,
    stored: torch.dtype = torch.float32,
) -> Path:
    """Write the checkpoint and return its folder; a window is 10 s.

    Args:
        folder: Where it goes, beside its text model and, perhaps, its Whisper.
        whole: Keep the weights of a text model in the checkpoint, one whose head is its embeddings.
        norm_mid: As versions from 0.5 on; else as those before.
        whisper_apart: Name a Whisper for the audio tower, as versions up to 0.4.1 do, instead of holding it.
        stored: Type of the weights; published ones are bfloat16.
    """
    torch.manual_seed(0)
    tokenizer = make_tokenizer(320, SPECIALS)
    text = _half(transformers.LlamaForCausalLM(_text_config(tokenizer.get_vocab_size(), tied=whole))).to(stored)
    whisper = _half(transformers.WhisperForConditionalGeneration(_whisper_config())).to(stored)
    checkpoint = folder / "tiny-ultravox"
    checkpoint.mkdir(parents=True)
    weights = {f"multi_modal_projector.{name}": value.to(stored) for name, value in _projector(norm_mid).items()}
    if whole:
        weights |= {f"language_model.{name}": value.clone() for name, value in text.state_dict().items()}
        del weights["language_model.lm_head.weight"]  # the embeddings, as in Llama 3.2 1B
    else:
        text.save_pretrained(folder / "tiny-llama")
    if whisper_apart:
        whisper.save_pretrained(folder / "tiny-whisper")
    else:
        tower = whisper.model.encoder.state_dict()
        weights |= {f"audio_tower.{name}": value.clone() for name, value in tower.items()}
    save_file(weights, checkpoint / "model.safetensors", {"format": "pt"})
    config: dict[str, Any] = {
        "architectures": ["UltravoxModel"],
        "model_type": "ultravox",
        "hidden_size": GATED,
        "stack_factor": STACK,
        "projector_act": "swiglu",
        "text_model_id": None if whole else "somebody/tiny-llama",
        "audio_model_id": "somebody/tiny-whisper" if whisper_apart else None,
    }
    config |= {"projector_ln_mid": True} if norm_mid else {}
    config |= {"text_config": text.config.to_dict()} if whole else {}
    config |= {} if whisper_apart else {"audio_config": whisper.config.to_dict() | _OLDER}
    (checkpoint / "config.json").write_text(json.dumps(config), encoding="utf-8")
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=SPECIALS[0], eos_token=SPECIALS[1], chat_template=TEMPLATE
    ).save_pretrained(checkpoint)
    transformers.WhisperFeatureExtractor(feature_size=MEL_BINS, chunk_length=POSITIONS // 50).save_pretrained(
        checkpoint
    )
    return checkpoint


def _half(model: torch.nn.Module) -> torch.nn.Module:
    """Weights that float16 holds as well."""
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half())
    return model.eval()


def _projector(norm_mid: bool) -> dict[str, torch.Tensor]:
    norm = ("ln_mid.weight", GATED // 2) if norm_mid else ("ln_post.weight", HIDDEN)
    shapes = {
        "ln_pre.weight": (WIDTH * STACK,),
        "linear_1.weight": (GATED, WIDTH * STACK),
        norm[0]: (norm[1],),
        "linear_2.weight": (HIDDEN, GATED // 2),
    }
    made = {name: (0.4 if name.startswith("ln") else 0) + 0.1 * torch.randn(shape) for name, shape in shapes.items()}
    return {name: value.half().float() for name, value in made.items()}


def _text_config(vocabulary: int, tied: bool) -> transformers.LlamaConfig:
    return transformers.LlamaConfig(
        vocab_size=vocabulary,
        hidden_size=HIDDEN,
        intermediate_size=2 * HIDDEN,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        head_dim=16,
        max_position_embeddings=2048,
        rope_theta=500000.0,
        rope_scaling={
            "rope_type": "llama3",
            "factor": 32.0,
            "high_freq_factor": 4.0,
            "low_freq_factor": 1.0,
            "original_max_position_embeddings": 64,
        },
        initializer_range=0.2,
        tie_word_embeddings=tied,
        bos_token_id=0,
        eos_token_id=[1, 2],
        pad_token_id=1,
    )


def _whisper_config() -> transformers.WhisperConfig:
    return transformers.WhisperConfig(
        vocab_size=60,
        num_mel_bins=MEL_BINS,
        d_model=WIDTH,
        encoder_layers=2,
        encoder_attention_heads=2,
        encoder_ffn_dim=2 * WIDTH,
        decoder_layers=1,
        decoder_attention_heads=2,
        decoder_ffn_dim=WIDTH,
        max_source_positions=POSITIONS,
        init_std=0.2,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=1,
        decoder_start_token_id=1,
    )
