"""The tasks of AIR-Bench: names, folders, and how many rows each is known to have.

Names stand as in the published data, spelling errors included, because folders and groups are keyed by them.

Sources of the counts: ``rows`` are rows of the published metadata as stated by projects that downloaded it (24,683
foundation and 2,200 chat rows in all; the paper rounds to "over 19k" and 2,000). ``rows_with_audio`` is what EvalScope
found in its copy of the data set in May 2026. How the two sources of a chat task split is not published.
"""

from __future__ import annotations

from typing import Final

import msgspec

from airbench_edge.benchmark.items import Track


class Folder(msgspec.Struct, frozen=True):
    """One source of a task; its clips lie in a folder of their own.

    Attributes:
        task: ``task_name``.
        dataset: ``dataset_name``.
        rows: Rows in the published metadata; None where only the task's total is known.
        rows_with_audio: Rows whose clip a public copy holds; None where that is not known.
    """

    task: str
    dataset: str
    rows: int | None
    rows_with_audio: int | None

    @property
    def name(self) -> str:
        """Name of the folder."""
        return f"{self.task}_{self.dataset}"


class FoundationTask(msgspec.Struct, frozen=True):
    """A single-choice task.

    Attributes:
        name: ``task_name``.
        label: Name in the paper.
        category: ``speech``, ``sound`` or ``music``.
        folders: Its sources.
        options: Options that its questions have.
    """

    name: str
    label: str
    category: str
    folders: tuple[Folder, ...]
    options: int = 4

    @property
    def rows(self) -> int:
        """Rows in the published metadata."""
        return sum(folder.rows or 0 for folder in self.folders)

    @property
    def chance(self) -> float:
        """Accuracy of guessing among the real options."""
        return 1 / self.options


class ChatTask(msgspec.Struct, frozen=True):
    """A task of open questions.

    Attributes:
        name: ``task_name``.
        group: Group whose items ``cal_score.py`` pools.
        category: Column of the published table: the mean of its groups.
        rows: Rows in the published metadata.
        folders: Its sources.
    """

    name: str
    group: str
    category: str
    rows: int
    folders: tuple[Folder, ...]


FOUNDATION_CATEGORIES: Final = ("speech", "sound", "music")
CHAT_CATEGORIES: Final = ("speech", "sound", "music", "mixed")
CHAT_GROUPS: Final = ("speech", "sound", "music", "speech_and_sound", "speech_and_music")


def _task(category: str, name: str, label: str, *sources: tuple[str, int, int], options: int = 4) -> FoundationTask:
    folders = tuple(Folder(name, dataset, rows, with_audio) for dataset, rows, with_audio in sources)
    return FoundationTask(name, label, category, folders, options)


def _chat(category: str, group: str, name: str, rows: int, *datasets: str) -> ChatTask:
    known = rows if len(datasets) == 1 else None
    return ChatTask(name, group, category, rows, tuple(Folder(name, dataset, known, known) for dataset in datasets))


FOUNDATION_TASKS: Final = (
    _task("speech", "Speech_Grounding", "Speech grounding", ("librispeech", 981, 981)),
    _task("speech", "Spoken_Language_Identification", "Spoken language identification", ("covost2", 1000, 495)),
    _task(
        "speech",
        "Speaker_Gender_Recognition",
        "Speaker gender recognition",
        ("common_voice_13_en", 992, 780),
        ("meld", 1000, 1000),
        options=2,
    ),
    _task("speech", "Speaker_Emotion_Recontion", "Emotion recognition", ("iemocap", 1000, 1000), ("meld", 1000, 1000)),
    _task("speech", "Speaker_Age_Prediction", "Speaker age prediction", ("common_voice_13.0_en", 1000, 1000)),
    _task("speech", "Speech_Entity_Reconition", "Speech entity recognition", ("slurp", 1000, 1000)),
    _task("speech", "Speaker_Intent_Classification", "Intent classification", ("slurp", 1000, 662)),
    _task("speech", "Speaker_Number_Verification", "Speaker number verification", ("voxceleb1", 1000, 314)),
    _task(
        "speech",
        "Synthesized_Voice_Detection",
        "Synthesized voice detection",
        ("fake_or_real", 1000, 1000),
        options=2,
    ),
    _task("sound", "Audio_Grounding", "Audio grounding", ("AudioGrounding", 896, 896)),
    _task("sound", "vocal_sound_classification", "Vocal sound classification", ("VocalSound", 1000, 985)),
    _task(
        "sound",
        "Acoustic_Scene_Classification",
        "Acoustic scene classification",
        ("CochlScene", 1000, 1000),
        ("TUT2017", 1000, 1000),
    ),
    _task("sound", "Sound_AQA", "Sound question answering", ("clothoaqa", 1000, 1000), ("avqa", 1000, 1000)),
    _task(
        "music",
        "Music_Instruments_Classfication",
        "Music instruments classification",
        ("nsynth", 1000, 996),
        ("MTJ-Jamendo", 1000, 1000),
    ),
    _task(
        "music",
        "Music_Genre_Recognition",
        "Music genre classification",
        ("fma", 1000, 1000),
        ("MTJ-Jamendo", 1000, 1000),
    ),
    _task("music", "Music_Midi_Pitch_Analysis", "Music note analysis: pitch", ("nsynth", 1000, 493)),
    _task("music", "Music_Midi_Velocity_Analysis", "Music note analysis: velocity", ("nsynth", 1000, 484)),
    _task("music", "Music_AQA", "Music question answering", ("music_avqa", 814, 814)),
    _task("music", "Music_Mood_Recognition", "Music emotion detection", ("MTJ-Jamendo", 1000, 526)),
)

CHAT_TASKS: Final = (
    _chat("speech", "speech", "speech_QA", 400, "common_voice_en", "iemocap"),
    _chat("speech", "speech", "speech_dialogue_QA", 400, "fisher", "spokenwoz"),
    _chat("sound", "sound", "sound_QA", 400, "clotho"),
    _chat("sound", "sound", "sound_generation_QA", 100, "clotho"),
    _chat("music", "music", "music_QA", 400, "musiccaps"),
    _chat("music", "music", "music_generation_analysis_QA", 100, "musiccaps"),
    _chat("mixed", "speech_and_sound", "speech_and_sound_QA", 200, "audiocaps_cv"),
    _chat("mixed", "speech_and_music", "speech_and_music_QA", 200, "musiccaps_cv"),
)

_FOUNDATION_BY_NAME: Final = {task.name: task for task in FOUNDATION_TASKS}
_CHAT_BY_NAME: Final = {task.name: task for task in CHAT_TASKS}


def foundation_task(name: str) -> FoundationTask | None:
    """The task of that exact name; None for a task outside the nineteen, which belongs to no category."""
    return _FOUNDATION_BY_NAME.get(name)


def chat_task(name: str) -> ChatTask | None:
    """The task of that exact name; None for a task outside the eight, which belongs to no group."""
    return _CHAT_BY_NAME.get(name)


def published_folders(track: Track) -> tuple[Folder, ...]:
    """All folders of a track, in the order of the tables: 25 of foundation, 10 of chat."""
    tasks: tuple[FoundationTask | ChatTask, ...] = FOUNDATION_TASKS if track is Track.FOUNDATION else CHAT_TASKS
    return tuple(folder for task in tasks for folder in task.folders)
