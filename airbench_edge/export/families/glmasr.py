"""GLM-ASR: a Whisper encoder with rotary positions, four neighbours in one, two linear layers, a Llama decoder."""

from __future__ import annotations

import torch

from airbench_edge.export.families.contract import ExportFamily, Sample


class _Encoder(torch.nn.Module):  # type: ignore[misc]
    """Audio tower, merger and projector; the tower masks nothing, so that it needs no mask."""

    def __init__(self, tower: torch.nn.Module, projector: torch.nn.Module) -> None:
        super().__init__()
        self.tower = tower
        self.projector = projector
        self.width = tower.config.intermediate_size

    def forward(self, input_features: torch.Tensor) -> torch.Tensor:
        """Encode windows.

        Args:
            input_features: Log-mel, [windows, mel bins, frames] float32.

        Returns:
            Audio features, [windows, frames / 8, hidden].
        """
        frames = self.tower(input_features).last_hidden_state
        return self.projector(frames.reshape(frames.shape[0], -1, self.width))


class GlmAsr(ExportFamily):
    """Export of ``GlmAsrForConditionalGeneration``, which transformers has from version 5 on."""

    model_type = "glmasr"

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Audio tower with its projector."""
        return _Encoder(model.model.audio_tower, model.model.multi_modal_projector)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two windows; their length is fixed by the model."""
        audio = model.config.audio_config
        frames = 2 * audio.max_position_embeddings
        return [Sample("input_features", torch.randn(2, audio.num_mel_bins, frames), {0: "windows"})]
