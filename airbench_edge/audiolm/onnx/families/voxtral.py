"""Voxtral (Mistral AI 2025): Whisper windows, all of them full, eight frames a position, to a Mistral decoder.

Facts of the format are those of ``VoxtralProcessor`` in transformers and of the library mistral-common, which it leaves
the prompt to: published checkpoints have no chat template.
"""

from __future__ import annotations

from math import ceil

import msgspec

from airbench_edge.audio.mel import log_mel
from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.config import TextConfig
from airbench_edge.audiolm.onnx.families.contract import FEATURES, PromptIds, Sound
from airbench_edge.audiolm.onnx.families.windowed import Windowed
from airbench_edge.errors import InputError

_BEGIN = "[BEGIN_AUDIO]"
_FRAMES_A_TOKEN = 8  # a convolution of stride 2, then four neighbours in one


class Voxtral(Windowed):
    """Processor of Voxtral."""

    name = "Voxtral"
    placeholder = "[AUDIO]"
    template = "{{ '<s>[INST][BEGIN_AUDIO][AUDIO]' + messages[-1].content[1].text + '[/INST]' }}"

    @property
    def text(self) -> TextConfig:
        """What ``config.json`` says of the decoder; it need not name the end of an answer, mistral-common knows it."""
        if self._text.eos_token_id is not None:
            return self._text
        return msgspec.structs.replace(self._text, eos_token_id=self._tokenizer.token_to_id("</s>"))

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel of the clip with silence up to whole windows; nothing is left out.

        The loudest value, to which log-mel refers, is that of the clip and not of its window.
        """
        windows = ceil(len(waveform) / self._mel.samples)
        features = log_mel(waveform, self._mel, windows * self._mel.samples)
        features = features.reshape(self._mel.bins, windows, -1).transpose(1, 0, 2)
        tokens = windows * self._frames // _FRAMES_A_TOKEN
        return Sound(dict.fromkeys(FEATURES, features), tokens, len(waveform) / self._mel.sampling_rate)

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """The conversation; the start of the sound is marked whether the template does it or not.

        Raises:
            InputError: There is a system message, which mistral-common refuses beside a sound.
        """
        if system is not None:
            raise InputError("Voxtral takes no system message beside a sound: run it without.")
        before, after = self._template.render(text, None).split(self.placeholder, 1)
        ids = self._encode(before.removesuffix(_BEGIN) + _BEGIN)
        sound = slice(len(ids), len(ids) + audio_tokens)
        return PromptIds([*ids, *[self._placeholder] * audio_tokens, *self._encode(after)], sound)

    def _encode(self, text: str) -> list[int]:
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)
