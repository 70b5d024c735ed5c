"""The few operations on samples that every generator needs; all at 16 kHz, all without state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from synth.clip import SAMPLE_RATE, Rng, Wave

HIGHEST_HZ = 7600.0
"""Partials above are left out, so that nothing folds back at 8 kHz."""


def seconds(duration: float) -> Wave:
    """Time axis of a sound of ``duration`` seconds, shape [samples]."""
    return np.arange(int(duration * SAMPLE_RATE)) / SAMPLE_RATE


def loudness(wave: Wave) -> float:
    """Root mean square."""
    return float(np.sqrt(np.mean(wave**2)))


def level(wave: Wave, rms: float) -> Wave:
    """``wave`` scaled to the root mean square ``rms``."""
    return wave * (rms / (loudness(wave) + 1e-9))


def faded(wave: Wave, attack: float = 0.008, release: float = 0.02) -> Wave:
    """``wave`` with linear ramps of the given seconds at both ends."""
    n = len(wave)
    rise, fall = min(int(attack * SAMPLE_RATE), n // 2), min(int(release * SAMPLE_RATE), n // 2)
    out = wave.copy()
    out[:rise] *= np.linspace(0, 1, rise)
    out[n - fall :] *= np.linspace(1, 0, fall)
    return out


def shaped(wave: Wave, gain: Callable[[Wave], Wave]) -> Wave:
    """``wave`` filtered by ``gain``, a function from frequencies in Hz to factors."""
    frequency = np.asarray(np.fft.rfftfreq(len(wave), 1 / SAMPLE_RATE) + 1e-6, dtype=np.float64)
    return np.fft.irfft(np.fft.rfft(wave) * gain(frequency), len(wave))


def band(wave: Wave, low: float, high: float) -> Wave:
    """``wave`` between two corner frequencies in Hz, with steep skirts."""
    return shaped(wave, lambda f: 1 / (1 + (low / f) ** 8) / (1 + (f / high) ** 8))


def formants(wave: Wave, centres: Sequence[float], width: float) -> Wave:
    """``wave`` through resonances at ``centres`` Hz that grow weaker upwards, as a vocal tract has."""
    gains = (1.0, 0.6, 0.3, 0.15)
    return shaped(
        wave, lambda f: sum((a / (1 + ((f - c) / width) ** 2) for c, a in zip(centres, gains, strict=False)), 0 * f)
    )


def noise(rng: Rng, duration: float, slope: float = 0.0) -> Wave:
    """Noise of ``duration`` seconds whose amplitude falls as frequency to the power ``slope``; 0 is white, 1 brown."""
    white = rng.standard_normal(int(duration * SAMPLE_RATE))
    return level(shaped(white, lambda f: np.maximum(f, 20.0) ** -slope), 1.0)


def summed(parts: Iterable[Wave]) -> Wave:
    """The sum of sounds of one length."""
    return np.asarray(np.sum(list(parts), axis=0), dtype=np.float64)


def tone(frequency: float | Wave, amplitudes: Sequence[float] | Wave, time: Wave) -> Wave:
    """Sum of harmonics; ``frequency`` is a number or a curve in Hz, ``amplitudes[k]`` belongs to harmonic k + 1."""
    curve = np.broadcast_to(np.asarray(frequency, dtype=np.float64), time.shape)
    phase = 2 * np.pi * np.cumsum(curve) / SAMPLE_RATE
    out = np.zeros(len(time))
    for k, amplitude in enumerate(amplitudes, 1):
        if float(curve.max()) * k > HIGHEST_HZ:
            break
        out += amplitude * np.sin(k * phase + k)
    return out


def placed(duration: float, parts: Iterable[tuple[float, Wave]]) -> Wave:
    """Silence of ``duration`` seconds with each part added at its start second; what sticks out is cut."""
    out = np.zeros(int(duration * SAMPLE_RATE))
    for start, wave in parts:
        first = int(start * SAMPLE_RATE)
        room = max(0, min(len(wave), len(out) - first))
        out[first : first + room] += wave[:room]
    return out


def reverberated(rng: Rng, wave: Wave, tail: float, share: float) -> Wave:
    """``wave`` in a room: plus ``share`` of itself convolved with ``tail`` seconds of decaying noise."""
    room = rng.standard_normal(int(tail * SAMPLE_RATE)) * np.exp(-np.linspace(0, 6, int(tail * SAMPLE_RATE)))
    size = len(wave) + len(room) - 1
    wet = np.fft.irfft(np.fft.rfft(wave, size) * np.fft.rfft(room / np.linalg.norm(room), size), size)[: len(wave)]
    return wave + share * wet


def with_floor(rng: Rng, wave: Wave, rms: float = 0.002) -> Wave:
    """``wave`` over a faint noise floor, so that no clip is digitally silent between its sounds."""
    return wave + rms * rng.uniform(0.3, 1.0) * rng.standard_normal(len(wave))
