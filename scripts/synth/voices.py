"""Speech from espeak-ng, and two casts that share no voice, no sentence and no pace."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

import numpy as np
import soxr

from synth.clip import SAMPLE_RATE, Rng, Wave, pick
from synth.dsp import level

_ESPEAK_RATE, _WAV_HEADER_BYTES = 22_050, 44
_SPOKEN = 0.01
"""Samples above this count as speech when silence is trimmed at both ends."""


@dataclass(frozen=True)
class Cast:
    """Who performs, and how.

    Attributes:
        male: Variants of espeak-ng.
        female: Variants of espeak-ng.
        sentences: What is said where the words do not matter.
        turn_s: Seconds that an instrument plays before the next one takes over.
        repeat_s: Seconds from one repetition of a sound to the next.
    """

    male: tuple[str, ...]
    female: tuple[str, ...]
    sentences: tuple[str, ...]
    turn_s: float
    repeat_s: float

    def voice(self, rng: Rng, gender: str) -> str:
        """Some voice of ``gender``."""
        return pick(rng, self.male if gender == "male" else self.female)


LESSONS = Cast(
    male=("m1", "m2", "m4", "m6", "m8", "Alex", "Andy", "Mike", "edward", "robert", "boris", "john"),
    female=("f1", "f2", "f4", "Annie", "aunty", "belinda", "shelby", "grandma"),
    sentences=(
        "I will see you there",
        "please call me later",
        "the train is late again",
        "we can talk about it",
        "open the door now",
        "it is on the table",
        "my brother lives here",
        "nobody knows the answer",
        "she found a new job",
        "that was a long way",
    ),
    turn_s=0.7,
    repeat_s=0.75,
)
EXAM = Cast(
    male=("m3", "m5", "m7", "benjamin"),
    female=("f3", "f5", "linda"),
    sentences=(
        "they will come back soon",
        "the shop is closed today",
        "he left his keys inside",
        "we need a bigger box",
        "this road goes to the lake",
        "I forgot to write it down",
    ),
    turn_s=0.66,
    repeat_s=0.7,
)


@dataclass(frozen=True)
class Utterance:
    """What espeak-ng is asked to say; ``rate`` in words a minute, ``pitch`` 0..99."""

    text: str
    voice: str
    rate: int = 175
    pitch: int = 50
    language: str = "en-us"

    def speak(self, rms: float = 0.1) -> Wave:
        """The samples, silence at both ends removed, at the level ``rms``.

        Raises:
            FileNotFoundError: espeak-ng is not installed.
        """
        options = ["-v", f"{self.language}+{self.voice}", "-s", str(self.rate), "-p", str(self.pitch), "-z", "--stdout"]
        said = subprocess.run(["espeak-ng", *options, self.text], capture_output=True, check=True).stdout
        samples = np.frombuffer(said[_WAV_HEADER_BYTES:], dtype="<i2").astype(np.float64) / 32768
        wave = soxr.resample(samples, _ESPEAK_RATE, SAMPLE_RATE)
        spoken = np.flatnonzero(np.abs(wave) > _SPOKEN)
        return level(wave[max(0, spoken[0] - 80) : spoken[-1] + 80], rms)


def drawn(rng: Rng, cast: Cast, text: str, gender: str) -> Utterance:
    """``text`` by some voice of ``gender`` at an everyday rate and pitch."""
    return Utterance(text, cast.voice(rng, gender), int(rng.integers(160, 196)), int(rng.integers(38, 63)))
