"""A synthetic sound together with everything that is true of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

SAMPLE_RATE = 16_000
LONGEST_S = 4.0
"""The small model hears windows of this length; longer clips are cut when they are made."""

Wave: TypeAlias = npt.NDArray[np.float64]
Rng: TypeAlias = np.random.Generator
Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Event:
    """Something that happens from ``start`` to ``end``, in seconds."""

    label: str
    start: float
    end: float

    @property
    def interval(self) -> str:
        """As the benchmark writes it: ``[0.9, 1.5]``."""
        return f"[{self.start:.1f}, {self.end:.1f}]"


@dataclass(frozen=True)
class Clip:
    """A sound and its truth.

    Attributes:
        wave: Mono samples in -1..1 at 16 kHz, shape [samples].
        labels: What a listener could be asked: attribute to value, such as ``instrument`` to ``flute``.
        recipe: Everything that was drawn to make the sound, for telling clips apart.
        meta_info: Description for the judge.
        events: What happens when, in order of time.
    """

    wave: Wave
    labels: dict[str, str]
    recipe: str
    meta_info: str
    events: tuple[Event, ...] = field(default=())


def pick(rng: Rng, pool: Sequence[Choice]) -> Choice:
    """One member of ``pool``, each as likely as the others."""
    return pool[int(rng.integers(len(pool)))]


def shuffled(rng: Rng, pool: Sequence[Choice], count: int | None = None) -> list[Choice]:
    """``count`` different members of ``pool`` in random order, by default all."""
    return [pool[i] for i in rng.permutation(len(pool))[:count]]


def finish(wave: Wave) -> Wave:
    """Cut to the longest length and clip to -1..1, as written to a file."""
    return np.clip(wave[: int(LONGEST_S * SAMPLE_RATE)], -1.0, 1.0)
