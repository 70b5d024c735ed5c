"""Single notes of a handful of instruments: additive synthesis, and plucked strings after Karplus and Strong (1983)."""

from __future__ import annotations

import numpy as np

from synth.clip import SAMPLE_RATE, Rng, Wave
from synth.dsp import band, level, noise, seconds, summed, tone

INSTRUMENTS = ("bass", "brass", "flute", "guitar", "keyboard", "mallet", "organ", "string")
HARMONICS = np.arange(1, 25)


def hertz(midi: float) -> float:
    """Frequency of a MIDI note number in equal temperament, A4 = 69 = 440 Hz."""
    return float(440 * 2 ** ((midi - 69) / 12))


def note(rng: Rng, instrument: str, midi: int, velocity: int, duration: float) -> Wave:
    """One note.

    Args:
        rng: Source of vibrato phases and pluck noise.
        instrument: One of ``INSTRUMENTS``.
        midi: MIDI note number.
        velocity: MIDI velocity 1..127; louder notes are also brighter.
        duration: Seconds.

    Returns:
        Samples whose level follows ``velocity`` to the power 1.5.
    """
    force = velocity / 127
    bright = 0.45 + 0.55 * force
    wave = _struck(rng, instrument, hertz(midi), bright, duration)
    if wave is None:
        wave = _sustained(rng, instrument, hertz(midi), bright, duration)
    return level(wave, 0.2) * float(force**1.5)


def _swell(time: Wave, attack: float, release: float) -> Wave:
    swell: Wave = np.minimum(1, time / attack) * np.minimum(1, (time[-1] - time) / release)
    return swell


def _vibrato(rng: Rng, frequency: float, depth: float, time: Wave) -> Wave:
    wobble = np.sin(2 * np.pi * rng.uniform(5.0, 6.2) * time + rng.uniform(0, 6))
    return frequency * (1 + depth * wobble * np.minimum(1, time / 0.2))


def _sustained(rng: Rng, instrument: str, frequency: float, bright: float, duration: float) -> Wave:
    time = seconds(duration)
    if instrument == "organ":
        return tone(frequency, [1, 0.8, 0.6, 0.5, 0, 0.35, 0, 0.3], time) * _swell(time, 0.015, 0.02)
    if instrument == "flute":
        breath = band(noise(rng, duration), frequency, min(7000, frequency * 4))
        whistle = tone(_vibrato(rng, frequency, 0.004, time), [1, 0.25 * bright, 0.1 * bright, 0.03], time)
        return whistle * _swell(time, 0.07, 0.06) + 0.05 * breath * _swell(time, 0.04, 0.06)
    if instrument == "brass":
        envelope = _swell(time, 0.06, 0.06)
        partials = [bright ** (0.35 * k) for k in range(1, 16)]
        return tone(frequency, partials, time) * envelope**2
    partials_of_bow = 1 / HARMONICS ** (1.3 - 0.35 * bright)
    return tone(_vibrato(rng, frequency, 0.008, time), partials_of_bow, time) * _swell(time, 0.15, 0.1)


def _struck(rng: Rng, instrument: str, frequency: float, bright: float, duration: float) -> Wave | None:
    time = seconds(duration)
    if instrument == "guitar":
        return _plucked(rng, frequency, len(time), 0.996, bright) * _swell(time, 0.002, 0.02)
    if instrument == "bass":
        string = band(_plucked(rng, frequency, len(time), 0.998, bright / 2), 20, 500 + 400 * bright)
        return string * _swell(time, 0.004, 0.03) + 0.3 * np.sin(2 * np.pi * frequency * time) * np.exp(-2 * time)
    if instrument == "keyboard":
        parts = (
            (0.5 + 0.3 * bright) ** k * np.exp(-time * (1.5 + 0.9 * k)) * _sine(k * frequency, time)
            for k in range(1, 12)
        )
        return summed(parts) * _swell(time, 0.003, 0.03)
    if instrument == "mallet":
        bars = ((1, 1.0, 5), (3.93, 0.5 * bright, 14), (9.2, 0.3 * bright, 30))
        return summed(a * np.exp(-d * time) * _sine(r * frequency, time) for r, a, d in bars)
    return None


def _sine(frequency: float, time: Wave) -> Wave:
    return np.sin(2 * np.pi * frequency * time) if frequency < 7600 else np.zeros(len(time))


def _plucked(rng: Rng, frequency: float, samples: int, decay: float, bright: float) -> Wave:
    period = max(2, round(SAMPLE_RATE / frequency - 0.5))
    loop = rng.uniform(-1, 1, period)
    loop = (1 - bright) * 0.5 * (loop + np.roll(loop, 1)) + bright * loop
    rounds = []
    for _ in range(samples // period + 1):
        rounds.append(loop)
        loop = decay * 0.5 * (loop + np.roll(loop, 1))
    return np.concatenate(rounds)[:samples]
