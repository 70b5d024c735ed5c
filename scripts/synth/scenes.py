"""Background sound of places."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from synth.clip import Rng, Wave
from synth.dsp import band, formants, level, noise, placed, seconds, summed, tone
from synth.events import event


def _scattered(rng: Rng, duration: float, count: int, one: Callable[[], Wave]) -> Wave:
    return placed(duration, [(start, one()) for start in rng.uniform(0, max(0.1, duration - 0.3), count)])


def _slow(rng: Rng, low: float, high: float, time: Wave) -> Wave:
    return np.sin(2 * np.pi * rng.uniform(low, high) * time + rng.uniform(0, 6))


def _street(rng: Rng, d: float) -> Wave:
    traffic = band(noise(rng, d), 200, 1500) * (1 + 0.8 * _slow(rng, 0.2, 0.5, seconds(d)))
    return 0.6 * noise(rng, d, 1.0) + 0.5 * traffic + _scattered(rng, d, 2, lambda: 4 * event(rng, "horn"))


def _park(rng: Rng, d: float) -> Wave:
    return 0.25 * noise(rng, d, 0.5) + _scattered(rng, d, int(3 * d), lambda: 5 * event(rng, "chirp"))


def _cafe(rng: Rng, d: float) -> Wave:
    time = seconds(d)

    def guest() -> Wave:
        pitch = rng.uniform(95, 240) * (1 + 0.1 * _slow(rng, 2, 4, time))
        mouth = [c * rng.uniform(0.7, 1.4) for c in (600, 1300, 2500, 3400)]
        return formants(tone(pitch, 1 / np.arange(1, 16), time), mouth, 160) * np.maximum(0, _slow(rng, 2, 4, time))

    babble = summed(guest() for _ in range(5))
    cups = _scattered(rng, d, int(2 * d), lambda: 2 * event(rng, "bell")[:2500] * np.linspace(1, 0, 2500))
    return level(babble, 0.8) + 0.2 * noise(rng, d, 0.7) + cups


def _car(rng: Rng, d: float) -> Wave:
    return noise(rng, d, 1.6) + 0.15 * tone(rng.uniform(60, 90), 1 / np.arange(1, 10), seconds(d))


def _kitchen(rng: Rng, d: float) -> Wave:
    water = band(noise(rng, d), 1500, 6500) * (1 + 0.2 * _slow(rng, 3, 6, seconds(d)))
    return 0.5 * water + _scattered(rng, d, int(2 * d) + 1, lambda: 3 * event(rng, "glass")[:3000])


def _subway(rng: Rng, d: float) -> Wave:
    def joint() -> Wave:
        return 3 * band(noise(rng, 0.075), 100, 900) * np.exp(-np.arange(1200) / 250)

    rails = placed(d, [(start, joint()) for start in np.arange(rng.uniform(0, 0.3), d - 0.1, rng.uniform(0.3, 0.4))])
    time = seconds(d)
    squeal = tone(rng.uniform(1800, 2600) + 100 * np.sin(3 * time), [1.0], time) * np.maximum(
        0, _slow(rng, 0.3, 0.3, time)
    )
    return 0.8 * noise(rng, d, 1.3) + rails + 0.25 * squeal


def _beach(rng: Rng, d: float) -> Wave:
    return band(noise(rng, d), 150, 5000) * (0.15 + np.maximum(0, _slow(rng, 0.35, 0.5, seconds(d))) ** 2)


def _office(rng: Rng, d: float) -> Wave:
    def key() -> Wave:
        return band(noise(rng, 0.025), 1500, 6000) * np.exp(-np.arange(400) / 70) * rng.uniform(0.5, 1)

    keys = placed(d, [(start, key()) for start in np.cumsum(rng.uniform(0.07, 0.22, int(7 * d)))])
    return 0.12 * noise(rng, d, 0.6) + 0.08 * tone(100.0, [1, 0.6, 0.4, 0.2], seconds(d)) + keys


_MAKERS: dict[str, Callable[[Rng, float], Wave]] = {
    "street": _street,
    "park": _park,
    "cafe": _cafe,
    "car": _car,
    "kitchen": _kitchen,
    "subway": _subway,
    "beach": _beach,
    "office": _office,
}
PLACES = tuple(_MAKERS)


def place_sound(rng: Rng, place: str, duration: float) -> Wave:
    """What one hears at ``place`` for ``duration`` seconds."""
    return level(_MAKERS[place](rng, duration), rng.uniform(0.05, 0.12))
