"""Qwen2.5-Omni: a Whisper-like encoder that hears two seconds at a time, and the thinker, a Qwen2.5 decoder.

The talker, which turns answers into speech, and the eyes are left out.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch
from torch.nn import functional
from transformers import (
    PreTrainedTokenizerFast,
    ProcessorMixin,
    Qwen2_5OmniProcessor,
    WhisperFeatureExtractor,
)

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.families.qwen2_5_omni import PLACEHOLDER
from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import load_class, read_config
from airbench_edge.export.families.contract import ExportFamily, Sample

_UNUSED = r"(thinker\.|model\.)*(visual|talker|token2wav)\."


class _Encoder(torch.nn.Module):  # type: ignore[misc]
    """``Qwen2_5OmniAudioEncoder`` on chunks that are cut and padded before: nothing is split by length in the graph.

    Frames attend within their chunk only, and a full chunk has an even number of them, so that pairs never straddle.
    """

    def __init__(self, tower: torch.nn.Module) -> None:
        super().__init__()
        self.tower = tower

    def forward(self, input_features: torch.Tensor, chunk_lengths: torch.Tensor) -> torch.Tensor:
        """Encode the chunks of a clip.

        Args:
            input_features: Log-mel, zeros after the end, [chunks, mel bins, frames] float32.
            chunk_lengths: Frames of the clip in each chunk, [chunks] int64.

        Returns:
            Audio features, [chunks, frames / 4, hidden]; the last ones of a chunk that is not full mean nothing.
        """
        tower = self.tower
        heard = _first(input_features.shape[2], chunk_lengths).to(input_features.dtype)
        hidden = functional.gelu(tower.conv1(input_features)) * heard[:, None]
        hidden = functional.gelu(tower.conv2(hidden)).transpose(1, 2)
        hidden = hidden + tower.positional_embedding.positional_embedding[: hidden.shape[1]]
        padding = ~_first(hidden.shape[1], (chunk_lengths - 1) // 2 + 1)
        mask = padding[:, None, None].to(hidden.dtype) * torch.finfo(hidden.dtype).min
        for layer in tower.layers:
            hidden = hidden + _attend(layer.self_attn, layer.self_attn_layer_norm(hidden), mask)
            hidden = hidden + layer.fc2(layer.activation_fn(layer.fc1(layer.final_layer_norm(hidden))))
        pairs = hidden.unflatten(1, (-1, 2)).mean(2)
        return tower.proj(tower.ln_post(pairs))


class Qwen25OmniExport(ExportFamily):
    """Export of the thinker in ``Qwen2_5OmniForConditionalGeneration``."""

    model_type = "qwen2_5_omni"

    def load(self, checkpoint: Path) -> torch.nn.Module:
        """Load the thinker alone, without its eyes, whatever else the checkpoint holds.

        Raises:
            InputError: It cannot be loaded, or hears in chunks of an odd number of positions.
        """
        config = read_config(checkpoint, "Qwen2_5OmniThinkerConfig")
        if config.audio_config.n_window % 2:
            raise InputError(
                f"{checkpoint / 'config.json'}: n_window is {config.audio_config.n_window}; only an even number "
                "can be exported, such as the 100 of all published versions."
            )
        config.vision_config.depth = 0
        return load_class(checkpoint, "Qwen2_5OmniThinkerForConditionalGeneration", _UNUSED, config=config)

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """The audio tower, which projects by itself; transformers 5 has it one level deeper."""
        return _Encoder(model.audio_tower if hasattr(model, "audio_tower") else model.model.audio_tower)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Three chunks, of which the last is not full."""
        audio = model.config.audio_config
        frames = 2 * audio.n_window
        return [
            Sample("input_features", torch.randn(3, audio.num_mel_bins, frames), {0: "chunks"}),
            Sample("chunk_lengths", torch.tensor([frames, frames, frames - 9]), {0: "chunks"}),
        ]

    def reference_inputs(self, checkpoint: Path, question: str, waveform: Waveform, rate: int) -> dict[str, Any]:
        """What ``Qwen2_5OmniProcessor`` makes of them."""
        processor = _Processor(checkpoint)
        sound = {"type": "audio", "audio_url": "clip"}
        turns = [{"role": "user", "content": [sound, {"type": "text", "text": question}]}]
        template = ProcessorMixin.get_processor_dict(checkpoint)[0].get("chat_template")  # None leaves the tokenizer's
        text = processor.tokenizer.apply_chat_template(
            turns, chat_template=template, add_generation_prompt=True, tokenize=False
        )
        inputs = dict(processor(text=text, audio=[waveform], sampling_rate=rate, return_tensors="pt"))
        inputs.pop("token_type_ids", None)  # made by generic tokenizer classes
        return inputs


class Qwen25OmniThinkerExport(Qwen25OmniExport):
    """Export of a checkpoint that holds the thinker only."""

    model_type = "qwen2_5_omni_thinker"


class _Processor(Qwen2_5OmniProcessor):  # type: ignore[misc]
    """The processor without its parts for pictures, which cannot be opened unless libraries for them are there."""

    def __init__(self, checkpoint: Path) -> None:
        self.feature_extractor = WhisperFeatureExtractor.from_pretrained(checkpoint, local_files_only=True)
        self.tokenizer = PreTrainedTokenizerFast.from_pretrained(checkpoint, local_files_only=True)
        self.audio_token, self.image_token, self.video_token = PLACEHOLDER, "<|IMAGE|>", "<|VIDEO|>"
        self.image_processor = self.video_processor = SimpleNamespace(merge_size=2)


def _first(positions: int, lengths: torch.Tensor) -> torch.Tensor:
    """Which of some positions come before each length, [lengths, positions] bool."""
    return torch.arange(positions, device=lengths.device)[None] < lengths[:, None]


def _attend(attention: torch.nn.Module, hidden: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Attention within each chunk, [chunks, positions, width]."""
    projections = (attention.q_proj, attention.k_proj, attention.v_proj)
    query, key, value = (
        projection(hidden).unflatten(2, (attention.num_heads, -1)).transpose(1, 2) for projection in projections
    )
    weights = torch.softmax(query @ key.transpose(2, 3) * attention.scaling + mask, -1)
    return attention.out_proj((weights @ value).transpose(1, 2).flatten(2))
