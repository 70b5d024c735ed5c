"""Qwen-Audio-Chat (Chu et al. 2023): log-mel of the clip's own length, in place of a pair of tags.

Facts of the format are those of the published ``audio.py``, ``tokenization_qwen.py`` and ``qwen_generation_utils.py``
(github.com/QwenLM/Qwen-Audio).
"""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from airbench_edge.audio.mel import MelSettings, log_mel
from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.chat_template import find_template
from airbench_edge.audiolm.onnx.config import Config, TextConfig
from airbench_edge.audiolm.onnx.families.chatml import chatml
from airbench_edge.audiolm.onnx.families.contract import PromptIds, Sound
from airbench_edge.audiolm.onnx.families.placeholder import check_whole
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError

_BEGIN, _PAD, _END = "<audio>", "[[[AUDIO:modality]]]", "</audio>"

_FEWEST_FRAMES = 3
"""Below, nothing would be left after halving twice, and the published code fails."""


class _Audio(msgspec.Struct, frozen=True):
    """Part ``audio`` of ``config.json``."""

    n_mels: int
    n_ctx: int
    audio_start_id: int


class _QwenConfig(TextConfig, frozen=True):
    """``config.json``, where the decoder's settings stand at the top."""

    audio: _Audio | None = None


class QwenAudio:
    """Processor of Qwen-Audio-Chat.

    Args:
        folder: The model folder.
        config: Its ``config.json``.

    Raises:
        InputError: It is a Qwen for text alone, or tokenizer, template and configuration do not fit each other.
    """

    def __init__(self, folder: ModelFolder, config: Config) -> None:
        settings = folder.read("config.json", _QwenConfig)
        if settings is None or settings.audio is None:
            raise InputError(f"{folder.path / 'config.json'} has no part named audio: it is a Qwen for text alone.")
        self._text = settings
        self._mel = MelSettings.from_config(folder.front_end())
        _check_window(folder, self._mel, settings.audio)
        self._tokenizer = folder.tokenizer()
        self._begin, self._pad, self._end = _tags(folder, self._tokenizer, settings.audio)
        template = chatml(f"Audio 1:{_BEGIN}{_END}\\n")
        self._template = find_template(folder, _BEGIN + _END, built_in=template)

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the waveforms it takes."""
        return self._mel.sampling_rate

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
                f"{encoder.path} has the inputs {', '.join(encoder.inputs)}; the encoder of Qwen-Audio has "
                "input_features alone: export the model in this layout."
            )
        bins = encoder.inputs["input_features"].shape[1]
        if bins is not None and bins != self._mel.bins:
            raise InputError(
                f"{encoder.path} takes {bins} mel bins, preprocessor_config.json makes {self._mel.bins}: "
                "both must come from one model."
            )

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel up to where the sound ends; its loudest value is sought in the whole window, silence included.

        Two positions more than the sound has are the embeddings in place of the tags.
        """
        heard = waveform[: self._mel.samples]
        positions = (max(len(heard) // self._mel.hop_length, _FEWEST_FRAMES) - 1) // 2 + 1
        features = np.ascontiguousarray(log_mel(heard, self._mel)[None, :, : 2 * positions])
        inputs: dict[str, npt.NDArray[Any]] = {"input_features": features}
        return Sound(inputs, positions // 2 + 2, len(heard) / self._mel.sampling_rate)

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """The conversation, with the first pair of tags made as long as the sound."""
        ids = self._tokenizer.encode(self._template.render(text, system)).ids
        at = ids.index(self._begin)
        sound = [self._begin, *[self._pad] * (audio_tokens - 2), self._end]
        return PromptIds([*ids[:at], *sound, *ids[at + 2 :]], slice(at, at + audio_tokens))


def _check_window(folder: ModelFolder, mel: MelSettings, audio: _Audio) -> None:
    frames = mel.samples // mel.hop_length
    if (mel.bins, frames) != (audio.n_mels, 2 * audio.n_ctx):
        raise InputError(
            f"{folder.path}: preprocessor_config.json makes {mel.bins} mel bins and {frames} frames, config.json wants "
            f"{audio.n_mels} (n_mels) and {2 * audio.n_ctx} (twice n_ctx): both must come from one model."
        )


def _tags(folder: ModelFolder, tokenizer: Tokenizer, audio: _Audio) -> tuple[int, int, int]:
    """Ids of the tag before the sound, of what stands in its place, and of the tag after it."""
    begin, pad, end = (tokenizer.token_to_id(tag) for tag in (_BEGIN, _PAD, _END))
    if begin is None or pad is None or end is None or (begin, end) != (audio.audio_start_id, audio.audio_start_id + 1):
        raise InputError(
            f"{folder.path}: {_BEGIN}, {_PAD} and {_END} have the ids {begin}, {pad} and {end} in tokenizer.json, "
            f"config.json has {audio.audio_start_id} (audio_start_id) for the first and the next one for the last: "
            "both must come from one model."
        )
    for tag in (_BEGIN, _END):
        check_whole(folder, tokenizer, tag)
    return begin, pad, end
