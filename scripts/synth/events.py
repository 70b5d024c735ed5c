"""Short everyday sounds, each by a rule of its own."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from synth.clip import Rng, Wave
from synth.dsp import band, faded, formants, level, noise, placed, seconds, summed, tone


def _beep(rng: Rng) -> Wave:
    return np.sin(2 * np.pi * rng.uniform(950, 1350) * seconds(rng.uniform(0.3, 0.45)))


def _bell(rng: Rng) -> Wave:
    time, base = seconds(rng.uniform(0.5, 0.65)), rng.uniform(500, 800)
    partials = ((1, 1.0, 4), (2.01, 0.6, 5), (2.76, 0.5, 6), (5.4, 0.4, 9))
    return summed(a * np.exp(-d * time) * np.sin(2 * np.pi * base * r * time) for r, a, d in partials)


def _bark(rng: Rng) -> Wave:
    def once() -> Wave:
        time = seconds(0.16)
        pitch = np.linspace(rng.uniform(420, 520), rng.uniform(220, 300), len(time))
        throat = tone(pitch, 1 / np.arange(1, 18) ** 0.7, time) + 0.5 * noise(rng, 0.16)
        return level(formants(throat, (700, 1400, 2600, 3600), 250) * np.hanning(len(time)), 0.2)

    return placed(0.5, [(0.0, once()), (0.26, once())])


def _siren(rng: Rng) -> Wave:
    time = seconds(rng.uniform(0.55, 0.65))
    return tone(900 + 350 * np.sin(2 * np.pi * rng.uniform(2.6, 3.4) * time), [1.0], time)


def _knock(rng: Rng) -> Wave:
    def once() -> Wave:
        return band(noise(rng, 0.08), 80, 500) * np.exp(-60 * seconds(0.08))

    return placed(0.45, [(0.15 * i, once()) for i in range(3)])


def _chirp(rng: Rng) -> Wave:
    def once() -> Wave:
        time = seconds(0.08)
        return tone(np.linspace(rng.uniform(3000, 3600), rng.uniform(4500, 5500), len(time)), [1.0], time) * np.hanning(
            len(time)
        )

    return placed(0.5, [(0.12 * i, once()) for i in range(4)])


def _glass(rng: Rng) -> Wave:
    time = seconds(rng.uniform(0.4, 0.55))
    shards = [
        0.5 * np.exp(-25 * np.maximum(time - start, 0)) * (time > start) * np.sin(2 * np.pi * pitch * time)
        for start, pitch in zip(rng.uniform(0, 0.2, 6), rng.uniform(3000, 7000, 6), strict=True)
    ]
    return band(rng.standard_normal(len(time)), 2500, 7500) * np.exp(-14 * time) + summed(shards)


def _engine(rng: Rng) -> Wave:
    duration, base = rng.uniform(0.5, 0.65), rng.uniform(55, 80)
    time = seconds(duration)
    motor = tone(base * (1 + 0.05 * np.sin(9 * time)), 1 / np.arange(1, 30) ** 0.6, time)
    return motor * (1 + 0.4 * np.sin(np.pi / 2 * base * time)) + 0.5 * band(noise(rng, duration), 50, 600)


def _rain(rng: Rng) -> Wave:
    return band(noise(rng, rng.uniform(0.5, 0.65)), 1200, 7000)


def _applause(rng: Rng) -> Wave:
    def clap() -> Wave:
        return band(noise(rng, 0.02), 800, 3500) * np.exp(-np.arange(320) / 60) * rng.uniform(0.4, 1)

    return placed(0.6, [(start, clap()) for start in rng.uniform(0, 0.57, 45)])


def _horn(rng: Rng) -> Wave:
    time = seconds(rng.uniform(0.4, 0.55))
    reeds = [1, 0.9, 0.8, 0.6, 0.5, 0.4, 0.3, 0.2]
    return tone(rng.uniform(330, 400), reeds, time) + tone(rng.uniform(410, 470), reeds, time)


def _whistle(rng: Rng) -> Wave:
    time = seconds(rng.uniform(0.4, 0.55))
    return tone(rng.uniform(1900, 2300) + 500 * time / time[-1], [1.0], time) + 0.03 * rng.standard_normal(len(time))


_MAKERS: dict[str, Callable[[Rng], Wave]] = {
    "beep": _beep,
    "bell": _bell,
    "bark": _bark,
    "siren": _siren,
    "knock": _knock,
    "chirp": _chirp,
    "glass": _glass,
    "engine": _engine,
    "rain": _rain,
    "applause": _applause,
    "horn": _horn,
    "whistle": _whistle,
}
EVENTS = tuple(_MAKERS)


def event(rng: Rng, name: str) -> Wave:
    """The everyday sound ``name``, 0.3 to 0.65 seconds long."""
    return faded(level(_MAKERS[name](rng), rng.uniform(0.09, 0.15)))
