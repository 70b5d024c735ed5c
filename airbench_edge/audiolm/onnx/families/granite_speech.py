"""Granite Speech (Saon et al. 2025): a conformer and a window of queries before a Granite text model.

Facts of the format are those of the published checkpoint's processor in transformers. It was trained to transcribe and
to translate: answers to other questions are outside what its makers claim.
"""

from __future__ import annotations

from math import ceil

import msgspec

from airbench_edge.audio.fixed_settings import check_settings
from airbench_edge.audio.granite_mel import RATE, SETTINGS, WIDTH, paired_log_mel
from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.chat_template import find_template
from airbench_edge.audiolm.onnx.config import Config, TextConfig
from airbench_edge.audiolm.onnx.families.contract import PromptIds, Sound
from airbench_edge.audiolm.onnx.families.placeholder import placeholder_id
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError

AUDIO = "<|audio|>"
CLOCK = "strftime_now"
"""What templates ask today's date from where they get no system message; prompts must not change with the day."""
DATED = (
    "Knowledge Cutoff Date: April 2024.\nToday's Date: December 19, 2024.\n"
    "You are Granite, developed by IBM. You are a helpful AI assistant"
)
"""The system message of IBM's own examples, for such templates."""


class _Projector(msgspec.Struct, frozen=True):
    """What ``config.json`` says of the window of queries."""

    window_size: int = 15
    downsample_rate: int = 5


class _Extractor(msgspec.Struct, frozen=True):
    """What ``preprocessor_config.json`` says of it."""

    projector_window_size: int = 15
    projector_downsample_rate: int = 5


class GraniteSpeech:
    """Processor of Granite Speech.

    Args:
        folder: The model folder.
        config: Its ``config.json``.

    Raises:
        InputError: Tokenizer, template and configurations do not fit each other.
    """

    def __init__(self, folder: ModelFolder, config: Config) -> None:
        self._projector = _projector(folder)
        self._text = config.text_config
        self._tokenizer = folder.tokenizer()
        placeholder_id(folder, config, self._tokenizer, AUDIO)
        self._system = DATED if CLOCK in (folder.chat_template() or "") else None
        self._template = find_template(folder, AUDIO, written=True, system=self._system)

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the waveforms it takes."""
        return RATE

    @property
    def text(self) -> TextConfig:
        """What ``config.json`` says of the decoder."""
        return self._text

    def check_encoder(self, encoder: Graph) -> None:
        """Compare the encoder's inputs with the configurations.

        Raises:
            InputError: They do not fit; both sides are named.
        """
        if list(encoder.inputs) != ["input_features"]:
            raise InputError(
                f"{encoder.path} has the inputs {', '.join(encoder.inputs)}; the encoder of Granite Speech has "
                "input_features alone: export the model in this layout."
            )
        _, frames, width = encoder.inputs["input_features"].shape
        if frames is not None or width not in (None, WIDTH):
            raise InputError(
                f"{encoder.path} takes {frames or 'any number of'} frames of width {width}, Granite Speech makes any "
                f"number of frames of width {WIDTH}: both must come from one model."
            )

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel of the whole clip; its last window of queries may be filled partly."""
        features = paired_log_mel(waveform)
        window = self._projector.window_size
        tokens = ceil(len(features) / window) * (window // self._projector.downsample_rate)
        return Sound({"input_features": features[None]}, tokens, len(waveform) / RATE)

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """The conversation; the sound's positions hold 0, as in the original: vocabularies may end before its token."""
        written = self._template.render_written(AUDIO + text, self._system if system is None else system)
        before, after = (self._tokenizer.encode(part, add_special_tokens=False).ids for part in written.split(AUDIO, 1))
        sound = slice(len(before), len(before) + audio_tokens)
        return PromptIds([*before, *[0] * audio_tokens, *after], sound)


def _projector(folder: ModelFolder) -> _Projector:
    front_end = folder.front_end()
    check_settings(front_end, SETTINGS, "the published models of Granite Speech")
    extractor = msgspec.convert(front_end, _Extractor)
    projector = folder.read("config.json", _Projector)
    assert projector is not None  # ModelFolder has seen the file
    made = (extractor.projector_window_size, extractor.projector_downsample_rate)
    if made != (projector.window_size, projector.downsample_rate):
        raise InputError(
            f"{folder.path}: preprocessor_config.json counts windows of {made[0]} by {made[1]}, config.json has "
            f"{projector.window_size} by {projector.downsample_rate}: both must come from one model."
        )
    return projector
