"""Clips of speech: one function a kind, each drawing a truth and making the sound for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from synth.clip import SAMPLE_RATE, Clip, Event, Rng, Wave, finish, pick, shuffled
from synth.dsp import level, placed, reverberated, seconds, shaped, with_floor
from synth.phrases import AGES, EMOTIONS, INTENTS, LANGUAGES, NUMBERS, WORDS
from synth.voices import Cast, Utterance, drawn

GENDERS = ("male", "female")


def _clip(
    rng: Rng, wave: Wave, labels: dict[str, str], said: Utterance, extra: str = "", events: tuple[Event, ...] = ()
) -> Clip:
    """A clip of one utterance; the description holds every label and the words, as a printed dictionary."""
    described = str({**labels, "transcription": said.text})
    return Clip(finish(with_floor(rng, wave)), labels, f"{said}{extra}", described, events)


def plain(rng: Rng, cast: Cast) -> Clip:
    """A sentence; what counts is the voice."""
    gender = pick(rng, GENDERS)
    said = drawn(rng, cast, pick(rng, cast.sentences), gender)
    return _clip(rng, said.speak(rng.uniform(0.07, 0.13)), {"gender": gender}, said)


def foreign(rng: Rng, cast: Cast) -> Clip:
    """A few words of one language in random order."""
    language, gender = pick(rng, tuple(LANGUAGES)), pick(rng, GENDERS)
    code, words = LANGUAGES[language]
    said = replace(drawn(rng, cast, " ".join(shuffled(rng, words.split(), 5)), gender), language=code)
    return _clip(rng, said.speak()[: int(2.4 * SAMPLE_RATE)], {"language": language, "gender": gender}, said)


def emotional(rng: Rng, cast: Cast) -> Clip:
    """An emotion, acted by rate, pitch, loudness and roughness."""
    emotion, gender = pick(rng, tuple(EMOTIONS)), pick(rng, GENDERS)
    style = EMOTIONS[emotion]
    said = replace(
        drawn(rng, cast, pick(rng, cast.sentences), gender),
        rate=style.rate + int(rng.integers(-6, 7)),
        pitch=style.pitch + int(rng.integers(-5, 6)),
    )
    wave = said.speak(0.1)
    if style.rough:
        wave = np.tanh(8 * wave)
    if style.tremble:
        wave = wave * (1 + 0.7 * np.sin(2 * np.pi * rng.uniform(8, 10) * seconds(len(wave) / SAMPLE_RATE)[: len(wave)]))
    loudness = style.loudness * rng.uniform(0.9, 1.1)
    return _clip(rng, level(wave, loudness), {"emotion": emotion, "gender": gender}, said, f"|{emotion}")


def aged(rng: Rng, cast: Cast) -> Clip:
    """An age band, acted by rate, pitch, shaking and a dull or clear tone."""
    band, gender = int(rng.integers(len(AGES))), pick(rng, GENDERS)
    said = replace(
        drawn(rng, cast, pick(rng, cast.sentences), gender),
        rate=(205, 180, 155, 125)[band] + int(rng.integers(-6, 7)),
        pitch=(74, 54, 38, 22)[band] + int(rng.integers(-4, 5)),
    )
    wave = said.speak()
    shaking = 1 + (0, 0, 0.3, 0.7)[band] * np.sin(2 * np.pi * rng.uniform(4.5, 6) * np.arange(len(wave)) / SAMPLE_RATE)
    corner = (7800, 6200, 4400, 2800)[band]
    wave = level(shaped(wave * shaking, lambda f: 1 / (1 + (f / corner) ** 8)), rng.uniform(0.07, 0.13))
    return _clip(rng, wave, {"age": AGES[band], "gender": gender}, said, f"|{band}")


def command(rng: Rng, cast: Cast) -> Clip:
    """A request to a voice assistant: an intent and a named entity."""
    return _requested(rng, cast)[1]


def _requested(rng: Rng, cast: Cast) -> tuple[str, Clip]:
    intent, gender = pick(rng, tuple(INTENTS)), pick(rng, GENDERS)
    kind, values, forms = INTENTS[intent]
    value = pick(rng, values)
    said = drawn(rng, cast, pick(rng, forms).format(value), gender)
    labels = {"intent": intent, kind: value, "gender": gender}
    return said.text, _clip(rng, said.speak(rng.uniform(0.07, 0.13)), labels, said)


def crowd(rng: Rng, cast: Cast) -> Clip:
    """One to four speakers, a word each, in turn; neighbours differ in gender."""
    count, first = int(rng.integers(1, 5)), int(rng.integers(2))
    pools = {gender: shuffled(rng, cast.male if gender == "male" else cast.female, 2) for gender in GENDERS}
    words = shuffled(rng, WORDS, count)
    turns, start, events = [], 0.05, []
    said = []
    for i, word in enumerate(words):
        gender = GENDERS[(first + i) % 2]
        said.append(Utterance(word, pools[gender][i // 2], 185, int(rng.integers(40, 61))))
        wave = said[-1].speak()
        turns.append((start, wave))
        events.append(Event(f"speaker {i + 1}", start, start + len(wave) / SAMPLE_RATE))
        start = events[-1].end + 0.15
    labels = {"speakers": NUMBERS[count - 1], "gender": GENDERS[first]}
    described = str({"speakers": count, "first speaker": GENDERS[first], "transcription": "; ".join(words)})
    wave = finish(with_floor(rng, placed(start, turns)))
    return Clip(wave, labels, "; ".join(map(str, said)), described, tuple(events))


def dialogue(rng: Rng, cast: Cast) -> Clip:
    """A request and the reply of a second person."""
    words, asked = _requested(rng, cast)
    other = "female" if asked.labels["gender"] == "male" else "male"
    agreed = pick(rng, ("yes", "no"))
    reply = drawn(rng, cast, {"yes": "yes of course", "no": "no I am sorry"}[agreed], other)
    answer = reply.speak()
    start = len(asked.wave) / SAMPLE_RATE + 0.15
    wave = placed(start + len(answer) / SAMPLE_RATE, [(0.0, asked.wave), (start, answer)])
    labels = {**asked.labels, "agreed": agreed}
    described = str({"first speaker": asked.labels, "second speaker": other, "transcription": f"{words}; {reply.text}"})
    return Clip(finish(with_floor(rng, wave)), labels, f"{asked.recipe}; {reply}", described)


def machine_or_person(rng: Rng, cast: Cast) -> Clip:
    """A voice in a room (``real``) or one with the artefacts of a machine (``fake``)."""
    kind, gender = pick(rng, ("real", "fake")), pick(rng, GENDERS)
    said = drawn(rng, cast, pick(rng, cast.sentences), gender)
    wave = said.speak()
    if kind == "real":
        wave = reverberated(rng, wave, rng.uniform(0.15, 0.3), rng.uniform(0.15, 0.35))
    else:
        wave = wave * np.sin(2 * np.pi * rng.uniform(55, 85) * np.arange(len(wave)) / SAMPLE_RATE)
    return _clip(rng, level(wave, rng.uniform(0.07, 0.13)), {"voice": kind, "gender": gender}, said, f"|{kind}")


def words_in_time(rng: Rng, cast: Cast) -> Clip:
    """Four words, one beginning every 0.8 s."""
    gender = pick(rng, GENDERS)
    voice, words = cast.voice(rng, gender), shuffled(rng, WORDS, 4)
    said = [Utterance(word, voice, 195, int(rng.integers(40, 61))) for word in words]
    waves = [utterance.speak()[: int(0.7 * SAMPLE_RATE)] for utterance in said]
    starts = [0.1 + 0.8 * i for i in range(4)]
    spoken = zip(words, starts, waves, strict=True)
    events = tuple(Event(word, start, start + len(wave) / SAMPLE_RATE) for word, start, wave in spoken)
    described = str({"words": [f"{event.label} {event.interval}" for event in events], "gender": gender})
    wave = placed(events[-1].end + 0.05, zip(starts, waves, strict=True))
    labels = {"gender": gender, "first word": words[0]}
    return Clip(finish(with_floor(rng, wave)), labels, "; ".join(map(str, said)), described, events)
