"""Published results of AIR-Bench, and where a model would stand among them.

Chat: leaderboard in the README of OFA-Sys/AIR-Bench, judge ``gpt-4-0125-preview``, scores of 1 to 10. Foundation:
Tables 3 and 6 of the paper (arXiv 2402.07729), accuracies in percent, after alignment of the responses by a language
model.

Known inconsistencies, kept as printed:

- The chat averages of NExT-GPT (4.13) and Macaw-LLM (1.01) do not follow from their own rows (3.93 and 0.97).
  Averages are therefore ranked by the mean of the figures, which is how the average of a run is made.
- Some Qwen2-Audio material lists chat averages in the column for mixed audio; the figures here are the README's.
- Whether the paper pooled or averaged the two sources of six foundation tasks is not said.
- The chat figures of Qwen2-Audio come from its training framework; its public weights were reported at 7.24, 6.83, 6.73
  and 6.42.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import Final

import msgspec

from airbench_edge.benchmark.items import Track
from airbench_edge.benchmark.tasks import CHAT_CATEGORIES, FOUNDATION_CATEGORIES

AVERAGE: Final = "average"


class PublishedRow(msgspec.Struct, frozen=True):
    """One model of a published table.

    Attributes:
        model: Its name there.
        categories: Category to figure; a cascade has speech only.
        printed_average: The average as printed; None where there is none.
    """

    model: str
    categories: dict[str, float]
    printed_average: float | None

    @property
    def average(self) -> float | None:
        """Unweighted mean of the categories, None where they are not complete."""
        if self.printed_average is None:
            return None
        return sum(self.categories.values()) / len(self.categories)


class Standing(msgspec.Struct, frozen=True):
    """Where a figure would stand in a published column.

    Attributes:
        rank: 1 for the best; equal figures share the better rank.
        of: Models in the column, this one included.
        above: Nearest published model that is better, with its figure.
        below: Nearest published model that is equal or worse, with its figure.
    """

    rank: int
    of: int
    above: tuple[str, float] | None
    below: tuple[str, float] | None


def _chat(model: str, figures: tuple[float, ...], printed_average: float | None) -> PublishedRow:
    return PublishedRow(model, dict(zip(CHAT_CATEGORIES, figures, strict=False)), printed_average)


def _foundation(model: str, figures: tuple[float, ...], printed_average: float | None) -> PublishedRow:
    return PublishedRow(model, dict(zip(FOUNDATION_CATEGORIES, figures, strict=False)), printed_average)


CHAT_TABLE: Final = (
    _chat("Qwen2-Audio", (7.18, 6.99, 6.79, 6.77), 6.93),
    _chat("Qwen-Audio-Turbo", (7.04, 6.59, 5.98, 5.77), 6.34),
    _chat("SALMONN", (6.16, 6.28, 5.95, 6.08), 6.11),
    _chat("Qwen-Audio-Chat", (6.47, 6.95, 5.52, 5.38), 6.08),
    _chat("Gemini-1.5-pro", (6.97, 5.49, 5.06, 5.27), 5.70),
    _chat("BLSP", (6.17, 5.55, 5.08, 4.52), 5.33),
    _chat("PandaGPT", (3.58, 5.46, 5.06, 2.93), 4.25),
    _chat("NExT-GPT", (3.86, 4.76, 4.18, 2.92), 4.13),
    _chat("SpeechGPT", (1.57, 0.95, 0.95, 1.14), 1.15),
    _chat("Macaw-LLM", (0.97, 1.01, 0.91, 1.00), 1.01),
    _chat("Whisper-large-v2 + GPT-4 Turbo", (7.54,), None),
)

FOUNDATION_TABLE: Final = (
    _foundation("Qwen-Audio-Turbo", (63.4, 61.0, 48.9), 57.8),
    _foundation("Qwen-Audio-Chat", (58.7, 60.2, 44.8), 54.5),
    _foundation("PandaGPT", (39.0, 43.6, 38.1), 40.2),
    _foundation("SALMONN", (37.8, 33.0, 37.1), 36.0),
    _foundation("NExT-GPT", (33.6, 32.2, 28.9), 31.5),
    _foundation("BLSP", (36.6, 31.4, 26.1), 31.4),
    _foundation("Macaw-LLM", (32.2, 30.1, 29.7), 30.7),
    _foundation("SpeechGPT", (34.3, 27.5, 28.1), 30.0),
    _foundation("Whisper + GPT-4", (53.6,), None),
)

_TASK_MODELS: Final = (
    "Qwen-Audio-Turbo",
    "Qwen-Audio-Chat",
    "PandaGPT",
    "SALMONN",
    "NExT-GPT",
    "BLSP",
    "SpeechGPT",
    "Whisper + GPT-4",
)

FOUNDATION_BY_TASK: Final = {
    task: dict(zip(_TASK_MODELS, figures, strict=False))
    for task, figures in {
        "Speech_Grounding": (45.4, 56.1, 23.0, 25.3, 25.4, 25.0, 28.8, 35.0),
        "Spoken_Language_Identification": (95.9, 92.8, 34.6, 28.1, 23.7, 30.8, 39.6, 96.8),
        "Speaker_Gender_Recognition": (82.5, 67.2, 66.5, 35.5, 57.0, 33.2, 29.2, 21.9),
        "Speaker_Emotion_Recontion": (60.0, 43.2, 26.0, 29.9, 25.7, 27.4, 37.6, 59.5),
        "Speaker_Age_Prediction": (58.8, 36.0, 42.5, 48.7, 62.4, 51.2, 20.4, 41.1),
        "Speech_Entity_Reconition": (48.1, 71.2, 34.0, 51.7, 26.1, 37.2, 35.9, 69.8),
        "Speaker_Intent_Classification": (56.4, 77.8, 28.5, 36.7, 25.6, 46.6, 45.8, 87.7),
        "Speaker_Number_Verification": (54.3, 35.3, 43.2, 34.3, 25.4, 28.1, 32.6, 30.0),
        "Synthesized_Voice_Detection": (69.3, 48.3, 53.1, 50.0, 30.8, 50.0, 39.2, 40.5),
        "Audio_Grounding": (41.6, 23.9, 38.3, 24.0, 62.2, 34.6, 26.1),
        "vocal_sound_classification": (78.1, 84.9, 31.6, 45.3, 23.5, 29.8, 26.2),
        "Acoustic_Scene_Classification": (61.3, 67.5, 55.7, 34.1, 24.1, 25.2, 23.7),
        "Sound_AQA": (62.8, 64.6, 48.7, 28.4, 18.8, 36.1, 33.9),
        "Music_Instruments_Classfication": (59.6, 59.1, 47.7, 41.3, 24.3, 22.8, 29.1),
        "Music_Genre_Recognition": (77.1, 71.2, 39.8, 45.3, 28.1, 26.1, 29.3),
        "Music_Midi_Pitch_Analysis": (30.1, 28.6, 26.4, 26.4, 25.1, 23.5, 24.1),
        "Music_Midi_Velocity_Analysis": (25.1, 25.4, 27.2, 22.8, 23.1, 24.9, 25.2),
        "Music_AQA": (62.5, 48.2, 50.7, 54.6, 47.1, 31.0, 31.3),
        "Music_Mood_Recognition": (39.0, 36.1, 36.7, 32.2, 25.4, 28.3, 29.7),
    }.items()
}


def published_column(track: Track, name: str) -> dict[str, float]:
    """Model to figure in one column: a category, ``average``, or a task of the foundation track; empty if unknown."""
    if track is Track.FOUNDATION and name in FOUNDATION_BY_TASK:
        return FOUNDATION_BY_TASK[name]
    table = FOUNDATION_TABLE if track is Track.FOUNDATION else CHAT_TABLE
    figures = {row.model: row.average if name == AVERAGE else row.categories.get(name) for row in table}
    return {model: figure for model, figure in figures.items() if figure is not None}


def standing(figure: float, column: Mapping[str, float]) -> Standing:
    """Where a figure (in the unit of the column) would stand among the published ones."""
    ranked = sorted(column.items(), key=itemgetter(1), reverse=True)
    better = [entry for entry in ranked if entry[1] > figure]
    others = ranked[len(better) :]
    return Standing(len(better) + 1, len(ranked) + 1, better[-1] if better else None, others[0] if others else None)
