"""Whisper as transformers runs it, to compare an export with."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import torch
from tokenizers import Tokenizer
from transformers import GenerationConfig, GenerationMixin, WhisperFeatureExtractor, WhisperForConditionalGeneration
from transformers.generation import (
    SuppressTokensAtBeginLogitsProcessor,
    SuppressTokensLogitsProcessor,
    WhisperTimeStampLogitsProcessor,
)

from airbench_edge.audio import Waveform
from airbench_edge.export.quiet import quiet


class Said(NamedTuple):
    """What the reference wrote.

    Attributes:
        text: The words.
        tokens: Their tokens, without timestamps and special tokens.
    """

    text: str
    tokens: list[int]


class WhisperReference:
    """transformers on a checkpoint: its own front end, greedy decoding with timestamps, clips of any length.

    Args:
        checkpoint: Folder of a ``WhisperForConditionalGeneration``.
    """

    def __init__(self, checkpoint: Path) -> None:
        with quiet():
            self._model = WhisperForConditionalGeneration.from_pretrained(checkpoint, local_files_only=True).eval()
            self._features = WhisperFeatureExtractor.from_pretrained(checkpoint, local_files_only=True)
        self._tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
        self._settings = GenerationConfig.from_pretrained(checkpoint, local_files_only=True)

    def transcribe(self, waveform: Waveform) -> Said:
        """Write down a clip, mono at the model's rate, [samples]."""
        rate = self._features.sampling_rate
        longer = {} if len(waveform) <= self._features.n_samples else {"truncation": False, "padding": "longest"}
        inputs = self._features(waveform, sampling_rate=rate, return_tensors="pt", return_attention_mask=True, **longer)
        options = {"task": "transcribe"} if self._settings.is_multilingual else {}
        with torch.no_grad(), quiet():
            made = self._model.generate(
                inputs.input_features,
                attention_mask=inputs.attention_mask,
                return_timestamps=True,
                do_sample=False,
                **options,
            )
        tokens = [token for token in made[0].tolist() if token < self._settings.eos_token_id]
        return Said(self._tokenizer.decode(tokens).strip(), tokens)

    def window(self, waveform: Waveform, most: int) -> list[int]:
        """Greedy tokens of the first window, timestamps included, without what begins and ends it.

        ``generate`` of Whisper goes on through the padding of a short clip; this is the one call of the general
        ``generate`` that it makes for a window, with the same rules.

        Args:
            waveform: Mono at the model's rate, [samples].
            most: Most tokens.
        """
        settings = self._settings
        features = self._features(waveform, sampling_rate=self._features.sampling_rate, return_tensors="pt")
        prompt = [settings.decoder_start_token_id]
        with torch.no_grad(), quiet():
            if settings.is_multilingual:
                language = self._model.detect_language(features.input_features, generation_config=settings)
                prompt += [int(language), settings.task_to_id["transcribe"]]
            begin = len(prompt)
            made = GenerationMixin.generate(
                self._model,
                features.input_features,
                decoder_input_ids=torch.tensor([prompt]),
                generation_config=GenerationConfig(
                    eos_token_id=settings.eos_token_id, pad_token_id=settings.pad_token_id, max_new_tokens=most
                ),
                logits_processor=[
                    SuppressTokensLogitsProcessor(settings.suppress_tokens),
                    SuppressTokensAtBeginLogitsProcessor(settings.begin_suppress_tokens, begin),
                    WhisperTimeStampLogitsProcessor(settings, begin_index=begin),
                ],
            )
        new: list[int] = made[0, begin:].tolist()
        return new[: new.index(settings.eos_token_id)] if settings.eos_token_id in new else new
