"""Open questions about a clip, with a reference answer and the words that a right answer must hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from synth.clip import Clip, Rng, pick


class Chat(NamedTuple):
    """An open question, its reference answer, and the words without which no answer is right."""

    question: str
    answer: str
    keywords: tuple[str, ...]


Asker: TypeAlias = Callable[[Clip, Rng], Chat]

_SHORT: dict[str, tuple[tuple[str, ...], str]] = {
    "gender": (
        ("Is the person who speaks a man or a woman?", "What can you say about the gender of the speaker?"),
        "The speaker is {}.",
    ),
    "language": (("In what language does the person talk?", "Which language is this?"), "The person speaks {}."),
    "emotion": (
        ("How does the speaker sound?", "What does the tone of voice tell about the speaker's feelings?"),
        "The speaker sounds {}.",
    ),
    "age": (("How old might the speaker be?", "What is the likely age of the speaker?"), "The speaker is in the {}."),
    "intent": (
        ("What is the aim of the speaker's request?", "What does the caller need?"),
        "The request is about {}.",
    ),
    "agreed": (
        ("Does the second speaker agree?", "What does the other person reply to the request?"),
        "The second speaker says {}.",
    ),
    "speakers": (
        ("How many people take part in the talk?", "How many different voices do you hear?"),
        "The number of speakers is {}.",
    ),
    "place": (
        ("Where could this have been recorded?", "What surroundings do the sounds suggest?"),
        "It sounds like the {}.",
    ),
    "vocal sound": (
        ("What is the person doing?", "What human sound is in the clip?"),
        "The person makes a sound of {}.",
    ),
    "count": (
        ("How many times does the {repeated sound} sound?", "How often is the {repeated sound} heard?"),
        "The {repeated sound} sounds {} times.",
    ),
    "first sound": (("Which sound do you hear first?", "What starts the clip?"), "The first sound is the {}."),
    "last sound": (("Which sound do you hear last?", "What ends the clip?"), "The last sound is the {}."),
    "instrument": (("What instrument is played?", "Which instrument makes these notes?"), "It is played on the {}."),
    "register": (("Is the note high or low?", "In what register is the note?"), "The note is {}."),
    "genre": (("What genre is the music?", "What kind of music is this?"), "The music is {}."),
    "mood": (("What mood does the music have?", "How does this music feel?"), "The music feels {}."),
    "tempo": (("Is the music fast or slow?", "What is the tempo of the piece?"), "The tempo is {}."),
    "players": (
        ("How many instruments take turns?", "How many instruments are in the piece?"),
        "The number of instruments is {}.",
    ),
    "first player": (("Which instrument starts?", "Who plays first?"), "The {} plays first."),
    "last player": (("Which instrument finishes?", "Who plays last?"), "The {} plays last."),
    "mixed sound": (
        ("What sound is there besides the speech?", "Which noise accompanies the voice?"),
        "Besides the speech I hear the {}.",
    ),
    "mixed music": (
        ("Which instrument is there besides the speech?", "What plays music next to the voice?"),
        "Besides the speech I hear the {}.",
    ),
    "louder": (
        ("Which is louder, the speech or the {other}?", "Does the speech or the {other} have the higher level?"),
        "The {} is louder.",
    ),
    "earlier": (
        ("Which comes first, the speech or the {other}?", "Does the clip begin with the speech or the {other}?"),
        "The {} comes first.",
    ),
    **{
        kind: (
            (f"Which {kind} does the request name?", f"What {kind} does the speaker talk about?"),
            f"The {kind} is {{}}.",
        )
        for kind in ("city", "time", "style", "device", "person")
    },
}
"""Attribute to ways of asking for it and the form of the reference."""

_AT_PLACE = {
    "street": "Cars roll past on wet stone and somebody leans on a horn",
    "park": "Birds call from tree to tree above the quiet paths",
    "cafe": "Guests chat at small tables while cups clink on saucers",
    "car": "The motor hums evenly and the wheels sing on the road",
    "kitchen": "Water runs into the sink and dishes clatter beside it",
    "subway": "The rails beat under the train and the brakes squeal",
    "beach": "Long waves roll in, break and run out over the sand",
    "office": "Fingers run over a keyboard while a machine hums in the corner",
}
_USE_OF = {
    "happy": ("a bright run of notes over major chords", "a birthday party"),
    "sad": ("long bowed chords in a minor key", "the farewell scene of a film"),
    "relaxing": ("a soft pad with a few gentle bells", "a quiet evening at home"),
    "energetic": ("a driving beat and a rough bass line", "a sports video"),
    "dark": ("a deep drone with heavy brass above it", "a horror film"),
}


def about(*attributes: str) -> Asker:
    """A short question about one of the attributes, whichever the clip has."""

    def ask(clip: Clip, rng: Rng) -> Chat:
        attribute = pick(rng, [attribute for attribute in attributes if attribute in clip.labels])
        questions, form = _SHORT[attribute]
        value = clip.labels[attribute]
        answer = form.format(value, **clip.labels)
        return Chat(pick(rng, questions).format(**clip.labels), answer, (value,))

    return ask


def sequence(clip: Clip, rng: Rng) -> Chat:
    """All that happens, in order."""
    names = [event.label for event in clip.events]
    question = pick(rng, ("Which sounds does the clip hold, in order?", "List what you hear from start to end."))
    return Chat(question, "I hear " + ", then ".join(f"the {name}" for name in names) + ".", tuple(names))


def first_gender(clip: Clip, rng: Rng) -> Chat:
    """The gender of whoever speaks first."""
    question = pick(rng, ("Is the first speaker a man or a woman?", "What is the gender of whoever speaks first?"))
    return Chat(question, f"The first speaker is {clip.labels['gender']}.", (clip.labels["gender"],))


def story(clip: Clip, rng: Rng) -> Chat:
    """A short text that grows out of a place."""
    place = clip.labels["place"]
    question = pick(
        rng,
        (
            "Listen to the background and imagine that you stand in the middle of it. Write a short text about the "
            "place, what happens around you and how it makes you feel.",
            "Use the sounds of this recording as the opening of a story. Say where the story begins, what can be heard "
            "there, and what a person who waits in that place may think of.",
        ),
    )
    answer = (
        f"I am at the {place}, and for a while I only listen. {_AT_PLACE[place]}. Nobody is in a hurry, and the sounds "
        f"come and go as they do every day. I close my eyes and know at once that this is the {place}."
    )
    return Chat(question, answer, (place,))


def analysis(clip: Clip, rng: Rng) -> Chat:
    """A longer description of a piece of music."""
    mood, tempo = clip.labels["mood"], clip.labels["tempo"]
    texture, use = _USE_OF[mood]
    question = pick(
        rng,
        (
            "Describe this piece of music for somebody who cannot hear it: say what mood it has, how fast it moves, "
            "what the texture is like, and for what occasion you would choose it.",
            "Write a short review of the music in the clip. Mention its mood and its tempo, tell what carries the "
            "piece, and close with a suggestion where it could be used.",
        ),
    )
    answer = (
        f"The mood of the music is {mood} and the tempo is {tempo}. It is built on {texture}, and nothing "
        "else gets in the way. The piece keeps this character from the first to the last second. I would choose it "
        f"for {use}."
    )
    return Chat(question, answer, (mood, tempo))
