"""Last stage: the whole model learns to answer about sounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import torch
from transformers import Qwen2AudioForConditionalGeneration

from nano.exercise import Desk, draw_texts
from nano.lessons import Lesson
from nano.model import TOKENS_PER_SECOND, audio_tokens, batch, encode
from nano.schedule import Optimiser, batches, seeded
from nano.speaking import Sheet, evenly, grade
from nano.wording import keyword
from synth.clip import Rng, pick


def spelt_out(lesson: Lesson, desk: Desk, rng: Rng) -> list[int]:
    """The clip told in words instead of sound: a token a moment, the event that sounds there or some attribute."""
    length = audio_tokens(lesson.frames)
    told = [desk.encode(f" {keyword(value)}")[0] for value in lesson.clip.labels.values()]
    line = [pick(rng, told) for _ in range(length)]
    for event in lesson.clip.events:
        first, last = int(event.start * TOKENS_PER_SECOND), int(event.end * TOKENS_PER_SECOND)
        line[first:last] = [desk.encode(f" {event.label}")[0]] * len(line[first:last])
    return line


def train_answering(
    model: Qwen2AudioForConditionalGeneration,
    desk: Desk,
    lessons: Sequence[Lesson],
    steps: int,
    size: int,
    report: Callable[[str], None],
    turns: int = 4,
) -> None:
    """Train ``model`` in place.

    Args:
        model: The model, its encoder and decoder trained by the stages before.
        desk: Texts to ids.
        lessons: The clips.
        steps: Number of batches.
        size: Clips in a batch.
        report: Takes a line about progress.
        turns: Questions about each clip, so that its sound is encoded once for all of them.
    """
    rng = seeded("answering")
    decoder, tower = model.language_model.model, model.audio_tower
    heard = [parameter for parameter in tower.parameters() if parameter.requires_grad]
    spoken = [*decoder.parameters(), *model.multi_modal_projector.parameters()]
    groups: list[dict[str, object]] = [{"params": spoken, "lr": 2e-3}, {"params": heard, "lr": 5e-4}]
    optimiser = Optimiser(groups, steps, flat=0.3, decay=0.05)
    model.train()
    right: dict[str, list[bool]] = {}
    for step, chosen in zip(range(1, steps + 1), batches(lessons, size, rng), strict=False):
        mels, frames = batch(chosen)
        features = model.multi_modal_projector(encode(tower, mels, frames))
        sheets, tasks = [], []
        in_words = rng.random() < 0.2 * (1 - 2 * step / steps)
        for lesson, feature in zip(chosen, features, strict=True):
            sound = feature[: audio_tokens(lesson.frames)]
            if in_words:
                sound = decoder.embed_tokens(torch.tensor(spelt_out(lesson, desk, rng)))
            drawn = [draw_texts(lesson, rng) for _ in range(turns)]
            exercises = [desk.exercise(one.question, one.answer) for one in drawn]
            sheets.append(Sheet(sound, exercises, [evenly(exercise.reply) for exercise in exercises]))
            tasks += [one.task for one in drawn]
        graded = grade(decoder, sheets)
        optimiser.step(graded.loss)
        if not in_words:
            for task, hits in zip(tasks, graded.right, strict=True):
                right.setdefault(task, []).append(all(hits))
        if step % 50 == 0:
            shown = {task: sum(hits[-200:]) / len(hits[-200:]) for task, hits in sorted(right.items())}
            mean = sum(shown.values()) / len(shown)
            words = " ".join(f"{task} {share:.2f}" for task, share in shown.items())
            report(f"answering {step}/{steps} loss {graded.loss.item():.3f} right {mean:.3f}: {words}")
