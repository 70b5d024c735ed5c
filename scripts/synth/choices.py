"""Single-choice questions about a clip, worded in several ways."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from synth.clip import Clip, Event, Rng, pick, shuffled
from synth.events import EVENTS
from synth.music import GENRES, MOODS
from synth.music_clips import PITCHES, PLAYERS, VELOCITIES
from synth.notes import INSTRUMENTS
from synth.phrases import AGES, EMOTIONS, ENTITY_KINDS, INTENTS, LANGUAGES, NUMBERS
from synth.scenes import PLACES
from synth.sound_clips import COUNTED
from synth.vocal import VOCAL_SOUNDS


class Choice(NamedTuple):
    """A question, two or four option texts in order of their letters, and the right one."""

    question: str
    options: tuple[str, ...]
    answer: str


class Subject(NamedTuple):
    """An attribute that can be asked: all its values, and ways to ask."""

    values: Sequence[str]
    wordings: tuple[str, ...]


Asker: TypeAlias = Callable[[Clip, Rng], Choice]

SUBJECTS = {
    "gender": Subject(
        ("male", "female"),
        (
            "Would you say that the speaker is male or female?",
            "What is the gender of the person who talks?",
            "Which gender fits this voice best?",
            "Do you hear a male or a female speaker?",
            "Tell the gender of the speaker in this recording.",
        ),
    ),
    "language": Subject(
        tuple(LANGUAGES),
        (
            "Which language is spoken in this recording?",
            "What language does the speaker use?",
            "In which language are these words said?",
            "Identify the language that you hear.",
            "The speaker talks in which language?",
        ),
    ),
    "emotion": Subject(
        tuple(EMOTIONS),
        (
            "Which emotion does the voice of the speaker show?",
            "How does the speaker seem to feel?",
            "What emotion do you recognise in this utterance?",
            "Which feeling fits the way the person talks?",
            "Name the emotional state of the speaker.",
        ),
    ),
    "age": Subject(
        AGES,
        (
            "Which age group does this voice suggest?",
            "How old does the speaker sound to you?",
            "What age range would you give to the speaker?",
            "To which age range does the person who talks belong?",
            "Estimate the age of the speaker.",
        ),
    ),
    "intent": Subject(
        tuple(INTENTS),
        (
            "What does the speaker want from the assistant?",
            "Which intent stands behind this request?",
            "What is the purpose of the spoken command?",
            "How would you classify the intent of the speaker?",
            "For what does the person ask?",
        ),
    ),
    "speakers": Subject(
        NUMBERS,
        (
            "How many different people speak in this recording?",
            "What is the number of speakers that you hear?",
            "Count the voices: how many speakers are there?",
            "How many speakers take part?",
        ),
    ),
    "voice": Subject(
        ("real", "fake"),
        (
            "Does this voice come from a person or from a machine?",
            "Is the speech that you hear real or fake?",
            "Would you call this voice genuine or synthesized?",
            "Decide whether the recording holds a real or a fake voice.",
        ),
    ),
    "vocal sound": Subject(
        VOCAL_SOUNDS,
        (
            "Which vocal sound does the person make?",
            "What kind of human sound is this?",
            "What do you hear the person do?",
            "Name the vocal sound in the clip.",
            "Which of these human noises is it?",
        ),
    ),
    "place": Subject(
        PLACES,
        (
            "At which place was this sound recorded?",
            "What is the acoustic scene of the clip?",
            "Where would you expect to hear this background?",
            "In which surroundings is the listener?",
            "Which location fits these sounds?",
        ),
    ),
    "instrument": Subject(
        INSTRUMENTS,
        (
            "Which instrument plays in this clip?",
            "What instrument do you hear?",
            "To which instrument family do these tones belong?",
            "Name the instrument of the recording.",
            "On which instrument is this played?",
        ),
    ),
    "genre": Subject(
        GENRES,
        (
            "Which genre describes this music best?",
            "What is the genre of the piece?",
            "To what style does this music belong?",
            "How would you label the genre of this track?",
            "Name the style of the music.",
        ),
    ),
    "mood": Subject(
        MOODS,
        (
            "What mood does this music create?",
            "Which mood fits the piece best?",
            "How would you describe the feeling of the track?",
            "Which emotion does the music carry?",
            "Name the mood of this music.",
        ),
    ),
    "pitch": Subject(
        tuple(map(str, PITCHES)),
        (
            "What is the MIDI pitch of the note?",
            "Which MIDI note number do you hear?",
            "How high is this note as a MIDI number?",
            "Give the MIDI pitch of the tone.",
        ),
    ),
    "velocity": Subject(
        tuple(map(str, VELOCITIES)),
        (
            "What is the MIDI velocity of the note?",
            "With which MIDI velocity is the note struck?",
            "How hard is the note played, as a MIDI velocity?",
            "Give the velocity of this tone.",
        ),
    ),
    "players": Subject(
        NUMBERS,
        (
            "How many instruments play in this piece?",
            "Count the different instruments: how many are there?",
            "What is the number of instruments that you hear?",
        ),
    ),
    "first player": Subject(PLAYERS, ("Which instrument begins the piece?", "What instrument do you hear first?")),
    "last player": Subject(PLAYERS, ("Which instrument ends the piece?", "What instrument do you hear last?")),
    "count": Subject(
        NUMBERS,
        ("How often does the {repeated sound} sound?", "How many times do you hear the {repeated sound}?"),
    ),
    "repeated sound": Subject(
        COUNTED, ("Which sound makes up this clip?", "What is it that you hear?", "Name the sound in the recording.")
    ),
    "first sound": Subject(EVENTS, ("Which sound comes first?", "What do you hear at the beginning?")),
    "last sound": Subject(EVENTS, ("Which sound comes last?", "What do you hear at the end?")),
    **{
        kind: Subject(
            values,
            (
                f"Which {kind} does the speaker mention?",
                f"What {kind} is named in the request?",
                f"Find the {kind} in what is said.",
                f"Which {kind} do you hear?",
            ),
        )
        for kind, values in ENTITY_KINDS.items()
    },
}


def about(attribute: str) -> Asker:
    """A question about one attribute of the clip."""

    def ask(clip: Clip, rng: Rng) -> Choice:
        subject = SUBJECTS[attribute]
        answer = clip.labels[attribute]
        others = shuffled(rng, [value for value in subject.values if value != answer], 3)
        question = pick(rng, subject.wordings).format(**clip.labels)
        return Choice(question, tuple(shuffled(rng, [answer, *others])), answer)

    return ask


def about_any(*attributes: str) -> Asker:
    """A question about one of the attributes, whichever the clip has."""

    def ask(clip: Clip, rng: Rng) -> Choice:
        known = [attribute for attribute in attributes if attribute in clip.labels]
        return about(pick(rng, known))(clip, rng)

    return ask


def grounding(*wordings: str) -> Asker:
    """When an event happens; the options are the intervals of all four time slots, wrong or empty ones included."""

    def ask(clip: Clip, rng: Rng) -> Choice:
        asked = pick(rng, clip.events)
        starts = [0.1 + 0.8 * slot for slot in range(len(clip.events), 4)]
        empty = [Event("", start, start + rng.uniform(0.35, 0.65)) for start in starts]
        options = shuffled(rng, [event.interval for event in (*clip.events, *empty)])
        return Choice(pick(rng, wordings).format(asked.label), tuple(options), asked.interval)

    return ask


when_sounds = grounding(
    "When does the {} occur?",
    "In which time span do you hear the {}?",
    "At what time does the {} sound?",
    "Find the interval of the {}.",
)
when_said = grounding(
    'When is the word "{}" said?',
    'In which time span does the speaker say "{}"?',
    'At what time do you hear the word "{}"?',
    'Find the interval of the word "{}".',
)
