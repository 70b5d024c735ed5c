"""Audio Flamingo 3: a Whisper encoder that halves its frames once more, two linear layers, a Qwen2 decoder."""

from __future__ import annotations

import torch

from airbench_edge.export.families.contract import ExportFamily, Sample


class _Encoder(torch.nn.Module):  # type: ignore[misc]
    """Audio tower and projector; all frames are returned, the caller keeps those of the sound."""

    def __init__(self, tower: torch.nn.Module, projector: torch.nn.Module) -> None:
        super().__init__()
        self.tower = tower
        self.projector = projector

    def forward(self, input_features: torch.Tensor, input_features_mask: torch.Tensor) -> torch.Tensor:
        """Encode windows.

        Args:
            input_features: Log-mel, [windows, mel bins, frames] float32.
            input_features_mask: 1 for frames of the sound, 0 for padding, [windows, frames] int64.

        Returns:
            Audio features, [windows, frames / 4, hidden].
        """
        frames = self.tower(input_features, input_features_mask=input_features_mask).last_hidden_state
        return self.projector(frames)


class AudioFlamingo3(ExportFamily):
    """Export of ``AudioFlamingo3ForConditionalGeneration``, which transformers has from version 5 on."""

    model_type = "audioflamingo3"

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Audio tower with its projector."""
        return _Encoder(model.model.audio_tower, model.model.multi_modal_projector)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two windows, the second half full."""
        audio = model.config.audio_config
        frames = 2 * audio.max_source_positions
        mask = torch.ones(2, frames, dtype=torch.int64)
        mask[1, frames // 2 :] = 0
        return [
            Sample("input_features", torch.randn(2, audio.num_mel_bins, frames), {0: "windows"}),
            Sample("input_features_mask", mask, {0: "windows"}),
        ]
