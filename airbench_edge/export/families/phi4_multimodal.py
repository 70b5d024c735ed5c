"""Phi-4-multimodal: a conformer that takes eight frames for one, two linear layers, a Phi-4-mini decoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch.nn import functional
from transformers import Phi4MultimodalFeatureExtractor, Phi4MultimodalProcessor, PreTrainedTokenizerFast

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.families.phi4_multimodal import AUDIO_TOKENS
from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.families.phi4_checkpoint import ADAPTER, load_for_transformers, load_own_code

_WINDOW = 500
_IMAGE_TOKENS = ("<|image|>", "<|endoftext10|>")


class _Encoder(torch.nn.Module):  # type: ignore[misc]
    """``Phi4MultimodalAudioModel`` with its projector for sound without pictures, for one clip of any length.

    It hears the whole clip at once, so that its mask for streaming says nothing. Beyond 500 positions, 40 s, a clip is
    cut into windows that do not see each other, the last filled up with zeros which it does see, as in transformers.
    """

    def __init__(self, audio: torch.nn.Module) -> None:
        super().__init__()
        self.audio = audio
        self.width = audio.encoder.config.hidden_size

    def forward(self, input_features: torch.Tensor) -> torch.Tensor:
        """Encode a clip.

        Args:
            input_features: Log-mel, [1, frames, mel bins] float32.

        Returns:
            Audio features, [positions, hidden]; frames / 8 of them, and perhaps some more.
        """
        encoder = self.audio.encoder
        hidden, _ = encoder.embed(encoder.encoder_embedding(input_features), None)
        hidden = _windows(hidden)
        bias = encoder.relative_attention_bias_layer(hidden)
        for layer in encoder.encoders:
            hidden = layer(hidden, bias)
        hidden = hidden.reshape(-1, self.width)
        return self.audio.down_proj_for_speech(functional.gelu(self.audio.up_proj_for_speech(hidden)))


class Phi4MultimodalExport(ExportFamily):
    """Export of ``Phi4MultimodalForCausalLM``."""

    model_type = "phi4_multimodal"

    def sources(self, checkpoint: Path) -> list[Path]:
        """The checkpoint and its speech adapter."""
        return [checkpoint, checkpoint / ADAPTER]

    def load(self, checkpoint: Path) -> torch.nn.Module:
        """Load the model, with the speech adapter merged.

        Raises:
            InputError: Weights or adapter cannot be loaded, or some are missing.
        """
        return load_for_transformers(checkpoint)

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Conformer and projector."""
        return _Encoder(model.model.embed_tokens_extend.audio_embed)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """A clip of two windows, the second not full."""
        frames = 8 * _WINDOW + 203
        features = torch.randn(1, frames, model.config.audio_config.input_size)
        return [Sample("input_features", features, {1: "frames"})]

    def reference_inputs(self, checkpoint: Path, question: str, waveform: Waveform, rate: int) -> dict[str, Any]:
        """What ``Phi4MultimodalProcessor`` makes of them."""
        processor = _Processor(checkpoint)
        turns = [{"role": "user", "content": processor.tokenizer.audio_token + question}]
        text = processor.tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        inputs = dict(processor(text=text, audio=[waveform], sampling_rate=rate, return_tensors="pt"))
        inputs.pop("token_type_ids", None)  # made by generic tokenizer classes
        return inputs


class Phi4OwnCodeExport(Phi4MultimodalExport):
    """Export of ``Phi4MMForCausalLM``, the published form, whose code is not run: the model is the same."""

    model_type = "phi4mm"

    def sources(self, checkpoint: Path) -> list[Path]:
        """The checkpoint, which holds the adapter."""
        return [checkpoint]

    def load(self, checkpoint: Path) -> torch.nn.Module:
        """Load the model, with the speech adapter merged.

        Raises:
            InputError: Weights or adapter cannot be loaded, or some are missing.
        """
        return load_own_code(checkpoint)


class _Processor(Phi4MultimodalProcessor):  # type: ignore[misc]
    """The processor without its part for pictures, which cannot be opened unless libraries for them are there."""

    def __init__(self, checkpoint: Path) -> None:
        self.audio_processor = Phi4MultimodalFeatureExtractor()
        self.tokenizer = tokenizer = PreTrainedTokenizerFast.from_pretrained(checkpoint, local_files_only=True)
        for kind, tokens in (("audio", AUDIO_TOKENS), ("image", _IMAGE_TOKENS)):
            token = next(token for token in tokens if token in tokenizer.get_vocab())
            for holder in (self, tokenizer):
                setattr(holder, f"{kind}_token", token)
            setattr(self, f"{kind}_token_id", tokenizer.convert_tokens_to_ids(token))


def _windows(hidden: torch.Tensor) -> torch.Tensor:
    """[1, positions, width] to windows of equal length, the last filled up: one of all positions if they are few."""
    positions = torch.ops.aten._shape_as_tensor(hidden)[1]
    window = positions.clamp(max=_WINDOW)
    padded = functional.pad(hidden, (0, 0, 0, _WINDOW))[:, : positions + (-positions) % window]
    return padded.reshape(-1, window, hidden.shape[2])
