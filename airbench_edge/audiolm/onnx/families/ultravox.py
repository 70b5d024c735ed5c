"""Ultravox (Fixie.ai 2024): a Whisper encoder without its padding to 30 s, eight frames to a token of a text model.

Facts of the format are those of ``UltravoxProcessor``, which comes with the checkpoints (version 0.6 of it).
"""

from __future__ import annotations

from math import ceil

import msgspec
import numpy as np

from airbench_edge.audio.mel import MelSettings, log_mel
from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.chat_template import find_template, special_tokens
from airbench_edge.audiolm.onnx.config import Config, TextConfig
from airbench_edge.audiolm.onnx.families.contract import FEATURES, PromptIds, Sound
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError

_AUDIO = "<|audio|>"
_PLACED = _AUDIO + " \n\n"  # between the sound and an instruction, in the checkpoints' own evaluation of such tasks
_END_OF_TURN = "<|eot_id|>"

_LENGTHS = "audio_lens"
_WHISPER_POSITIONS = 1500
_SHORTEST_HOPS = 2


class _Stacking(msgspec.Struct, frozen=True):
    """What ``config.json`` of an Ultravox says beyond the common fields."""

    stack_factor: int = 8


class Ultravox:
    """Processor of Ultravox.

    Args:
        folder: The model folder.
        config: Its ``config.json``.

    Raises:
        InputError: Tokenizer, template and configuration do not fit each other.
    """

    def __init__(self, folder: ModelFolder, config: Config) -> None:
        self._mel = MelSettings.from_config(folder.front_end())
        self._window = 2 * (config.audio_config.max_source_positions or _WHISPER_POSITIONS)
        stacking = folder.read("config.json", _Stacking)
        assert stacking is not None  # ModelFolder has seen the file
        self._frames_a_token = 2 * stacking.stack_factor
        self._tokenizer = folder.tokenizer()
        self._placeholder = self._end_of_text(folder, special_tokens(folder).get("eos_token"))
        self._text = self._stops(config.text_config)
        self._template = find_template(folder, _AUDIO, written=True)

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the waveforms it takes."""
        return self._mel.sampling_rate

    @property
    def text(self) -> TextConfig:
        """What ``config.json`` says of the decoder; published ones say nothing and name the text model instead."""
        return self._text

    def check_encoder(self, encoder: Graph) -> None:
        """Compare the encoder's inputs with the configurations.

        Raises:
            InputError: They do not fit; both sides are named.
        """
        features = next((encoder.inputs[name] for name in FEATURES if name in encoder.inputs), None)
        unknown = [name for name in encoder.inputs if name not in (*FEATURES, _LENGTHS)]
        if features is None or unknown:
            raise InputError(
                f"{encoder.path} has the inputs {', '.join(encoder.inputs)}; an Ultravox encoder has "
                f"{' or '.join(FEATURES)}, and may have {_LENGTHS}: export the model in this layout."
            )
        _, bins, frames = features.shape
        if bins is not None and bins != self._mel.bins:
            raise InputError(
                f"{encoder.path} takes {bins} mel bins, preprocessor_config.json makes {self._mel.bins}: "
                "both must come from one model."
            )
        if frames is not None:
            raise InputError(
                f"{encoder.path} takes {frames} frames and no other number, Ultravox makes as many as a clip has: "
                "export the model with a free last axis."
            )

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel of the whole clip, cut into windows of 30 s; nothing is left out.

        The loudest value, to which log-mel refers, is that of the clip and not of its window; the last of several
        windows is filled up with zeros.
        """
        frames = self._mel.frames(max(len(waveform), _SHORTEST_HOPS * self._mel.hop_length))
        features = log_mel(waveform, self._mel, frames * self._mel.hop_length)
        windows = ceil(frames / self._window)
        if windows > 1:
            features = np.pad(features, ((0, 0), (0, windows * self._window - frames)))
        features = features.reshape(self._mel.bins, windows, -1).transpose(1, 0, 2)
        lengths = np.minimum(self._window, frames - self._window * np.arange(windows))
        inputs = {**dict.fromkeys(FEATURES, features), _LENGTHS: lengths}
        tokens = int(np.ceil(lengths / self._frames_a_token).sum())
        return Sound(inputs, tokens, len(waveform) / self._mel.sampling_rate)

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """The conversation, cut at the sound and put into tokens piece by piece, as the original processor does.

        The sound's positions hold the end of text: the mark itself has no row in the text model's embeddings.
        """
        before, after = self._template.render_written(_PLACED + text, system).split(_AUDIO, 1)
        ids = self._encode(before)
        sound = slice(len(ids), len(ids) + audio_tokens)
        return PromptIds([*ids, *[self._placeholder] * audio_tokens, *self._encode(after)], sound)

    def _encode(self, text: str) -> list[int]:
        """Token ids; a mark that the question itself holds is spelt, as some tokenizers know it as one token."""
        pieces = text.replace(_AUDIO, f"{_AUDIO[:2]}\0{_AUDIO[2:]}").split("\0")
        return [token for piece in pieces for token in self._tokenizer.encode(piece, add_special_tokens=False).ids]

    def _end_of_text(self, folder: ModelFolder, name: str | None) -> int:
        token = None if name is None else self._tokenizer.token_to_id(name)
        if token is None:
            raise InputError(
                f"{folder.path}: tokenizer_config.json calls the end of text {name!r}, which tokenizer.json does not "
                "know: both must come from one model."
            )
        return int(token)

    def _stops(self, text: TextConfig) -> TextConfig:
        """The original pipeline stops at the end of text and at the end of turn, whatever the configurations say."""
        if text.eos_token_id is not None:
            return text
        ends = (self._placeholder, self._tokenizer.token_to_id(_END_OF_TURN))
        return msgspec.structs.replace(text, eos_token_id=[token for token in ends if token is not None])
