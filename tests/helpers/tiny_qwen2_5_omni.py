"""A tiny Qwen2.5-Omni checkpoint with random weights, laid out as the published one. Needs torch."""

from __future__ import annotations

import json
from pathlib import Path

import torch
import transformers
from helpers.qwen2_5_omni_folder import TEMPLATE
from helpers.tiny_audiolm import edit_json
from helpers.tiny_checkpoint import make_tokenizer
from safetensors.torch import load_file, save_file

from airbench_edge.export.quiet import quiet

SPECIALS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|AUDIO|>", "<|audio_bos|>", "<|audio_eos|>")
WINDOW_S = 30
_HIDDEN = 32


def make_qwen2_5_omni(folder: Path, *, whole: bool = True) -> None:
    """Write the checkpoint; its processor hears 30 s where the published one hears 300.

    Args:
        folder: Where it goes.
        whole: With a talker, as published; else the thinker alone.
    """
    torch.manual_seed(0)
    tokenizer = make_tokenizer(320, SPECIALS)
    config = _thinker_config(tokenizer.get_vocab_size(), SPECIALS.index("<|AUDIO|>"))
    with quiet():
        model = transformers.Qwen2_5OmniThinkerForConditionalGeneration(config).eval()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.copy_(parameter.half())  # so that float16 files hold the same numbers
            model.lm_head.weight.mul_(8)
        model.save_pretrained(folder)
    if whole:
        _add_talker(folder)
    (folder / "generation_config.json").unlink()
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>"
    ).save_pretrained(folder)
    (folder / "chat_template.json").write_text(json.dumps({"chat_template": TEMPLATE}), encoding="utf-8")
    transformers.WhisperFeatureExtractor(
        feature_size=80, chunk_length=WINDOW_S, return_attention_mask=True
    ).save_pretrained(folder)


def _thinker_config(vocabulary: int, audio: int) -> transformers.Qwen2_5OmniThinkerConfig:
    return transformers.Qwen2_5OmniThinkerConfig(
        audio_config={
            "num_mel_bins": 80,
            "encoder_layers": 2,
            "encoder_attention_heads": 2,
            "encoder_ffn_dim": 2 * _HIDDEN,
            "d_model": _HIDDEN,
            "output_dim": 2 * _HIDDEN,
            "initializer_range": 0.1,
        },
        vision_config={
            "depth": 1,
            "hidden_size": 32,
            "intermediate_size": 32,
            "num_heads": 2,
            "out_hidden_size": 2 * _HIDDEN,
            "fullatt_block_indexes": [0],
        },
        text_config={
            "vocab_size": vocabulary,
            "hidden_size": 2 * _HIDDEN,
            "intermediate_size": 4 * _HIDDEN,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "max_position_embeddings": 2048,
            "initializer_range": 0.2,
            "rope_scaling": {"mrope_section": [2, 3, 3], "rope_type": "default", "type": "default"},
        },
        audio_token_index=audio,
        image_token_index=vocabulary,
        video_token_index=vocabulary + 1,
        vision_start_token_id=vocabulary + 2,
        audio_start_token_id=audio + 1,
    )


def _add_talker(folder: Path) -> None:
    """Put the thinker where the whole model has it, beside weights that are none of its own."""
    thinker = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text("{}", encoding="utf-8")
    edit_json(
        folder / "config.json",
        architectures=["Qwen2_5OmniModel"],
        model_type="qwen2_5_omni",
        enable_audio_output=True,
        thinker_config=thinker,
        talker_config={"hidden_size": 16},
    )
    weights = {f"thinker.{name}": value for name, value in load_file(folder / "model.safetensors").items()}
    weights["talker.codec_head.weight"] = torch.ones(4, 4)
    save_file(weights, folder / "model.safetensors", {"format": "pt"})
