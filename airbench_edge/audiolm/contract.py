"""What the rest of the program knows of an audio-LM."""

from __future__ import annotations

from typing import Protocol, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from airbench_edge.benchmark.items import ItemKey

Waveform: TypeAlias = npt.NDArray[np.float32]


class Identity(msgspec.Struct, frozen=True):
    """What distinguishes one audio-LM from another; two runs may be mixed only if it is equal.

    Attributes:
        kind: ``onnx``, ``recorded`` or ``cascade``.
        name: Short name for people.
        details: Everything that can change a response: family, file hashes, dtype of each graph, decoding limits.
    """

    kind: str
    name: str
    details: dict[str, str]


class Prompted(msgspec.Struct, frozen=True):
    """An item as the audio-LM sees it.

    Attributes:
        key: Identity of the item, for models that only look up recorded responses.
        prompt: The user text, official prompt of the item.
        clip: Identity of the sound: equal for items that share a clip, so that it is encoded once. Never shown to the
            model.
        waveform: Mono float32 samples at the model's ``sample_rate``, shape [samples]; None where the model needs no
            audio.
    """

    key: ItemKey
    prompt: str
    clip: str
    waveform: Waveform | None


class Answer(msgspec.Struct, frozen=True):
    """What an audio-LM said.

    Attributes:
        text: The response, special tokens removed, nothing else edited; None where a recorded model has none.
        finish: ``stop``, ``length`` or ``unknown``.
        heard_s: Seconds of the clip that reached the model; None if unknown.
    """

    text: str | None
    finish: str
    heard_s: float | None


class AudioLM(Protocol):
    """Audio and text in, text out."""

    @property
    def identity(self) -> Identity:
        """What this model is."""
        ...

    @property
    def sample_rate(self) -> int | None:
        """Rate in Hz at which it wants its audio; None where it needs none."""
        ...

    @property
    def providers(self) -> dict[str, str]:
        """Session name to the execution provider that it really got; empty for models without sessions."""
        ...

    def answer(self, item: Prompted) -> Answer:
        """Answer one item; items of one clip come in a row, so that its sound need be encoded once only.

        Raises:
            ModelError: The item could not be answered; others are not affected.
        """
        ...


class ModelError(Exception):
    """The audio-LM failed on one item."""
