"""Qwen-Audio-Chat: a Whisper encoder of the clip's own length, and the first Qwen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import torch
from tokenizers import Tokenizer
from transformers import WhisperFeatureExtractor

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.export.families.contract import ExportFamily, Sample
from airbench_edge.export.families.qwen_audio_checkpoint import load_qwen_audio
from airbench_edge.export.families.qwen_audio_settings import AudioSettings, read_settings
from airbench_edge.export.families.qwen_tokenizer import BEGIN, END, ENDS, PAD, read_tiktoken

_RATE, _HOP = 16000, 160


class QwenAudio(ExportFamily):
    """Export of ``QWenLMHeadModel`` with its audio encoder, which checkpoints bring as remote code; rebuilt here."""

    model_type = "qwen"

    def load(self, checkpoint: Path) -> torch.nn.Module:
        """Load the checkpoint.

        Raises:
            InputError: It cannot be loaded, or is one for text alone.
        """
        return load_qwen_audio(checkpoint, _ids(read_tiktoken(checkpoint / "qwen.tiktoken"), *ENDS))

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """The encoder with the embeddings around the sound."""
        return model.encoder

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two clips of 0.74 s; the published code takes them one by one, and so does the runtime."""
        bins = model.encoder.conv1.in_channels
        return [Sample("input_features", torch.randn(2, bins, 74), {0: "clips", 2: "frames"})]

    def embeddings(self, model: torch.nn.Module) -> torch.nn.Module:
        """Those of the text model."""
        return model.language_model.get_input_embeddings()

    def stack(self, model: torch.nn.Module) -> torch.nn.Module:
        """That of the text model."""
        return model.language_model.get_decoder()

    def head(self, model: torch.nn.Module) -> torch.nn.Module:
        """That of the text model."""
        return model.language_model.get_output_embeddings()

    def companions(self, checkpoint: Path, folder: Path) -> None:
        """The files of tokenizer, front end and stop tokens that the checkpoint has as code, and its configuration."""
        audio = read_settings(checkpoint).audio
        tokenizer = read_tiktoken(checkpoint / "qwen.tiktoken")
        tokenizer.save(str(folder / "tokenizer.json"))
        ids = _ids(tokenizer, *ENDS)
        files: dict[str, Any] = {
            "tokenizer_config.json": {"tokenizer_class": "PreTrainedTokenizerFast", "eos_token": ENDS[0]},
            "preprocessor_config.json": {"feature_extractor_type": "WhisperFeatureExtractor", **_front_end(audio)},
            "generation_config.json": {"eos_token_id": ids, "pad_token_id": ids[0]},
        }
        for name, content in files.items():
            (folder / name).write_bytes(msgspec.json.format(msgspec.json.encode(content)))
        (folder / "config.json").write_bytes((checkpoint / "config.json").read_bytes())

    def reference_inputs(self, checkpoint: Path, question: str, waveform: Waveform, rate: int) -> dict[str, Any]:
        """What the published ``chat`` makes of them: turns encoded piece by piece, frames counted in whole hops."""
        audio = read_settings(checkpoint).audio
        heard = waveform[: audio.n_ctx * 2 * _HOP]
        positions = (len(heard) // _HOP - 1) // 2 + 1
        front_end = WhisperFeatureExtractor(**_front_end(audio))
        mel = front_end(heard, sampling_rate=rate, return_tensors="pt").input_features
        tokenizer = read_tiktoken(checkpoint / "qwen.tiktoken")
        start, end, between = _ids(tokenizer, "<|im_start|>", "<|im_end|>", PAD)
        line = tokenizer.encode("\n").ids
        before = [start, *_words(tokenizer, "system"), *line, *_words(tokenizer, "You are a helpful assistant."), end]
        before += [*line, start, *_words(tokenizer, "user"), *line, *_words(tokenizer, "Audio 1:")]
        after = [*_words(tokenizer, f"\n{question}"), end, *line, start, *_words(tokenizer, "assistant"), *line]
        begin, stop = _ids(tokenizer, BEGIN, END)
        ids = [*before, begin, *[between] * (positions // 2), stop, *after]
        return {"input_ids": torch.tensor([ids]), "input_features": mel[:, :, : 2 * positions], "start": len(before)}


def _front_end(audio: AudioSettings) -> dict[str, int]:
    """Settings of Whisper's, over the window that the encoder's positions stand for."""
    window = audio.n_ctx * 2 * _HOP // _RATE
    return {"feature_size": audio.n_mels, "sampling_rate": _RATE, "hop_length": _HOP, "chunk_length": window}


def _ids(tokenizer: Tokenizer, *tokens: str) -> list[int]:
    vocabulary = tokenizer.get_vocab()
    return [vocabulary[token] for token in tokens]


def _words(tokenizer: Tokenizer, text: str) -> list[int]:
    return list(tokenizer.encode(text).ids)
