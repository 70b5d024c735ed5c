"""Qwen2-Audio: a Whisper encoder that halves its frames once more, one linear layer, a Qwen2 decoder."""

from __future__ import annotations

import torch

from airbench_edge.export.families.contract import ExportFamily, Sample


class _Encoder(torch.nn.Module):  # type: ignore[misc]
    """Audio tower and projector, with padding frames masked as ``Qwen2AudioForConditionalGeneration.forward`` does.

    All frames are returned; the caller keeps the first ones, as many as the clip has audio tokens.
    """

    def __init__(self, tower: torch.nn.Module, projector: torch.nn.Module) -> None:
        super().__init__()
        self.tower = tower
        self.projector = projector

    def forward(self, input_features: torch.Tensor, feature_attention_mask: torch.Tensor) -> torch.Tensor:
        """Encode clips.

        Args:
            input_features: Log-mel, [clips, mel bins, frames] float32.
            feature_attention_mask: 1 for frames of the clip, 0 for padding, [clips, frames] int64.

        Returns:
            Audio features, [clips, frames / 4, hidden].
        """
        after_conv = input_features.shape[-1] // 2
        valid = (feature_attention_mask.sum(-1) - 1) // 2 + 1
        padding = torch.arange(after_conv, device=input_features.device)[None, :] >= valid[:, None]
        bias = padding[:, None, None, :].to(input_features.dtype) * torch.finfo(input_features.dtype).min
        bias = bias.expand(-1, 1, after_conv, -1)
        return self.projector(self.tower(input_features, attention_mask=bias).last_hidden_state)


class Qwen2Audio(ExportFamily):
    """Export of ``Qwen2AudioForConditionalGeneration``."""

    model_type = "qwen2_audio"

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Audio tower with its projector."""
        parts = _parts(model)
        return _Encoder(parts.audio_tower, parts.multi_modal_projector)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two clips that fill the window partly; the window itself is fixed by the model."""
        audio = model.config.audio_config
        frames = 2 * audio.max_source_positions
        mask = torch.ones(2, frames, dtype=torch.int64)
        mask[1, frames // 2 :] = 0
        return [
            Sample("input_features", torch.randn(2, audio.num_mel_bins, frames), {0: "clips"}),
            Sample("feature_attention_mask", mask, {0: "clips"}),
        ]


def _parts(model: torch.nn.Module) -> torch.nn.Module:
    return model if hasattr(model, "audio_tower") else model.model
