"""GLM-ASR: a Whisper encoder with rotary positions, four neighbours in one, two linear layers, a Llama decoder."""

from __future__ import annotations

import torch

from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.families.stacking import StackingEncoder


class GlmAsr(ExportFamily):
    """Export of ``GlmAsrForConditionalGeneration``, which transformers has from version 5 on."""

    model_type = "glmasr"

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Audio tower with its projector."""
        return StackingEncoder(model.model.audio_tower, model.model.multi_modal_projector)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two windows; their length is fixed by the model."""
        audio = model.config.audio_config
        frames = 2 * audio.max_position_embeddings
        return [Sample("input_features", torch.randn(2, audio.num_mel_bins, frames), {0: "windows"})]
