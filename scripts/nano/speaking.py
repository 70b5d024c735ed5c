"""The decoder under training: sequences of ids and sounds in, the loss of the replies out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import torch
from torch.nn.functional import cross_entropy, linear

from nano.exercise import Exercise


class Row(NamedTuple):
    """An exercise with what stands in the place of its sound.

    Attributes:
        exercise: Prompt and reply.
        sound: Embeddings of the audio tokens, [tokens, width].
        weights: Weight of each token of the reply in the loss.
    """

    exercise: Exercise
    sound: torch.Tensor
    weights: list[float]


class Graded(NamedTuple):
    """Weighted mean loss, and for every token of every reply whether it would have been said."""

    loss: torch.Tensor
    right: list[list[bool]]


def evenly(reply: Sequence[int]) -> list[float]:
    """Weights that let a long reply count as much as one of eight tokens."""
    return [min(1.0, 8 / len(reply))] * len(reply)


def grade(decoder: torch.nn.Module, rows: Sequence[Row]) -> Graded:
    """Run the decoder over the rows, each reply following its prompt.

    The output layer is the embedding table. Rows are padded on the right, where causal attention never looks.

    Args:
        decoder: ``Qwen2Model``.
        rows: The batch.
    """
    table = decoder.embed_tokens.weight
    sequences = []
    for row in rows:
        text = torch.tensor([*row.exercise.before, *row.exercise.after, *row.exercise.reply])
        known = decoder.embed_tokens(text)
        cut = len(row.exercise.before)
        sequences.append(torch.cat([known[:cut], row.sound, known[cut:]]))
    embeds = torch.nn.utils.rnn.pad_sequence(sequences, batch_first=True)
    hidden = decoder(inputs_embeds=embeds, use_cache=False).last_hidden_state
    said = torch.cat(
        [
            hidden[i, len(sequence) - len(row.exercise.reply) - 1 : len(sequence) - 1]
            for i, (row, sequence) in enumerate(zip(rows, sequences, strict=True))
        ]
    )
    wanted = torch.tensor([token for row in rows for token in row.exercise.reply])
    weights = torch.tensor([weight for row in rows for weight in row.weights])
    logits = linear(said, table)
    loss = (cross_entropy(logits, wanted, reduction="none") * weights).sum() / weights.sum()
    hits = (logits.argmax(1) == wanted).tolist()
    starts = torch.cumsum(torch.tensor([0, *(len(row.exercise.reply) for row in rows)]), 0).tolist()
    return Graded(loss, [hits[a:b] for a, b in pairwise(starts)])
