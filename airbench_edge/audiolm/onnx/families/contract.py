"""What the runtime must be told about a model family."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy.typing as npt

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.audiolm.onnx.config import TextConfig
from airbench_edge.audiolm.onnx.sessions import Graph

FEATURES = ("input_features", "audio_values")
"""Names that exporters give to the encoder's main input."""


class Sound(NamedTuple):
    """A clip, ready for the encoder.

    Attributes:
        inputs: Name to tensor, for the graph ``audio_encoder``.
        tokens: Positions that it takes in the prompt: the first rows of the encoder's output.
        heard_s: Seconds of it that reach the model.
    """

    inputs: dict[str, npt.NDArray[Any]]
    tokens: int
    heard_s: float


class PromptIds(NamedTuple):
    """A prompt in token ids.

    Attributes:
        ids: All of them; those at the sound's positions are placeholders.
        audio: Where the sound's features go.
    """

    ids: list[int]
    audio: slice


class Family(Protocol):
    """One model family, seen by the runtime."""

    @property
    def sample_rate(self) -> int:
        """Rate in Hz of the waveforms it takes."""
        ...

    @property
    def text(self) -> TextConfig:
        """What ``config.json`` says of the decoder, wherever the family keeps it."""
        ...

    def check_encoder(self, encoder: Graph) -> None:
        """Compare the encoder's inputs with the configurations.

        Raises:
            InputError: They do not fit; both sides are named.
        """
        ...

    def sound(self, waveform: Waveform) -> Sound:
        """Turn a waveform into the encoder's inputs."""
        ...

    def prompt(self, text: str, system: str | None, audio_tokens: int) -> PromptIds:
        """Put question and sound into the family's conversation format."""
        ...
