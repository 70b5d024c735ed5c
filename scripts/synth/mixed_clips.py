"""Clips in which speech meets a sound or a tune, one of them louder, one of them first."""

from __future__ import annotations

import numpy as np

from synth.clip import SAMPLE_RATE, Clip, Rng, Wave, finish, pick
from synth.dsp import level, placed, with_floor
from synth.events import EVENTS, event
from synth.music_clips import PLAYERS
from synth.notes import note
from synth.speech_clips import GENDERS
from synth.voices import Cast, drawn


def speech_and_sound(rng: Rng, cast: Cast) -> Clip:
    """Speech and an everyday sound."""
    name = pick(rng, EVENTS)
    return _mixed(rng, cast, "sound", name, event(rng, name))


def speech_and_music(rng: Rng, cast: Cast) -> Clip:
    """Speech and three notes of an instrument."""
    name = pick(rng, PLAYERS)
    notes = [note(rng, name, int(midi), 100, 0.35) for midi in rng.integers(57, 72, 3)]
    return _mixed(rng, cast, "music", name, np.concatenate(notes))


def _mixed(rng: Rng, cast: Cast, kind: str, name: str, other: Wave) -> Clip:
    gender, louder, earlier = pick(rng, GENDERS), pick(rng, ("speech", kind)), pick(rng, ("speech", kind))
    said = drawn(rng, cast, pick(rng, cast.sentences), gender)
    voice = said.speak(0.08)[: int(1.8 * SAMPLE_RATE)]
    other = level(other, 0.2 if louder == kind else 0.03)
    first, second = (voice, other) if earlier == "speech" else (other, voice)
    start = len(first) / SAMPLE_RATE + 0.12
    wave = placed(start + len(second) / SAMPLE_RATE + 0.05, [(0.02, first), (start, second)])
    labels = {"gender": gender, "other": kind, f"mixed {kind}": name, "louder": louder, "earlier": earlier}
    meta_info = f"{kind}: {name}; speech: '{said.text}' ({gender}); the {louder} is louder; the {earlier} comes first."
    return Clip(finish(with_floor(rng, wave, 0.001)), labels, f"{said}|{meta_info}|{len(other)}", meta_info)
