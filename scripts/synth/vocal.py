"""Human sounds that are not speech."""

from __future__ import annotations

import numpy as np

from synth.clip import Rng, Wave
from synth.dsp import band, faded, formants, level, noise, placed, seconds, tone

VOCAL_SOUNDS = ("laughter", "cough", "sigh", "sneeze", "sniff", "throat clearing")


def vocal_sound(rng: Rng, name: str) -> Wave:
    """The sound ``name`` of ``VOCAL_SOUNDS`` by a throat of random size and pitch, 0.4 to 1.4 seconds long."""
    size, pitch = rng.uniform(0.9, 1.2), rng.uniform(110, 260)

    def voiced(start: float, end: float, duration: float, breath: float) -> Wave:
        time = seconds(duration)
        source = tone(np.linspace(start, end, len(time)), 1 / np.arange(1, 22), time) + breath * noise(rng, duration)
        return formants(source, [c * size for c in (650, 1200, 2500, 3500)], 130)

    def laugh(i: int) -> Wave:
        sung = voiced(pitch * 1.3 * (1 - 0.04 * i), pitch * (1 - 0.04 * i), 0.11, 0.4)
        return level(sung * np.hanning(len(sung)), 0.2 * (1 - 0.07 * i))

    def cough() -> Wave:
        burst = band(noise(rng, 0.25), 400, 4500) + 0.6 * voiced(pitch, pitch * 0.7, 0.25, 0.15)
        return level(burst * np.exp(-16 * seconds(0.25)), 0.2)

    def sniff() -> Wave:
        air = band(noise(rng, 0.2), 2500, 7500)
        return air * np.hanning(len(air))

    wave: Wave
    if name == "laughter":
        step = rng.uniform(0.16, 0.22)
        wave = placed(6 * step, [(i * step, laugh(i)) for i in range(int(rng.integers(4, 7)))])
    elif name == "cough":
        wave = placed(0.8, [(0.0, cough()), (0.4, cough())])
    elif name == "sigh":
        duration = rng.uniform(0.8, 1.2)
        air = formants(noise(rng, duration), [c * size for c in (650, 1200, 2500, 3500)], 300)
        wave = (air + 0.25 * voiced(pitch, pitch * 0.6, duration, 0.15)) * np.hanning(len(air))
    elif name == "sneeze":
        intake = band(noise(rng, 0.35), 500, 3000) * np.linspace(0, 0.25, int(0.35 * 16_000))
        burst = band(noise(rng, 0.35), 2000, 7500) * np.exp(-9 * seconds(0.35))
        wave = placed(0.8, [(0.0, intake), (0.38, level(burst, 0.3))])
    elif name == "sniff":
        wave = placed(1.0, [(0.32 * i, sniff()) for i in range(int(rng.integers(2, 4)))])
    else:
        duration = rng.uniform(0.5, 0.8)
        rattle = 1 + np.sign(np.sin(2 * np.pi * rng.uniform(22, 34) * seconds(duration)))
        growl = voiced(pitch * 0.6, pitch * 0.5, duration, 0.3)
        wave = growl * rattle * np.hanning(len(growl))
    return faded(level(wave, rng.uniform(0.08, 0.16)))
