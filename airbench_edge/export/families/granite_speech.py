"""Granite Speech: a conformer, a window of queries, and a Granite decoder with an adapter for hearing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import torch
from transformers import GraniteSpeechConfig, PreTrainedTokenizerFast

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.families.granite_speech import AUDIO, CLOCK, DATED
from airbench_edge.errors import InputError
from airbench_edge.export.checkpoint import load_class
from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.families.granite_encoder import GraniteEncoder
from airbench_edge.export.lora import SETTINGS, WEIGHTS, merge_adapter


class _Head(torch.nn.Module):  # type: ignore[misc]
    """The vocabulary's layer with Granite's scale. transformers 5 leaves it out: same answers, other probabilities."""

    def __init__(self, head: torch.nn.Module, scale: float) -> None:
        super().__init__()
        self.head = head
        self.scale = scale

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Logits as ``GraniteForCausalLM`` makes them."""
        return self.head(hidden) / self.scale


class GraniteSpeech(ExportFamily):
    """Export of ``GraniteSpeechForConditionalGeneration``."""

    model_type = "granite_speech"

    def load(self, checkpoint: Path) -> torch.nn.Module:
        """Load the checkpoint with its adapter merged, which the model hears with.

        Raises:
            InputError: The weights cannot be loaded, some are missing, or the adapter is.
        """
        config = GraniteSpeechConfig.from_pretrained(checkpoint, local_files_only=True)
        adapted = (checkpoint / SETTINGS).is_file()
        if config.has_lora_adapter and not adapted:
            raise InputError(
                f"{checkpoint} hears with an adapter, and {SETTINGS} is missing: copy it and {WEIGHTS} from the "
                "model's source."
            )
        config.has_lora_adapter = False
        model = _load_base(checkpoint, config)
        if adapted:
            merge_adapter(self.stack(model), checkpoint)
        return model

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Conformer with its projector."""
        parts = _parts(model)
        return GraniteEncoder(parts.encoder, parts.projector)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two clips of two blocks and a bit."""
        encoder = model.config.encoder_config
        frames = 2 * encoder.context_size + 7
        return [Sample("input_features", torch.randn(2, frames, encoder.input_dim), {0: "clips", 1: "frames"})]

    def stack(self, model: torch.nn.Module) -> torch.nn.Module:
        """That of the text model, which scales embeddings and sound alike."""
        text = _parts(model).language_model
        return text.model if hasattr(text, "model") else text

    def head(self, model: torch.nn.Module) -> torch.nn.Module:
        """Logits with Granite's scale."""
        return _Head(model.get_output_embeddings(), model.config.text_config.logits_scaling)

    def reference_inputs(self, checkpoint: Path, question: str, waveform: Waveform, rate: int) -> dict[str, Any]:
        """What ``GraniteSpeechProcessor`` does, with PyTorch's own transform where it takes that of torchaudio."""
        config = GraniteSpeechConfig.from_pretrained(checkpoint, local_files_only=True)
        features = _hear(torch.from_numpy(waveform), rate)
        windows = -(-features.shape[0] // config.window_size)
        sound = AUDIO * (windows * (config.window_size // config.downsample_rate))
        tokenizer = PreTrainedTokenizerFast.from_pretrained(checkpoint, local_files_only=True)
        turns = [{"role": "user", "content": AUDIO + question}]
        if CLOCK in tokenizer.chat_template:
            turns.insert(0, {"role": "system", "content": DATED})
        text = tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        inputs = tokenizer(text.replace(AUDIO, sound, 1), return_tensors="pt", return_token_type_ids=False)
        return {**inputs, "input_features": features[None]}


def _load_base(checkpoint: Path, config: GraniteSpeechConfig) -> torch.nn.Module:
    """Load all but the adapter: beside one, transformers would look for the weights under the name of their origin."""
    with tempfile.TemporaryDirectory() as apart:
        for file in checkpoint.resolve().iterdir():
            if not file.name.startswith("adapter_"):
                (Path(apart) / file.name).symlink_to(file)
        try:
            return load_class(Path(apart), "GraniteSpeechForConditionalGeneration", config=config)
        except InputError as error:
            raise InputError(str(error).replace(apart, str(checkpoint))) from error


def _parts(model: torch.nn.Module) -> torch.nn.Module:
    return model if hasattr(model, "projector") else model.model


def _hear(waveform: torch.Tensor, rate: int) -> torch.Tensor:
    """Pairs of log-mel frames, [pairs, 160]."""
    window = torch.hann_window(400)
    power = torch.stft(waveform, 512, 160, 400, window, return_complex=True).abs().pow(2)
    mels = torch.linspace(0, 2595 * torch.log10(torch.tensor(1 + rate / 2 / 700)).item(), 82)
    edges = 700 * (10 ** (mels / 2595) - 1)
    slopes = edges[:, None] - torch.linspace(0, rate // 2, 257)[None]
    gaps = edges.diff()[:, None]
    filters = torch.minimum(-slopes[:-2] / gaps[:-1], slopes[2:] / gaps[1:]).clamp(min=0)
    loud = (filters @ power).clamp(min=1e-10).log10().T
    scaled = torch.maximum(loud, loud.max() - 8) / 4 + 1
    return scaled[: len(scaled) // 2 * 2].reshape(-1, 160)
