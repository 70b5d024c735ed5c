"""Voxtral: a Whisper encoder, four neighbours in one, two linear layers, a Mistral decoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import torch
from tokenizers import Tokenizer
from transformers import WhisperFeatureExtractor

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.tokenizer_file import read_tokenizer
from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.families.stacking import StackingEncoder
from airbench_edge.export.tekken import read_tekken

_WINDOW_S = 30


class Voxtral(ExportFamily):
    """Export of ``VoxtralForConditionalGeneration``."""

    model_type = "voxtral"

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Audio tower with its projector."""
        parts = _parts(model)
        return StackingEncoder(parts.audio_tower, parts.multi_modal_projector)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two windows; their length is fixed by the model."""
        audio = model.config.audio_config
        frames = 2 * audio.max_source_positions
        return [Sample("audio_values", torch.randn(2, audio.num_mel_bins, frames), {0: "windows"})]

    def companions(self, checkpoint: Path, folder: Path) -> None:
        """As for all families; where the checkpoint has only ``tekken.json``, the tokenizer is made of it."""
        super().companions(checkpoint, folder)
        if not (folder / "tokenizer.json").is_file():
            _tokenizer(checkpoint).save(str(folder / "tokenizer.json"))
            settings = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "eos_token": "</s>"}
            (folder / "tokenizer_config.json").write_bytes(msgspec.json.format(msgspec.json.encode(settings)) + b"\n")

    def reference_inputs(self, checkpoint: Path, question: str, waveform: Waveform, rate: int) -> dict[str, Any]:
        """What ``VoxtralProcessor`` does, with its feature extractor, and the prompt as mistral-common writes it."""
        extractor = WhisperFeatureExtractor.from_pretrained(checkpoint, local_files_only=True)
        features = extractor(
            waveform,
            sampling_rate=rate,
            padding=True,
            truncation=False,
            pad_to_multiple_of=_WINDOW_S * rate,
            return_tensors="pt",
        ).input_features
        windows = features.reshape(extractor.feature_size, -1, extractor.nb_max_frames).transpose(0, 1)
        tokenizer = _tokenizer(checkpoint)
        start, begin, sound, begin_sound, end = (
            tokenizer.token_to_id(token) for token in ("<s>", "[INST]", "[AUDIO]", "[BEGIN_AUDIO]", "[/INST]")
        )
        words = tokenizer.encode(question, add_special_tokens=False).ids
        count = windows.shape[0] * extractor.nb_max_frames // 8
        ids = [start, begin, begin_sound, *[sound] * count, *words, end]
        return {"input_ids": torch.tensor([ids]), "input_features": windows}


def _parts(model: torch.nn.Module) -> torch.nn.Module:
    return model if hasattr(model, "audio_tower") else model.model


def _tokenizer(checkpoint: Path) -> Tokenizer:
    tekken = checkpoint / "tekken.json"
    return read_tekken(tekken) if tekken.is_file() else read_tokenizer(checkpoint)
