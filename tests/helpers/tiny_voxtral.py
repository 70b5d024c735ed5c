"""A tiny Voxtral checkpoint with random weights and the files of the published one: tekken.json, no tokenizer.json."""

from __future__ import annotations

import shutil
from pathlib import Path

import torch
import transformers

CASE = Path(__file__).parents[1] / "cases" / "voxtral"
VOCABULARY = 386  # 40 reserved, 256 bytes, 90 merged


def make_checkpoint(folder: Path, *, hidden: int = 32, seed: int = 0) -> torch.nn.Module:
    """Write the checkpoint and return the model.

    Args:
        folder: Where it goes.
        hidden: Width of encoder and decoder.
        seed: Seed of the weights.
    """
    config = transformers.VoxtralConfig(
        audio_config={
            "num_mel_bins": 128,
            "hidden_size": hidden,
            "intermediate_size": 4 * hidden,
            "num_hidden_layers": 2,
            "num_attention_heads": 2,
            "initializer_range": 0.1,
        },
        text_config={
            "model_type": "llama",
            "vocab_size": VOCABULARY,
            "hidden_size": hidden,
            "intermediate_size": 2 * hidden,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 16,
            "max_position_embeddings": 2048,
            "initializer_range": 0.2,
        },
        audio_token_id=24,
        initializer_range=0.2,
    )
    torch.manual_seed(seed)
    model = transformers.VoxtralForConditionalGeneration(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(parameter.half())  # so that float16 files hold the same numbers
    model.generation_config = transformers.GenerationConfig(bos_token_id=1, eos_token_id=2, pad_token_id=11)
    model.save_pretrained(folder)
    transformers.WhisperFeatureExtractor(feature_size=128).save_pretrained(folder)
    shutil.copyfile(CASE / "tekken.json", folder / "tekken.json")
    return model
