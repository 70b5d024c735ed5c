"""Train the small built-in audio-LM from scratch on synthetic sound.

    python scripts/train_nano.py --work build/nano --out models/nano

Needs the ``export`` extra and espeak-ng; takes the better part of an hour on two cores. One thread and fixed seeds: the
same machine gives the same weights. Stages that are complete in the work folder are not repeated.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import torch
from tokenizers import Tokenizer
from transformers import Qwen2AudioForConditionalGeneration

from nano.answering import train_answering
from nano.drawing import recipe_digest
from nano.exercise import Desk, make_tokenizer
from nano.hearing import train_hearing
from nano.lessons import Lesson, lessons
from nano.lookup import train_lookup
from nano.model import Size, build
from nano.saving import save
from nano.schedule import seeded


class Plan(NamedTuple):
    """How much of everything; steps are batches."""

    size: Size = Size()
    clips: int = 700
    lookup_steps: int = 500
    hearing_steps: int = 1300
    answering_steps: int = 1100


MINIATURE = Plan(Size(32, 1, 2, 64), 4, 12, 8, 8)
"""Runs through every stage in seconds and learns nothing; for trying out the script."""


class Training:
    """The stages, each kept in the work folder when it is done."""

    def __init__(self, work: Path, plan: Plan) -> None:
        torch.set_num_threads(1)
        torch.use_deterministic_algorithms(True)
        self._work, self._plan = work, plan
        self._began = time.monotonic()
        self.lessons: list[Lesson] = lessons(work / "lessons", plan.clips)
        self.tokenizer = self._tokenizer()
        seeded("weights")
        # A multiple of 16 rows, so that the tables are well aligned.
        self.model: Qwen2AudioForConditionalGeneration = build(
            plan.size, -(-self.tokenizer.get_vocab_size() // 16) * 16
        )

    def _tokenizer(self) -> Tokenizer:
        kept = self._work / "tokenizer.json"
        if not kept.exists():
            make_tokenizer(self.lessons, seeded("tokenizer")).save(str(kept))
        return Tokenizer.from_file(str(kept))

    def report(self, line: str) -> None:
        """Print a line of progress with the seconds since the start."""
        print(f"{time.monotonic() - self._began:6.0f} s  {line}", flush=True)

    def _stage(self, name: str, train: Callable[[], None]) -> None:
        kept = self._work / f"{name}.pt"
        if kept.exists():
            self.model.load_state_dict(torch.load(kept))
            return
        train()
        torch.save(self.model.state_dict(), kept)
        self.report(f"{name} done")

    def run(self) -> None:
        """Train all stages."""
        model, plan, desk = self.model, self._plan, Desk(self.tokenizer)
        decoder = model.language_model.model
        self._stage("lookup", lambda: train_lookup(decoder, self.tokenizer, plan.lookup_steps, 24, self.report))
        self._stage("hearing", lambda: train_hearing(model, desk, self.lessons, plan.hearing_steps, 48, self.report))
        self._stage(
            "answering", lambda: train_answering(model, desk, self.lessons, plan.answering_steps, 16, self.report)
        )


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--work", type=Path, required=True, help="folder for clips and unfinished training")
    parser.add_argument("--out", type=Path, required=True, help="folder for the finished checkpoint")
    parser.add_argument("--miniature", action="store_true", help="a run of seconds that learns nothing")
    given = parser.parse_args()
    training = Training(given.work, MINIATURE if given.miniature else Plan())
    training.run()
    save(training.model, training.tokenizer, given.out)
    lines = [f"{lesson.digest} {recipe_digest(lesson.clip)}\n" for lesson in training.lessons]
    (given.out / "training_clips.txt").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
