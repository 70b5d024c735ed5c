"""Clips of notes, phrases and short pieces."""

from __future__ import annotations

import numpy as np

from synth.clip import Clip, Event, Rng, finish, pick, shuffled
from synth.dsp import level, placed, with_floor
from synth.music import GENRES, MOODS, TEMPO_OF, genre_piece, mood_piece
from synth.notes import INSTRUMENTS, note
from synth.phrases import NUMBERS
from synth.voices import Cast

PITCHES = (36, 43, 50, 57, 64, 71, 78, 85)
VELOCITIES = (25, 50, 75, 100, 127)
PLAYERS = ("flute", "guitar", "organ", "string", "mallet", "brass")
"""Instruments that are told apart even in a short turn."""


def pitched_note(rng: Rng) -> Clip:
    """A note whose pitch is asked; pitches are a fifth apart."""
    midi, instrument = pick(rng, PITCHES), pick(rng, ("organ", "flute", "string", "brass"))
    velocity, duration = pick(rng, (75, 100, 127)), rng.uniform(0.6, 1.0)
    wave = finish(with_floor(rng, note(rng, instrument, midi, velocity, duration), 0.001))
    labels = {"pitch": str(midi)}
    recipe = f"{instrument}|{midi}|{velocity}|{duration}"
    return Clip(wave, labels, recipe, f"The {instrument} plays MIDI note {midi} with velocity {velocity}.")


def struck_note(rng: Rng) -> Clip:
    """A note whose velocity is asked."""
    velocity, instrument = pick(rng, VELOCITIES), pick(rng, ("organ", "keyboard", "string", "brass"))
    midi, duration = int(rng.integers(52, 70)), rng.uniform(0.6, 1.0)
    wave = finish(with_floor(rng, note(rng, instrument, midi, velocity, duration), 0.0005))
    recipe = f"{instrument}|{midi}|{velocity}|{duration}"
    meta_info = f"The {instrument} plays MIDI note {midi} with velocity {velocity}."
    return Clip(wave, {"velocity": str(velocity)}, recipe, meta_info)


def _register(midi: int) -> str:
    return "high" if midi > 64 else "low"


def instrument_note(rng: Rng) -> Clip:
    """A note whose instrument is asked."""
    instrument, velocity, duration = pick(rng, INSTRUMENTS), pick(rng, (75, 100, 127)), rng.uniform(0.7, 1.2)
    low, high = (28, 46) if instrument == "bass" else (50, 78)
    midi = int(rng.integers(low, high))
    wave = finish(with_floor(rng, note(rng, instrument, midi, velocity, duration), 0.001))
    labels = {"instrument": instrument, "register": _register(midi)}
    meta_info = (
        f"A single note of the {instrument} in the {_register(midi)} register, MIDI {midi}, velocity {velocity}."
    )
    return Clip(wave, labels, f"{instrument}|{midi}|{velocity}|{duration}", meta_info)


def phrase(rng: Rng) -> Clip:
    """Four notes of one instrument."""
    instrument, step = pick(rng, INSTRUMENTS), rng.uniform(0.35, 0.5)
    root = 34 if instrument == "bass" else 57
    notes = [root + int(offset) for offset in rng.integers(0, 13, 4)]
    parts = [(i * step, note(rng, instrument, midi, 100, step * 1.1)) for i, midi in enumerate(notes)]
    wave = finish(with_floor(rng, level(placed(4.2 * step, parts), rng.uniform(0.08, 0.13)), 0.001))
    return Clip(
        wave, {"instrument": instrument}, f"{instrument}|{notes}|{step}", f"A phrase of four notes of the {instrument}."
    )


def genre(rng: Rng) -> Clip:
    """A short piece whose genre is asked."""
    name, duration, root = pick(rng, GENRES), rng.uniform(2.2, 2.8), int(rng.integers(43, 55))
    wave = finish(genre_piece(rng, name, root, duration))
    return Clip(wave, {"genre": name}, f"{name}|{duration}|{root}", f"A short piece of {name} music.")


def mood(rng: Rng) -> Clip:
    """A short piece whose mood is asked."""
    name, duration, root = pick(rng, MOODS), rng.uniform(2.2, 2.8), int(rng.integers(55, 64))
    wave = finish(mood_piece(rng, name, root, duration))
    labels = {"mood": name, "tempo": TEMPO_OF[name]}
    return Clip(
        wave, labels, f"{name}|{duration}|{root}", f"A {TEMPO_OF[name]} piece of music in a mood that is {name}."
    )


def turns(rng: Rng, cast: Cast) -> Clip:
    """One to four instruments, one after the other."""
    players, step = shuffled(rng, PLAYERS, int(rng.integers(1, 5))), cast.turn_s
    notes = [int(midi) for midi in rng.integers(55, 74, len(players))]
    waves = [level(note(rng, player, midi, 100, step), 0.1) for player, midi in zip(players, notes, strict=True)]
    starts = np.arange(len(players)) * step
    events = tuple(Event(player, start, start + step) for player, start in zip(players, starts, strict=True))
    wave = finish(with_floor(rng, placed(len(players) * step, zip(starts, waves, strict=True)), 0.001))
    labels = {"players": NUMBERS[len(players) - 1], "first player": players[0], "last player": players[-1]}
    order = ", then ".join(players)
    return Clip(wave, labels, f"{players}|{notes}|{step}", f"Instruments in order: {order}.", events)
