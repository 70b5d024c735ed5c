"""The decoder under training: prompts, sounds and replies in, the loss of the replies out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch.nn.functional import cross_entropy, linear

from nano.exercise import Exercise


class Sheet(NamedTuple):
    """A sound with questions about it, which share the prompt up to the sound.

    Attributes:
        sound: What stands in the place of the audio tokens, [tokens, width].
        exercises: Questions and replies; all have the same ``before``.
        weights: For each reply, the weight of each of its tokens in the loss.
    """

    sound: torch.Tensor
    exercises: list[Exercise]
    weights: list[list[float]]


class Graded(NamedTuple):
    """Weighted mean loss, and for every token of every reply whether it would have been said."""

    loss: torch.Tensor
    right: list[list[bool]]


class _Laid(NamedTuple):
    """A sheet as one sequence: embeddings, segment and position of each place, and where replies are foretold."""

    embeds: torch.Tensor
    segments: torch.Tensor
    positions: torch.Tensor
    places: list[int]


def evenly(reply: Sequence[int]) -> list[float]:
    """Weights that let a long reply count as much as one of eight tokens."""
    return [min(1.0, 8 / len(reply))] * len(reply)


def _laid(sheet: Sheet, embed: torch.nn.Module) -> _Laid:
    before = sheet.exercises[0].before
    texts = [[*exercise.after, *exercise.reply] for exercise in sheet.exercises]
    known = embed(torch.tensor(before + [token for text in texts for token in text]))
    shared = len(before) + len(sheet.sound)
    lengths = torch.tensor([shared, *map(len, texts)])
    starts = torch.cumsum(lengths, 0) - lengths
    segments = torch.repeat_interleave(torch.arange(len(lengths)), lengths)
    positions = torch.arange(len(segments)) - starts[segments] + shared * (segments > 0)
    ends = torch.cumsum(lengths, 0)[1:].tolist()
    places = [
        place
        for end, exercise in zip(ends, sheet.exercises, strict=True)
        for place in range(end - len(exercise.reply) - 1, end - 1)
    ]
    embeds = torch.cat([known[: len(before)], sheet.sound, known[len(before) :]])
    return _Laid(embeds, segments, positions, places)


def grade(decoder: torch.nn.Module, sheets: Sequence[Sheet]) -> Graded:
    """Run the decoder over the sheets.

    The questions of a sheet follow each other in one sequence; each sees the shared beginning and itself, at the
    positions that it would have alone, so that a sound is read once for all of them. The output layer is the embedding
    table.

    Args:
        decoder: ``Qwen2Model`` with attention spelt out, which takes a mask as a bias.
        sheets: The batch.
    """
    laid = [_laid(sheet, decoder.embed_tokens) for sheet in sheets]
    pad = torch.nn.utils.rnn.pad_sequence
    segments = pad([one.segments for one in laid], batch_first=True, padding_value=-1)
    earlier = torch.ones(segments.shape[1], segments.shape[1], dtype=torch.bool).tril()
    visible = earlier & ((segments[:, None, :] == 0) | (segments[:, None, :] == segments[:, :, None]))
    bias = torch.zeros(visible.shape).masked_fill(~visible, torch.finfo(torch.float32).min)[:, None]
    hidden = decoder(
        inputs_embeds=pad([one.embeds for one in laid], batch_first=True),
        attention_mask=bias,
        position_ids=pad([one.positions for one in laid], batch_first=True),
        use_cache=False,
    ).last_hidden_state
    said = torch.cat([row[one.places] for row, one in zip(hidden, laid, strict=True)])
    replies = [exercise.reply for sheet in sheets for exercise in sheet.exercises]
    wanted = torch.tensor([token for reply in replies for token in reply])
    weights = torch.tensor([weight for sheet in sheets for one in sheet.weights for weight in one])
    logits = linear(said, decoder.embed_tokens.weight)
    loss = (cross_entropy(logits, wanted, reduction="none") * weights).sum() / weights.sum()
    hits = iter((logits.argmax(1) == wanted).tolist())
    return Graded(loss, [[next(hits) for _ in reply] for reply in replies])
