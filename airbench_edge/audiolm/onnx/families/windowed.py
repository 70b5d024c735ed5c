"""Families that cut a clip into Whisper's windows, encode each, and let the sound stand for one token of the template.

The features of the windows follow each other in the prompt; all windows but the last are full.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from airbench_edge.audio.mel import MelSettings, log_mel
from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.chat_template import find_template
from airbench_edge.audiolm.onnx.config import Config, TextConfig
from airbench_edge.audiolm.onnx.families.contract import FEATURES, PromptIds, Sound
from airbench_edge.audiolm.onnx.families.placeholder import fill, placeholder_id
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.sessions import Graph
from airbench_edge.errors import InputError


class Windowed:
    """Processor of such a family.

    Args:
        folder: The model folder.
        config: Its ``config.json``.

    Attributes:
        name: Name of the family, for messages.
        placeholder: Token of the template that stands for the sound.
        template: Chat template of a folder without one.
        mask: Name of the encoder's input that marks frames of sound; may be absent from a graph. Empty: has none.
        seconds: Most seconds that the family's own processor takes; None for one window.

    Raises:
        InputError: Tokenizer, template and configuration do not fit each other.
    """

    name: ClassVar[str]
    placeholder: ClassVar[str]
    template: ClassVar[str]
    mask: ClassVar[str] = ""
    seconds: ClassVar[int | None] = None

    def __init__(self, folder: ModelFolder, config: Config) -> None:
        self._mel = MelSettings.from_config(folder.front_end())
        self._frames = self._mel.samples // self._mel.hop_length
        self._windows = _most_windows(folder, self._mel, self.seconds)
        self._text = config.text_config
        self._tokenizer = folder.tokenizer()
        self._placeholder = placeholder_id(folder, config, self._tokenizer, self.placeholder)
        self._template = find_template(folder, self.placeholder, built_in=self.template)
        bins, positions = config.audio_config.num_mel_bins, config.audio_config.max_source_positions
        if bins is not None and bins != self._mel.bins:
            raise InputError(
                f"{folder.path}: preprocessor_config.json makes {self._mel.bins} mel bins (feature_size), config.json "
                f"wants {bins} (num_mel_bins): both must come from one model."
            )
        if positions is not None and 2 * positions != self._frames:
            raise InputError(
                f"{folder.path}: preprocessor_config.json makes {self._frames} frames (chunk_length), config.json "
                f"wants {2 * positions} (twice max_source_positions): both must come from one model."
            )

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
        features = next((encoder.inputs[name] for name in FEATURES if name in encoder.inputs), None)
        unknown = [name for name in encoder.inputs if name not in (*FEATURES, self.mask)]
        if features is None or unknown:
            mask = self.mask and f", and may have {self.mask}"
            raise InputError(
                f"{encoder.path} has the inputs {', '.join(encoder.inputs)}; the encoder of {self.name} has "
                f"{' or '.join(FEATURES)}{mask}: export the model in this layout."
            )
        made = (None, self._mel.bins, self._frames)
        for what, wanted, length in zip(("windows", "mel bins", "frames"), features.shape, made, strict=True):
            if wanted is not None and length is not None and wanted != length:
                raise InputError(
                    f"{encoder.path} takes {wanted} {what}, preprocessor_config.json makes {length}: "
                    "both must come from one model."
                )

    @staticmethod
    def tokens(frames: int) -> int:
        """Positions that a sound takes in the prompt: here after a convolution of stride 2 and pooling in pairs.

        Args:
            frames: Log-mel frames of the sound in all windows, padding not counted.
        """
        after_convolution = (frames - 1) // 2 + 1
        return (after_convolution - 2) // 2 + 1

    def sound(self, waveform: Waveform) -> Sound:
        """Log-mel of the windows; what a clip has beyond the last one is not heard, as in the original processor."""
        heard = waveform[: self._windows * self._mel.samples]
        cuts = [heard[start : start + self._mel.samples] for start in range(0, len(heard), self._mel.samples)]
        frames = [self._mel.frames(len(cut)) for cut in cuts]
        features = np.stack([log_mel(cut, self._mel) for cut in cuts])
        mask = (np.arange(self._frames) < np.array(frames)[:, None]).astype(np.int64)
        inputs: dict[str, npt.NDArray[Any]] = {**dict.fromkeys(FEATURES, features), self.mask: mask}
        tokens = self.tokens(sum(frames))
        return Sound(inputs, tokens, len(heard) / self._mel.sampling_rate if tokens else 0.0)

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """The conversation, with the first placeholder repeated for each position of the sound."""
        ids = self._tokenizer.encode(self._template.render(text, system)).ids
        return fill(ids, self._placeholder, audio_tokens)


def _most_windows(folder: ModelFolder, mel: MelSettings, seconds: int | None) -> int:
    if seconds is None:
        return 1
    settings = folder.read("processor_config.json", dict[str, Any]) or {}
    longest = settings.get("max_audio_len", seconds)
    if not isinstance(longest, int | float) or longest < mel.chunk_s:
        raise InputError(
            f"{folder.path / 'processor_config.json'}: max_audio_len must be a number of seconds, at least the "
            f"{mel.chunk_s} of a window, not {longest!r}."
        )
    return int(longest // mel.chunk_s)
