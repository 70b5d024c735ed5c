"""Ultravox: a Whisper encoder and a projector of its own, before a text model that it names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedTokenizerFast, WhisperFeatureExtractor

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.families.ultravox_checkpoint import base_folders, load_ultravox, read_settings

_MARK = "<|audio|>"
_DAY_WITHOUT_CLOCK = "26 Jul 2024"  # what Llama's templates say where they have no clock, as the runtime has none


class Ultravox(ExportFamily):
    """Export of ``UltravoxModel``, which the checkpoints bring as remote code and which is rebuilt here."""

    model_type = "ultravox"

    def sources(self, checkpoint: Path) -> list[Path]:
        """The checkpoint and the models that it builds on."""
        return [checkpoint, *base_folders(checkpoint)]

    def load(self, checkpoint: Path) -> torch.nn.Module:
        """Load the checkpoint and the models that it builds on.

        Raises:
            InputError: A part cannot be loaded, or is missing.
        """
        return load_ultravox(checkpoint)

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Audio tower with its projector."""
        return model.encoder

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two windows, of which one is filled partly."""
        audio = model.audio_tower.config
        frames = 2 * audio.max_source_positions - 7
        return [
            Sample("audio_values", torch.randn(2, audio.num_mel_bins, frames), {0: "windows", 2: "frames"}),
            Sample("audio_lens", torch.tensor([frames, frames // 2]), {0: "windows"}),
        ]

    def embeddings(self, model: torch.nn.Module) -> torch.nn.Module:
        """Those of the text model."""
        return model.language_model.get_input_embeddings()

    def stack(self, model: torch.nn.Module) -> torch.nn.Module:
        """That of the text model."""
        return model.language_model.get_decoder()

    def head(self, model: torch.nn.Module) -> torch.nn.Module:
        """That of the text model."""
        return model.language_model.get_output_embeddings()

    def reference_inputs(self, checkpoint: Path, question: str, waveform: Waveform, rate: int) -> dict[str, Any]:
        """What ``UltravoxProcessor`` does, with the parts of transformers that it uses; it is remote code itself."""
        heard = _hear(checkpoint, waveform, rate)
        tokenizer = PreTrainedTokenizerFast.from_pretrained(checkpoint, local_files_only=True)
        turns = [{"role": "user", "content": f"{_MARK} \n\n{question}"}]
        text = tokenizer.apply_chat_template(
            turns, add_generation_prompt=True, tokenize=False, date_string=_DAY_WITHOUT_CLOCK
        )
        before, after = tokenizer(text.split(_MARK), add_special_tokens=False).input_ids
        lengths = torch.ceil(heard["audio_lens"] / (2 * read_settings(checkpoint).stack_factor)).int()
        ids = [*before, *[tokenizer.eos_token_id] * int(lengths.sum()), *after]
        starts = len(before) + lengths.cumsum(0) - lengths
        return heard | {
            "input_ids": torch.tensor([ids]),
            "audio_token_len": lengths,
            "audio_token_start_idx": starts,
        }


def _hear(checkpoint: Path, waveform: Waveform, rate: int) -> dict[str, torch.Tensor]:
    """Windows of log-mel, the last of several filled up, and the frames in each that hold sound."""
    extractor = WhisperFeatureExtractor.from_pretrained(checkpoint, local_files_only=True)
    missing = max(0, 2 * extractor.hop_length - len(waveform))
    heard = extractor(
        [np.pad(waveform, (0, missing))],
        sampling_rate=rate,
        padding="longest",
        pad_to_multiple_of=extractor.hop_length,
        truncation=False,
        return_attention_mask=True,
        return_tensors="pt",
    )
    window, frames = extractor.nb_max_frames, int(heard.attention_mask.sum())
    values = list(heard.input_features[0].split(window, dim=1))
    if len(values) > 1:
        values[-1] = torch.nn.functional.pad(values[-1], (0, window - values[-1].shape[1]))
    lengths = [min(window, frames - start) for start in range(0, frames, window)]
    return {"audio_values": torch.stack(values), "audio_lens": torch.tensor(lengths)}
