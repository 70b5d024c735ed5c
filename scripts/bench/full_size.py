"""Score recorded responses and verdicts on a made-up set of the published size: 24,683 + 2,200 items, 4,400 verdicts.

    python scripts/bench/full_size.py

Prints seconds, items a second and peak memory of each command as a process of its own: what the program itself costs,
without a model.
"""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from airbench_edge.benchmark.tasks import CHAT_TASKS, FOUNDATION_TASKS

SOUNDS = ("violin", "a drum", "dog barking", "the sound of rain", "a car horn", "speech", "a woman laughing")
FORMS = (
    "{letter}",
    "{letter}.",
    "The answer is {letter}.",
    "{letter}. {text}",
    "It is {text}: {letter}.",
    "{text}",
    "I hear {text}.",
)

TALK = {
    "question": "What is heard?",
    "answer_gt": "A dog barks twice, then a car passes by.",
    "meta_info": "A dog barks; a car.",
    "response": "A dog barks and a car goes past.",
}


def foundation(dice: random.Random) -> Iterator[dict[str, Any]]:
    """A record for every row of the published metadata, with a response in one of several forms."""
    number = 0
    for task in FOUNDATION_TASKS:
        for folder in task.folders:
            for _ in range(folder.rows or 0):
                texts = dice.sample(SOUNDS, task.options)
                choices = dict(zip(("choice_a", "choice_b", "choice_c", "choice_d"), texts, strict=False))
                said = dice.randrange(task.options)
                response = dice.choice(FORMS).format(letter="ABCD"[said], text=texts[said])
                where = {"path": f"{number}.wav", "task_name": task.name, "dataset_name": folder.dataset}
                asked = {"question": "Which sound is it?", **choices, "answer_gt": dice.choice(texts)}
                yield {**where, **asked, "response": response, "uniq_id": number}
                number += 1


def chat() -> Iterator[dict[str, Any]]:
    """A record for every row of the published metadata."""
    number = 0
    for task in CHAT_TASKS:
        for place in range(task.rows):
            folder = task.folders[place % len(task.folders)]
            where = {"path": f"{number}.wav", "task_name": task.name, "dataset_name": folder.dataset}
            yield {**where, **TALK, "uniq_id": number}
            number += 1


def write(root: Path) -> None:
    """Write metadata, responses and verdicts."""
    dice = random.Random(0)
    records = {"Foundation": list(foundation(dice)), "Chat": list(chat())}
    for track, rows in records.items():
        (root / track).mkdir(parents=True)
        (root / track / f"{track}_meta.json").write_text(json.dumps(rows), encoding="utf-8")
        lines = [json.dumps({**row, "track": track.lower()}) + "\n" for row in rows]
        with (root / "responses.jsonl").open("a", encoding="utf-8") as file:
            file.writelines(lines)
    verdicts = [
        {"uniq_id": row["uniq_id"], "order": order, "text": f"{dice.randint(1, 10)} {dice.randint(1, 10)}"}
        for row in records["Chat"]
        for order in ("reference_first", "model_first")
    ]
    (root / "verdicts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in verdicts), encoding="utf-8")


def measure(title: str, *arguments: str) -> None:
    """Run one command and print what it cost."""
    program = [sys.executable, "-c", "from airbench_edge.cli.main import main; main()", *arguments]
    began = time.monotonic()
    child = os.posix_spawn(
        program[0],
        program,
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
        ],
    )
    _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - began
    assert status == 0, f"{title} failed"
    cpu = usage.ru_utime + usage.ru_stime
    rate, memory = 26_883 / seconds, usage.ru_maxrss / 1024
    print(f"{title:28} {seconds:6.1f} s ({cpu:.1f} s of CPU)  {rate:8,.0f} items/s  {memory:5.0f} MiB")


def main() -> None:
    """Make the set in a temporary folder, run, print."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write(root)
        run = [
            "run",
            "--model",
            f"recorded:{root / 'responses.jsonl'}",
            "--data",
            str(root),
            "--out",
            str(root / "run"),
        ]
        run += ["--judge", f"recorded:{root / 'verdicts.jsonl'}"]
        measure("run, from nothing", *run)
        measure("run, nothing left to do", *run)
        measure("report", "report", str(root / "run"))


if __name__ == "__main__":
    main()
