"""Sounds in the language of the decoder: the projector is drawn towards the words for what is heard."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch.nn.functional import cross_entropy, normalize

from nano.exercise import Desk
from nano.lessons import Lesson
from nano.model import TOKENS_PER_SECOND
from nano.wording import keyword

_SCALE = 15.0
_SPEAKERS = "speaker "


class Naming:
    """Compares projected moments with the embeddings of the words that could name them.

    Args:
        attributes: Attribute to its values.
        moments: Labels of events.
        desk: Texts to ids.
        table: The decoder's word embeddings, [vocabulary, width].
    """

    def __init__(
        self, attributes: dict[str, list[str]], moments: Sequence[str], desk: Desk, table: torch.Tensor
    ) -> None:
        self._desk = desk
        self._table = normalize(table, dim=1)
        self._length = table.norm(dim=1).mean()
        self._attributes = {name: (values, self._tokens(values)) for name, values in attributes.items()}
        self._events = [label for label in moments if not label.startswith(_SPEAKERS)]
        self._event_tokens = self._tokens(self._events)

    def _tokens(self, values: Sequence[str]) -> list[int]:
        return [self._desk.encode(f" {keyword(value)}")[0] for value in values]

    def loss(self, projected: torch.Tensor, inside: torch.Tensor, lessons: Sequence[Lesson]) -> torch.Tensor:
        """Somewhere in a clip its attributes must be named, and during an event that event.

        Args:
            projected: Output of the projector, [clips, length, width].
            inside: Which moments lie in the clip, [clips, length, 1].
            lessons: The clips.
        """
        similar = _SCALE * normalize(projected, dim=-1) @ self._table.T
        best = torch.logsumexp(similar.masked_fill(~inside, -1e4), 1)
        losses = []
        for name, (values, tokens) in self._attributes.items():
            rows = [i for i, lesson in enumerate(lessons) if name in lesson.clip.labels]
            if rows:
                wanted = torch.tensor([values.index(lessons[i].clip.labels[name]) for i in rows])
                losses.append(cross_entropy(best[rows][:, tokens], wanted, reduction="none"))
        spans, labels = [], []
        for i, lesson in enumerate(lessons):
            for event in lesson.clip.events:
                if not event.label.startswith(_SPEAKERS):
                    span = similar[i, int(event.start * TOKENS_PER_SECOND) : int(event.end * TOKENS_PER_SECOND)]
                    spans.append(span[:, self._event_tokens])
                    labels += [self._events.index(event.label)] * len(span)
        if spans:
            losses.append(cross_entropy(torch.cat(spans), torch.tensor(labels), reduction="none"))
        size = (projected.norm(dim=-1) / self._length - 1).square().mean()
        return torch.cat(losses).mean() + 0.05 * size
