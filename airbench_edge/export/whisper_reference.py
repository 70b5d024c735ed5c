"""Whisper as transformers runs it, to compare an export with."""

from __future__ import annotations

from collections.abc import Sequence
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

    Attributes:
        model: The model.
    """

    def __init__(self, checkpoint: Path) -> None:
        with quiet():
            self.model = WhisperForConditionalGeneration.from_pretrained(checkpoint, local_files_only=True).eval()
            self._features = WhisperFeatureExtractor.from_pretrained(checkpoint, local_files_only=True)
        self._tokenizer = Tokenizer.from_file(str(checkpoint / "tokenizer.json"))
        self._settings = GenerationConfig.from_pretrained(checkpoint, local_files_only=True)

    def transcribe(self, waveform: Waveform) -> Said:
        """Write down a clip, mono at the model's rate, [samples].

        A clip that fits into a window is decoded as one: ``generate`` of Whisper would go on through its padding.
        """
        longest: int = self._features.n_samples
        return self._said(self.window(waveform)) if len(waveform) <= longest else self.generate(waveform)

    def generate(self, waveform: Waveform) -> Said:
        """Write down a clip with one call of ``generate``, mono at the model's rate, [samples]."""
        longer = {} if len(waveform) <= self._features.n_samples else {"truncation": False, "padding": "longest"}
        inputs = self._features(
            waveform,
            sampling_rate=self._features.sampling_rate,
            return_tensors="pt",
            return_attention_mask=True,
            **longer,
        )
        options = {"task": "transcribe"} if self._settings.is_multilingual else {}
        with torch.no_grad(), quiet():
            made = self.model.generate(
                inputs.input_features,
                attention_mask=inputs.attention_mask,
                return_timestamps=True,
                do_sample=False,
                **options,
            )
        return self._said(made[0].tolist())

    def window(self, waveform: Waveform, most: int = 224) -> list[int]:
        """Greedy tokens of the first window, timestamps included, without what begins and ends it.

        This is the one call of the general ``generate`` that Whisper's own makes for a window, with the same rules.

        Args:
            waveform: Mono at the model's rate, [samples].
            most: Most tokens.
        """
        settings = self._settings
        features = self._features(waveform, sampling_rate=self._features.sampling_rate, return_tensors="pt")
        prompt = [settings.decoder_start_token_id]
        with torch.no_grad(), quiet():
            if settings.is_multilingual:
                language = self.model.detect_language(features.input_features, generation_config=settings)
                prompt += [int(language), settings.task_to_id["transcribe"]]
            begin = len(prompt)
            made = GenerationMixin.generate(
                self.model,
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

    def _said(self, made: Sequence[int]) -> Said:
        tokens = [token for token in made if token < self._settings.eos_token_id]
        return Said(self._tokenizer.decode(tokens).strip(), tokens)
