"""All folders of the benchmark, each with the clips that stand in it and the questions asked about them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from synth import chats, choices, mixed_clips, music_clips, sound_clips, speech_clips
from synth.clip import Clip, Rng
from synth.phrases import ENTITY_KINDS
from synth.voices import Cast

Source: TypeAlias = Callable[[Rng, Cast], Clip]


class Folder(NamedTuple):
    """A folder of the data set: real names, file suffix on disk, kind of clip, and what is asked."""

    task: str
    dataset: str
    suffix: str
    source: str
    ask: choices.Asker


class ChatFolder(NamedTuple):
    """A folder of the chat track; each kind of clip comes with its own questions."""

    task: str
    dataset: str
    suffix: str
    asks: tuple[tuple[str, chats.Asker], ...]


def _no_cast(make: Callable[[Rng], Clip]) -> Source:
    return lambda rng, cast: make(rng)


SOURCES: dict[str, Source] = {
    "plain": speech_clips.plain,
    "foreign": speech_clips.foreign,
    "emotional": speech_clips.emotional,
    "aged": speech_clips.aged,
    "command": speech_clips.command,
    "crowd": speech_clips.crowd,
    "dialogue": speech_clips.dialogue,
    "machine": speech_clips.machine_or_person,
    "words": speech_clips.words_in_time,
    "place": _no_cast(sound_clips.place),
    "human noise": _no_cast(sound_clips.human_noise),
    "events": _no_cast(sound_clips.events_in_time),
    "repeated": sound_clips.repeated,
    "pitched": _no_cast(music_clips.pitched_note),
    "struck": _no_cast(music_clips.struck_note),
    "note": _no_cast(music_clips.instrument_note),
    "phrase": _no_cast(music_clips.phrase),
    "genre": _no_cast(music_clips.genre),
    "mood": _no_cast(music_clips.mood),
    "turns": music_clips.turns,
    "speech and sound": mixed_clips.speech_and_sound,
    "speech and music": mixed_clips.speech_and_music,
}
_ENTITY = choices.about_any(*ENTITY_KINDS)
_COUNTED = choices.about_any("count", "repeated sound")
_ORDER = choices.about_any("first sound", "last sound")
_PLAYERS = choices.about_any("players", "first player", "last player")
_OF_SPEECH = chats.about("gender", "language", "age", "intent", *ENTITY_KINDS)

FOUNDATION = (
    Folder("Speech_Grounding", "librispeech", ".wav", "words", choices.when_said),
    Folder("Spoken_Language_Identification", "covost2", ".mp3", "foreign", choices.about("language")),
    Folder("Speaker_Gender_Recognition", "common_voice_13_en", ".mp3", "plain", choices.about("gender")),
    Folder("Speaker_Gender_Recognition", "meld", ".wav", "emotional", choices.about("gender")),
    Folder("Speaker_Emotion_Recontion", "iemocap", ".wav", "emotional", choices.about("emotion")),
    Folder("Speaker_Emotion_Recontion", "meld", ".wav", "emotional", choices.about("emotion")),
    Folder("Speaker_Age_Prediction", "common_voice_13.0_en", ".mp3", "aged", choices.about("age")),
    Folder("Speech_Entity_Reconition", "slurp", ".wav", "command", _ENTITY),
    Folder("Speaker_Intent_Classification", "slurp", ".wav", "command", choices.about("intent")),
    Folder("Speaker_Number_Verification", "voxceleb1", ".wav", "crowd", choices.about("speakers")),
    Folder("Synthesized_Voice_Detection", "fake_or_real", ".wav", "machine", choices.about("voice")),
    Folder("Audio_Grounding", "AudioGrounding", ".flac", "events", choices.when_sounds),
    Folder("vocal_sound_classification", "VocalSound", ".wav", "human noise", choices.about("vocal sound")),
    Folder("Acoustic_Scene_Classification", "CochlScene", ".wav", "place", choices.about("place")),
    Folder("Acoustic_Scene_Classification", "TUT2017", ".wav", "place", choices.about("place")),
    Folder("Sound_AQA", "clothoaqa", ".wav", "repeated", _COUNTED),
    Folder("Sound_AQA", "avqa", ".wav", "events", _ORDER),
    Folder("Music_Instruments_Classfication", "nsynth", ".wav", "note", choices.about("instrument")),
    Folder("Music_Instruments_Classfication", "MTJ-Jamendo", ".mp3", "phrase", choices.about("instrument")),
    Folder("Music_Genre_Recognition", "fma", ".mp3", "genre", choices.about("genre")),
    Folder("Music_Genre_Recognition", "MTJ-Jamendo", ".mp3", "genre", choices.about("genre")),
    Folder("Music_Midi_Pitch_Analysis", "nsynth", ".wav", "pitched", choices.about("pitch")),
    Folder("Music_Midi_Velocity_Analysis", "nsynth", ".wav", "struck", choices.about("velocity")),
    Folder("Music_AQA", "music_avqa", ".wav", "turns", _PLAYERS),
    Folder("Music_Mood_Recognition", "MTJ-Jamendo", ".mp3", "mood", choices.about("mood")),
)
CHAT = (
    ChatFolder(
        "speech_dialogue_QA", "fisher", ".wav", (("crowd", chats.about("speakers")), ("crowd", chats.first_gender))
    ),
    ChatFolder(
        "speech_dialogue_QA",
        "spokenwoz",
        ".wav",
        (("dialogue", chats.about("intent", "agreed")), ("dialogue", chats.first_gender)),
    ),
    ChatFolder("speech_QA", "common_voice_en", ".mp3", tuple((s, _OF_SPEECH) for s in ("foreign", "aged", "command"))),
    ChatFolder(
        "speech_QA", "iemocap", ".wav", (("emotional", chats.about("emotion")), ("emotional", chats.about("gender")))
    ),
    ChatFolder(
        "sound_QA",
        "clotho",
        ".wav",
        (
            ("events", chats.sequence),
            ("events", chats.about("first sound", "last sound")),
            ("repeated", chats.about("count")),
            ("place", chats.about("place")),
            ("human noise", chats.about("vocal sound")),
        ),
    ),
    ChatFolder("sound_generation_QA", "clotho", ".wav", (("place", chats.story),)),
    ChatFolder(
        "music_QA",
        "musiccaps",
        ".wav",
        (
            ("note", chats.about("instrument", "register")),
            ("phrase", chats.about("instrument")),
            ("genre", chats.about("genre")),
            ("mood", chats.about("mood", "tempo")),
            ("turns", chats.about("players", "first player", "last player")),
            ("turns", chats.sequence),
        ),
    ),
    ChatFolder("music_generation_analysis_QA", "musiccaps", ".wav", (("mood", chats.analysis),)),
    ChatFolder(
        "speech_and_sound_QA",
        "audiocaps_cv",
        ".wav",
        (("speech and sound", chats.about("gender", "mixed sound", "louder", "earlier")),),
    ),
    ChatFolder(
        "speech_and_music_QA",
        "musiccaps_cv",
        ".wav",
        (("speech and music", chats.about("gender", "mixed music", "louder", "earlier")),),
    ),
)
