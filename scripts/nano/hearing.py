"""First stage: the encoder learns to hear the attributes of a clip, and what happens in each of its moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy
from transformers import Qwen2AudioForConditionalGeneration

from nano.exercise import Desk
from nano.lessons import Lesson
from nano.model import TOKENS_PER_SECOND, audio_tokens, batch, encode
from nano.naming import Naming
from nano.schedule import Optimiser, batches, seeded

_EDGE = 10
"""Tokens at either end of a clip that are also pooled on their own."""


class Attributes:
    """The attributes that the lessons are labelled with, with their values in a fixed order."""

    def __init__(self, lessons: Sequence[Lesson]) -> None:
        values: dict[str, set[str]] = {}
        for lesson in lessons:
            for attribute, value in lesson.clip.labels.items():
                values.setdefault(attribute, set()).add(value)
        self.values = {attribute: sorted(values[attribute]) for attribute in sorted(values)}
        self.moments = sorted({event.label for lesson in lessons for event in lesson.clip.events})
        self.outputs = sum(map(len, self.values.values()))

    def targets(self, lessons: Sequence[Lesson]) -> dict[str, torch.Tensor]:
        """Attribute to the index of each clip's value, -1 where the clip has none; [clips]."""
        return {
            attribute: torch.tensor(
                [
                    known.index(lesson.clip.labels[attribute]) if attribute in lesson.clip.labels else -1
                    for lesson in lessons
                ]
            )
            for attribute, known in self.values.items()
        }

    def timeline(self, lessons: Sequence[Lesson], length: int) -> torch.Tensor:
        """1 where an event sounds, [clips, length, labels of events]."""
        sounding = torch.zeros(len(lessons), length, len(self.moments))
        for row, lesson in zip(sounding, lessons, strict=True):
            for event in lesson.clip.events:
                first, last = int(event.start * TOKENS_PER_SECOND), int(event.end * TOKENS_PER_SECOND) + 1
                row[first:last, self.moments.index(event.label)] = 1
        return sounding


class Heard(NamedTuple):
    """Hidden states, scores of clips, scores of moments, and which moments lie in the clip, [clips, length, 1]."""

    hidden: torch.Tensor
    clips: torch.Tensor
    moments: torch.Tensor
    inside: torch.Tensor


class Listener(torch.nn.Module):  # type: ignore[misc]
    """The encoder with two linear heads, which are thrown away after this stage."""

    def __init__(self, tower: torch.nn.Module, attributes: Attributes) -> None:
        super().__init__()
        self.tower = tower
        width = tower.layer_norm.weight.shape[0]
        self.clip_head = torch.nn.Sequential(
            torch.nn.LayerNorm(4 * width), torch.nn.Dropout(0.1), torch.nn.Linear(4 * width, attributes.outputs)
        )
        self.moment_head = torch.nn.Linear(width, len(attributes.moments))

    def forward(self, mels: torch.Tensor, frames: torch.Tensor) -> Heard:
        """What the encoder makes of the clips, and what the heads make of that."""
        hidden = encode(self.tower, mels, frames)
        lengths = [audio_tokens(int(count)) for count in frames]
        inside = (torch.arange(hidden.shape[1])[None] < torch.tensor(lengths)[:, None])[..., None]
        mean = (hidden * inside).sum(1) / torch.tensor(lengths)[:, None]
        peak = hidden.masked_fill(~inside, -1e4).amax(1)
        last = torch.stack([row[max(0, n - _EDGE) : n].mean(0) for row, n in zip(hidden, lengths, strict=True)])
        pooled = torch.cat([mean, peak, hidden[:, :_EDGE].mean(1), last], 1)
        return Heard(hidden, self.clip_head(pooled), self.moment_head(hidden), inside)


def train_hearing(
    model: Qwen2AudioForConditionalGeneration,
    desk: Desk,
    lessons: Sequence[Lesson],
    steps: int,
    size: int,
    report: Callable[[str], None],
) -> None:
    """Train the encoder and the projector of ``model`` in place; the decoder's word embeddings stay as they are."""
    rng = seeded("hearing")
    attributes = Attributes(lessons)
    listener = Listener(model.audio_tower, attributes)
    naming = Naming(
        attributes.values, attributes.moments, desk, model.language_model.model.embed_tokens.weight.detach()
    )
    trained = [parameter for parameter in listener.parameters() if parameter.requires_grad]
    trained += model.multi_modal_projector.parameters()
    optimiser = Optimiser([{"params": trained, "lr": 2e-3}], steps, flat=0.0, decay=0.03)
    listener.train()
    right: dict[str, list[float]] = {}
    for step, chosen in zip(range(1, steps + 1), batches(lessons, size, rng), strict=False):
        mels, frames = batch(chosen)
        for mel in mels:
            if rng.random() < 0.3:
                low = int(rng.integers(0, mel.shape[0] - 12))
                mel[low : low + int(rng.integers(1, 12))] = mel.min()
        heard = listener(mels, frames)
        loss = _clip_loss(heard.clips, attributes, chosen, right)
        loss = loss + _moment_loss(heard.moments, heard.inside, attributes, chosen)
        loss = loss + naming.loss(model.multi_modal_projector(heard.hidden), heard.inside, chosen)
        optimiser.step(loss)
        if step % 100 == 0:
            shown = " ".join(f"{name} {sum(hits[-300:]) / len(hits[-300:]):.2f}" for name, hits in right.items())
            report(f"hearing {step}/{steps} loss {loss.item():.3f}: {shown}")


def _clip_loss(
    scores: torch.Tensor, attributes: Attributes, chosen: Sequence[Lesson], right: dict[str, list[float]]
) -> torch.Tensor:
    losses, first = [], 0
    for attribute, target in attributes.targets(chosen).items():
        count = len(attributes.values[attribute])
        known = target >= 0
        own = scores[known, first : first + count]
        first += count
        if known.any():
            losses.append(cross_entropy(own, target[known], reduction="sum"))
            right.setdefault(attribute, []).extend((own.argmax(1) == target[known]).float().tolist())
    return torch.stack(losses).sum() / sum(len(lesson.clip.labels) for lesson in chosen)


def _moment_loss(
    scores: torch.Tensor, inside: torch.Tensor, attributes: Attributes, chosen: Sequence[Lesson]
) -> torch.Tensor:
    timed = torch.tensor([bool(lesson.clip.events) for lesson in chosen])[:, None, None]
    weight = (inside & timed).float()
    wrong = binary_cross_entropy_with_logits(
        scores, attributes.timeline(chosen, scores.shape[1]), reduction="none", pos_weight=torch.tensor(4.0)
    )
    return (wrong * weight).sum() / (4 * weight.sum() + 1)
