"""Tiny checkpoints of the families of Whisper windows that only transformers 5 has, with their real processors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from helpers.tiny_checkpoint import make_tokenizer
from helpers.windowed_folders import FAMILIES
from tokenizers import Tokenizer

WINDOW_S = 10
LONGEST_S = 30
_HIDDEN = 64


def make_audioflamingo3(folder: Path, seed: int = 0) -> None:
    """Write a tiny Audio Flamingo 3."""
    tokenizer = make_tokenizer(320, ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<sound>"))
    config = transformers.AudioFlamingo3Config(
        audio_config=_audio(max_source_positions=50 * WINDOW_S, num_mel_bins=80),
        text_config={"model_type": "qwen2", "use_sliding_window": False, **_text(tokenizer, "<|im_end|>")},
        audio_token_id=tokenizer.token_to_id("<sound>"),
    )
    model = _random(transformers.AudioFlamingo3ForConditionalGeneration, config, seed)
    _save(folder, model, tokenizer, ("<|endoftext|>", "<|im_end|>"), "audioflamingo3", 80)


def make_glmasr(folder: Path, seed: int = 0) -> None:
    """Write a tiny GLM-ASR."""
    specials = ("<|endoftext|>", "<|user|>", "<|assistant|>", "<|begin_of_audio|>", "<|end_of_audio|>", "<|pad|>")
    tokenizer = make_tokenizer(320, (*specials, "<|system|>"))
    config = transformers.GlmAsrConfig(
        audio_config=_audio(max_position_embeddings=50 * WINDOW_S, num_mel_bins=128),
        text_config={"model_type": "llama", "head_dim": 16, **_text(tokenizer, "<|user|>")},
        audio_token_id=tokenizer.token_to_id("<|pad|>"),
        tie_word_embeddings=False,
    )
    model = _random(transformers.GlmAsrForConditionalGeneration, config, seed)
    _save(folder, model, tokenizer, ("<|endoftext|>", "<|user|>"), "glmasr", 128)


def _audio(**settings: int) -> dict[str, Any]:
    return {
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 4 * _HIDDEN,
        "hidden_size": _HIDDEN,
        "initializer_range": 0.1,
        **settings,
    }


def _text(tokenizer: Tokenizer, stop: str) -> dict[str, Any]:
    return {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": _HIDDEN,
        "intermediate_size": 2 * _HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 2048,
        "initializer_range": 0.2,
        "bos_token_id": tokenizer.token_to_id("<|endoftext|>"),
        "eos_token_id": tokenizer.token_to_id(stop),
        "pad_token_id": tokenizer.token_to_id("<|endoftext|>"),
    }


def _random(model_class: Any, config: Any, seed: int) -> Any:  # noqa: ANN401 - transformers has no types
    torch.manual_seed(seed)
    model = model_class(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half())  # so that float16 files hold the same numbers
    return model


def _save(
    folder: Path,
    model: Any,  # noqa: ANN401 - transformers has no types
    tokenizer: Tokenizer,
    stops: Sequence[str],
    family: str,
    mel_bins: int,
) -> None:
    ids = [tokenizer.token_to_id(token) for token in stops]
    model.generation_config = transformers.GenerationConfig(pad_token_id=ids[0], eos_token_id=ids)
    model.save_pretrained(folder)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=stops[-1], pad_token=stops[0])
    front_end = transformers.WhisperFeatureExtractor(feature_size=mel_bins, chunk_length=WINDOW_S)
    processor = getattr(transformers, FAMILIES[family].processor)
    processor(front_end, fast, chat_template=FAMILIES[family].template, max_audio_len=LONGEST_S).save_pretrained(folder)
