"""Clips of everyday sounds, places and human noises."""

from __future__ import annotations

from synth.clip import SAMPLE_RATE, Clip, Event, Rng, finish, pick, shuffled
from synth.dsp import loudness, placed, with_floor
from synth.events import EVENTS, event
from synth.phrases import NUMBERS
from synth.scenes import PLACES, place_sound
from synth.vocal import VOCAL_SOUNDS, vocal_sound
from synth.voices import Cast

COUNTED = ("beep", "knock", "bell", "horn")


def place(rng: Rng) -> Clip:
    """The background of a place."""
    name, duration = pick(rng, PLACES), rng.uniform(1.8, 2.4)
    wave = finish(place_sound(rng, name, duration))
    return Clip(wave, {"place": name}, f"{name}|{duration}", f"Background sound, recorded in this place: {name}.")


def human_noise(rng: Rng) -> Clip:
    """A vocal sound with a little silence around it."""
    name, start = pick(rng, VOCAL_SOUNDS), rng.uniform(0.02, 0.25)
    wave = vocal_sound(rng, name)
    padded = placed(start + len(wave) / SAMPLE_RATE + 0.1, [(start, wave)])
    meta_info = f"A person makes this vocal sound: {name}."
    return Clip(finish(with_floor(rng, padded)), {"vocal sound": name}, f"{name}|{start}|{len(wave)}", meta_info)


def events_in_time(rng: Rng, count: int | None = None) -> Clip:
    """Two to four different events (or ``count``), one beginning every 0.8 s."""
    names = shuffled(rng, EVENTS, count or int(rng.integers(2, 5)))
    waves = [event(rng, name) for name in names]
    starts = [0.1 + 0.8 * i for i in range(len(names))]
    happened = zip(names, starts, waves, strict=True)
    events = tuple(Event(name, start, start + len(wave) / SAMPLE_RATE) for name, start, wave in happened)
    mixture = finish(with_floor(rng, placed(events[-1].end + 0.1, zip(starts, waves, strict=True))))
    labels = {"first sound": names[0], "last sound": names[-1]}
    meta_info = "; ".join(f"{e.label} {e.interval}" for e in events)
    recipe = f"{meta_info}|{[loudness(wave) for wave in waves]}"
    return Clip(mixture, labels, recipe, f"Sounds in order: {meta_info}.", events)


def repeated(rng: Rng, cast: Cast) -> Clip:
    """One event, one to four times."""
    name, count = pick(rng, COUNTED), int(rng.integers(1, 5))
    waves = [event(rng, name)[: int(0.5 * SAMPLE_RATE)] for _ in range(count)]
    starts = [0.1 + cast.repeat_s * i for i in range(count)]
    duration = starts[-1] + len(waves[-1]) / SAMPLE_RATE + 0.1
    events = tuple(Event(name, start, start + len(w) / SAMPLE_RATE) for start, w in zip(starts, waves, strict=True))
    wave = finish(with_floor(rng, placed(duration, zip(starts, waves, strict=True))))
    labels = {"count": NUMBERS[count - 1], "repeated sound": name}
    return Clip(
        wave,
        labels,
        f"{name}|{count}|{duration}|{cast.repeat_s}",
        f"Number of times that the {name} sounds: {NUMBERS[count - 1]}.",
        events,
    )
