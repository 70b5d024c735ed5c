"""What ``score_foundation.py`` and ``cal_score.py`` of OFA-Sys/AIR-Bench compute, told again from their description.

Where those end with an error, so does this: by an exception.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple

GROUPS = {
    "speech_QA": "speech",
    "speech_dialogue_QA": "speech",
    "sound_QA": "sound",
    "sound_generation_QA": "sound",
    "music_QA": "music",
    "music_generation_analysis_QA": "music",
    "speech_and_sound_QA": "speech_and_sound",
    "speech_and_music_QA": "speech_and_music",
}


class Folder(NamedTuple):
    n: int
    correct: int
    accuracy: float


class Group(NamedTuple):
    n: int
    win_rate: float
    first: float
    second: float


def score_foundation(path: Path) -> tuple[dict[str, Folder], int]:
    """Accuracy by folder, and the number of failures."""
    seen, counted, right, failed = {}, Counter[str](), Counter[str](), 0
    for line in path.read_text(encoding="utf-8").split("\n")[:-1]:
        record = json.loads(line)
        folder = f"{record['task_name']}_{record['dataset_name']}"
        seen[folder] = True
        letter = _letter(record["response"].strip().replace("\n", ""))
        if letter is None:
            failed += 1
            continue
        texts = [record["choice_a"], record["choice_b"], record.get("choice_c"), record.get("choice_d")]
        counted[folder] += 1
        right[folder] += letter == "ABCD"[texts.index(record["answer_gt"])]
    return {folder: Folder(counted[folder], right[folder], right[folder] / counted[folder]) for folder in seen}, failed


def _letter(text: str) -> str | None:
    if text in ("", "None"):
        return None
    if text[0] in "ABCD":
        return text[0]
    return text[-2] if len(text) > 1 and text[-2] in "ABCD" else None


def cal_score(path: Path) -> tuple[dict[str, Group], int]:
    """Means of the first and the second score by group, and the number of failures."""
    sums: dict[str, list[int]] = {group: [0, 0, 0, 0] for group in GROUPS.values()}
    swapped, failed = path.name == "chat_score_cir.json", 0
    for record in json.loads(path.read_text(encoding="utf-8")):
        parts = record["gpt-score"].strip().replace("\n", "").split(" ")
        try:
            first, second = map(int, parts)
            if first > 10 or second > 10:
                raise ValueError
        except ValueError:
            failed += 1
            continue
        n_wins_first_second = sums[GROUPS[record["task_name"]]]
        model, reference = (first, second) if swapped else (second, first)
        for place, value in enumerate((1, model > reference, first, second)):
            n_wins_first_second[place] += value
    return {
        group: Group(n, wins / n, first / n, second / n) for group, (n, wins, first, second) in sums.items()
    }, failed
