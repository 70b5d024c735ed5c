"""Phi-4-multimodal (Microsoft 2025), sound and text only: clips of any length, twelve and a half tokens a second.

Facts of the format are those of ``Phi4MultimodalProcessor`` in transformers and of the published checkpoint, which
exists in two forms: model type ``phi4mm`` with code of its own, and ``phi4_multimodal`` for transformers.
"""

from __future__ import annotations

from math import ceil

import msgspec

from airbench_edge.audio.fixed_settings import check_settings
from airbench_edge.audio.speechlib import BINS, RATE, SETTINGS, speechlib_log_mel
from airbench_edge.audiolm.contract import ModelError, Waveform
from airbench_edge.audiolm.onnx.chat_template import find_template
from airbench_edge.audiolm.onnx.config import Config, TextConfig
from airbench_edge.audiolm.onnx.families.contract import PromptIds, Sound
from airbench_edge.audiolm.onnx.families.placeholder import fill, placeholder_id
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError

AUDIO_TOKENS = ("<|audio|>", "<|endoftext11|>")
"""The token in whose place the sound stands, as either form of the checkpoint calls it."""

_FEATURES = "input_features"
_FRAMES_A_TOKEN = 8


class _AudioConfig(msgspec.Struct, frozen=True):
    """Part ``audio_config``, which only the form for transformers has."""

    audio_token_id: int | None = None


class _PhiConfig(msgspec.Struct, frozen=True):
    """What ``config.json`` says beyond the decoder's fields, which stand beside these."""

    audio_config: _AudioConfig = _AudioConfig()
    original_max_position_embeddings: int = 4096


class Phi4Multimodal:
    """Processor of Phi-4-multimodal.

    Args:
        folder: The model folder.
        config: Its ``config.json``.

    Raises:
        InputError: Tokenizer, template, front end and configuration do not fit each other.
    """

    def __init__(self, folder: ModelFolder, config: Config) -> None:
        check_settings(folder.front_end(), SETTINGS, "the published Phi-4-multimodal")
        settings, text = folder.read("config.json", _PhiConfig), folder.read("config.json", TextConfig)
        assert settings is not None  # ModelFolder has seen the file
        assert text is not None
        self._text = text
        self._most_positions = settings.original_max_position_embeddings
        self._tokenizer = folder.tokenizer()
        known = (token for token in AUDIO_TOKENS if self._tokenizer.token_to_id(token) is not None)
        self._mark = next(known, AUDIO_TOKENS[0])
        named = msgspec.structs.replace(config, audio_token_id=settings.audio_config.audio_token_id)
        self._placeholder = placeholder_id(folder, named, self._tokenizer, self._mark)
        self._template = find_template(folder, self._mark, written=True)

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the waveforms it takes."""
        return RATE

    @property
    def text(self) -> TextConfig:
        """What ``config.json`` says of the decoder, outside of any part."""
        return self._text

    def check_encoder(self, encoder: Graph) -> None:
        """Compare the encoder's input with the front end.

        Raises:
            InputError: They do not fit; both sides are named.
        """
        if list(encoder.inputs) != [_FEATURES]:
            raise InputError(
                f"{encoder.path} has the inputs {', '.join(encoder.inputs)}; an encoder of Phi-4-multimodal has "
                f"{_FEATURES} alone: export the model with this program."
            )
        _, frames, bins = encoder.inputs[_FEATURES].shape
        if frames is not None or bins not in (None, BINS):
            raise InputError(
                f"{encoder.path} takes {frames or 'any number of'} frames of {bins} mel bins, Phi-4-multimodal makes "
                f"any number of frames of {BINS}: export the model with this program."
            )

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel of the whole clip; nothing is left out."""
        features = speechlib_log_mel(waveform)
        tokens = ceil(len(features) / _FRAMES_A_TOKEN)
        return Sound({_FEATURES: features[None]}, tokens, len(waveform) / RATE)

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """The conversation, with the sound right before the question.

        Raises:
            ModelError: It takes more positions than rotary embeddings for short prompts reach; beyond, the original
                model exchanges them for others, which an exported decoder cannot.
        """
        written = self._template.render_written(self._mark + text, system)
        prompt = fill(self._tokenizer.encode(written).ids, self._placeholder, audio_tokens)
        if len(prompt.ids) > self._most_positions:
            raise ModelError(
                f"the clip and its question take {len(prompt.ids)} positions, and an exported Phi-4-multimodal has "
                f"{self._most_positions}: cut the clip, a second of sound takes 12.5"
            )
        return prompt
