"""Short pieces of music whose genre or mood is defined by simple rules of rhythm, harmony and instruments."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from synth.clip import Rng, Wave, pick
from synth.dsp import band, level, placed, seconds, tone
from synth.notes import hertz, note

Score: TypeAlias = list[tuple[float, Wave]]
MAJOR, MINOR = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10)
TEMPO_OF = {"happy": "fast", "energetic": "fast", "sad": "slow", "relaxing": "slow", "dark": "slow"}


def drum(rng: Rng, kind: str) -> Wave:
    """One beat of a ``kick``, ``snare`` or ``hat``."""
    time = seconds(0.18)
    if kind == "kick":
        return tone(50 + 90 * np.exp(-35 * time), [0.6], time) * np.exp(-18 * time)
    hiss = rng.standard_normal(len(time))
    if kind == "snare":
        return 0.3 * (band(hiss, 600, 6000) + 0.4 * np.sin(2 * np.pi * 190 * time)) * np.exp(-22 * time)
    return 0.25 * band(hiss, 5000, 7900) * np.exp(-60 * time)


def _pattern(rng: Rng, kind: str, beats: str, step: float, duration: float) -> Score:
    count = int(duration / step) + 1
    return [(i * step, drum(rng, kind)) for i in range(count) if beats[i % len(beats)] == "x"]


def _buzz(midi: float, duration: float, rms: float) -> Wave:
    time = seconds(duration)
    return level(np.tanh(4 * tone(hertz(midi), 1 / np.arange(1, 15), time)), rms)


def _rock(rng: Rng, root: int, d: float) -> Score:
    step = 60 / rng.uniform(115, 150) / 2
    drums = _pattern(rng, "kick", "x...x.x.", step, d) + _pattern(rng, "snare", "..x...x.", step, d)
    chords = [
        (i * step, _buzz(root - 7 + (0, 0, 5, 7)[i // 4 % 4] + fifth, step, 0.1))
        for i in range(int(d / step))
        for fifth in (0, 7)
    ]
    return drums + _pattern(rng, "hat", "x", step, d) + chords


def _electronic(rng: Rng, root: int, d: float) -> Score:
    step = 60 / rng.uniform(124, 136) / 4
    time = seconds(step * 0.8)
    arpeggio = [
        (
            i * step,
            level(tone(hertz(root + (0, 7, 12, 3)[i % 4]), 1 / np.arange(1, 20), time), 0.09) * np.exp(-time * 8),
        )
        for i in range(int(d / step))
    ]
    return _pattern(rng, "kick", "x...", step, d) + _pattern(rng, "hat", "..x.", step, d) + arpeggio


def _hip_hop(rng: Rng, root: int, d: float) -> Score:
    step = 60 / rng.uniform(80, 95) / 4
    time = seconds(8 * step)
    lows = [
        (
            i * step,
            level(np.sin(2 * np.pi * hertz(root - 12 + pick(rng, (0, 3, -2))) * time), 0.14) * np.exp(-1.5 * time),
        )
        for i in range(0, int(d / step), 8)
    ]
    drums = _pattern(rng, "kick", "x.....x...x.....", step, d) + _pattern(rng, "snare", "....x.......x...", step, d)
    return drums + _pattern(rng, "hat", "x.x.x.xxx.x.x.x.", step, d) + lows


def _folk(rng: Rng, root: int, d: float) -> Score:
    step = 60 / rng.uniform(95, 120) / 2
    fingers = [
        (i * step, note(rng, "guitar", root + 12 + (0, 7, 12, 16, 19, 12, 7, 12)[i % 8], 85, 0.9))
        for i in range(int(d / step))
    ]
    melody = [(k * d / 2, note(rng, "flute", root + 24 + pick(rng, (0, 2, 4, 7, 9)), 70, d * 0.48)) for k in (0, 1)]
    return fingers + melody


def _classical(rng: Rng, root: int, d: float) -> Score:
    step = rng.uniform(0.56, 0.8)
    return [
        (i * step, note(rng, "string", root + 12 + pick(rng, MAJOR) + voice, 85, step * 1.05))
        for voice in (0, 4, 12)
        for i in range(int(d / step))
    ]


def _jazz(rng: Rng, root: int, d: float) -> Score:
    step = 60 / rng.uniform(120, 160)
    score: Score = []
    for i in range(int(d / step)):
        score += [(i * step, drum(rng, "hat")), (i * step + 0.66 * step, drum(rng, "hat"))]
        score.append((i * step, note(rng, "bass", root - 7 + (0, 4, 7, 9, 10, 9, 7, 4)[i % 8], 100, step)))
        score += [
            (i * step + 0.66 * step, 0.6 * note(rng, "keyboard", root + 12 + tone_, 80, 0.5))
            for tone_ in (4, 10, 14, 21)
        ]
    return score


def _happy(rng: Rng, root: int, d: float) -> Score:
    step = rng.uniform(0.16, 0.2)
    run = [
        (i * step, note(rng, "keyboard", root + 12 + pick(rng, MAJOR[:5]), 95, step * 1.5))
        for i in range(int(d / step))
    ]
    chords = [
        (i * 4 * step, note(rng, "guitar", root + third + (0, 5, 7, 0)[i % 4], 80, step * 4))
        for i in range(int(d / (4 * step)))
        for third in (0, 4, 7)
    ]
    return run + chords


def _sad(rng: Rng, root: int, d: float) -> Score:
    step = rng.uniform(0.6, 0.8)
    score: Score = []
    for i in range(int(d / step) + 1):
        score += [
            (i * step, note(rng, "string", root + third - (0, 2, 4, 5)[i % 4], 70, step * 1.1)) for third in (0, 3, 7)
        ]
        score.append((i * step, note(rng, "keyboard", root + 12 + pick(rng, MINOR[:5]), 60, step)))
    return score


def _relaxing(rng: Rng, root: int, d: float) -> Score:
    pad = [(0.0, 0.6 * note(rng, "flute", root + third, 60, d)) for third in (0, 4, 7, 11, 14)]
    starts = np.arange(rng.uniform(0, 0.3), d - 0.4, rng.uniform(0.7, 0.9))
    return pad + [(float(start), note(rng, "mallet", root + 12 + pick(rng, MAJOR), 60, 0.6)) for start in starts]


def _energetic(rng: Rng, root: int, d: float) -> Score:
    step = 60 / rng.uniform(150, 170) / 2
    bass = [(i * step, _buzz(root - 12 + (0, 0, 3, 5)[i // 4 % 4], step, 0.1)) for i in range(int(d / step))]
    drums = _pattern(rng, "kick", "x.", step, d) + _pattern(rng, "snare", ".x", step, d)
    return drums + _pattern(rng, "hat", "x", step, d) + bass


def _dark(rng: Rng, root: int, d: float) -> Score:
    time = seconds(d)
    swell = 1 + 0.5 * np.sin(2 * np.pi * 0.7 * time)
    drone = [
        (0.0, level(tone(hertz(root - 31), 1 / np.arange(1, 25) ** 0.8, time) * swell, 0.12)),
        (0.0, _buzz(root - 30, d, 0.06)),
    ]
    starts = np.arange(rng.uniform(0.2, 0.6), d - 0.5, 1.0)
    return drone + [(float(start), note(rng, "brass", root - 18 + pick(rng, (0, 1, 6)), 80, 0.7)) for start in starts]


_GENRES: dict[str, Callable[[Rng, int, float], Score]] = {
    "rock": _rock,
    "electronic": _electronic,
    "hip hop": _hip_hop,
    "folk": _folk,
    "classical": _classical,
    "jazz": _jazz,
}
_MOODS: dict[str, Callable[[Rng, int, float], Score]] = {
    "happy": _happy,
    "sad": _sad,
    "relaxing": _relaxing,
    "energetic": _energetic,
    "dark": _dark,
}
GENRES, MOODS = tuple(_GENRES), tuple(_MOODS)


def genre_piece(rng: Rng, genre: str, root: int, duration: float) -> Wave:
    """A piece of ``genre`` over the MIDI note ``root``, ``duration`` seconds long."""
    return level(placed(duration, _GENRES[genre](rng, root, duration)), rng.uniform(0.08, 0.13))


def mood_piece(rng: Rng, mood: str, root: int, duration: float) -> Wave:
    """A piece that sounds ``mood``; quiet moods are also softer."""
    loudness = rng.uniform(0.08, 0.13) * (0.7 if mood in ("sad", "relaxing") else 1.0)
    return level(placed(duration, _MOODS[mood](rng, root, duration)), loudness)
