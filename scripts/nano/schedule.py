"""Order of batches and learning rate, both functions of the seed and the step alone."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import torch

from nano.lessons import Lesson
from synth.clip import Rng


def batches(lessons: Sequence[Lesson], size: int, rng: Rng) -> Iterator[list[Lesson]]:
    """Batches of clips of similar length, in random order, for ever."""
    while True:
        order = rng.permutation(len(lessons))
        groups: list[list[Lesson]] = []
        for start in range(0, len(order), 24 * size):
            pool = sorted((lessons[i] for i in order[start : start + 24 * size]), key=lambda lesson: lesson.frames)
            groups += [pool[i : i + size] for i in range(0, len(pool), size)]
        for i in rng.permutation(len(groups)):
            yield groups[i]


class Optimiser:
    """AdamW with warm-up, cosine decay and clipped gradients.

    Args:
        groups: Parameter groups, each with ``params`` and a peak ``lr``.
        steps: Length of the training.
        flat: Share of the training, after the warm-up, at the peak rate.
        decay: Weight decay.
    """

    def __init__(self, groups: list[dict[str, object]], steps: int, flat: float, decay: float) -> None:
        self._adam = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=decay)
        self._peaks = [float(group["lr"]) for group in self._adam.param_groups]
        self._steps, self._flat = steps, flat
        self._step = 0

    def step(self, loss: torch.Tensor) -> None:
        """One step down the gradient of ``loss``."""
        done = self._step / self._steps
        cosine = 0.5 * (1 + math.cos(math.pi * max(0.0, (done - self._flat) / (1 - self._flat))))
        factor = min(1.0, (self._step + 1) / 100) * (0.02 + 0.98 * cosine)
        for group, peak in zip(self._adam.param_groups, self._peaks, strict=True):
            group["lr"] = peak * factor
        self._adam.zero_grad()
        loss.backward()
        for group in self._adam.param_groups:
            torch.nn.utils.clip_grad_norm_(group["params"], 1.0)
        self._adam.step()
        self._step += 1


def seeded(stage: str) -> Rng:
    """Seed torch and return the random numbers of a training stage."""
    torch.manual_seed(sum(stage.encode()))
    return np.random.default_rng(list(stage.encode()))
