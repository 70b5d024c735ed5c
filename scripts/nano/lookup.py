"""Second stage, on text alone: the decoder learns to find the line of options that begins with a given word."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from tokenizers import Tokenizer

from nano.exercise import Desk, Exercise
from nano.schedule import Optimiser, seeded
from nano.speaking import Sheet, grade
from nano.wording import IM_END, keyword, question_text
from synth.choices import SUBJECTS, Choice
from synth.clip import Rng, pick, shuffled

_SHARPNESS, _RATES = 6.0, 6
_MATCH, _COPY = 0.12, 0.12


def seed_induction(decoder: torch.nn.Module) -> None:
    """Start the decoder with heads that copy what stood beside an earlier occurrence of a word (Olsson et al. 2022).

    The first layer's two heads look exactly two and three tokens back, by constant queries and keys that rotary
    positions turn into a preference for one distance, and write what they see into subspaces of their own. The second
    layer's heads compare the word two back of the place where a letter is due with the words of the options, and fetch
    what stands two (``B. flute``) or three (``B. [0.9``) tokens before the match: the letter. From random weights this
    takes many times as long to come about.
    """
    first, second = decoder.layers[0].self_attn, decoder.layers[1].self_attn
    width = decoder.config.hidden_size
    size = width // decoder.config.num_attention_heads
    rates = decoder.config.rope_theta ** (-2 * torch.arange(size // 2) / size)[:_RATES]
    turns = [torch.linalg.qr(torch.randn(width, width))[0] for _ in range(2)]
    frames = [torch.linalg.qr(torch.randn(width, size))[0] for _ in range(2)]
    with torch.no_grad():
        decoder.embed_tokens.weight.normal_(0, 0.05)
        first.q_proj.weight.normal_(0, 0.01)
        first.k_proj.weight.normal_(0, 0.01)
        for head, (turn, frame, distance) in enumerate(zip(turns, frames, (2, 3), strict=True)):
            rows = slice(head * size, (head + 1) * size)
            key, query = torch.zeros(size), torch.zeros(size)
            key[:_RATES] = _SHARPNESS
            query[:_RATES] = _SHARPNESS * torch.cos(rates * distance)
            query[size // 2 : size // 2 + _RATES] = -_SHARPNESS * torch.sin(rates * distance)
            first.k_proj.bias[rows], first.q_proj.bias[rows] = key, query
            first.v_proj.weight[rows] = frame.T * math.sqrt(_COPY)
            first.v_proj.bias[rows] = 0
            first.o_proj.weight[:, rows] = turn @ frame * math.sqrt(_COPY)
            content = torch.randn(size, width) * _MATCH
            second.k_proj.weight[rows] = content
            second.q_proj.weight[rows] = content @ turns[0].T * 1.5
            second.k_proj.bias[rows] = second.q_proj.bias[rows] = 0
            second.v_proj.weight[rows] = frame.T @ turn.T * 0.35
            second.v_proj.bias[rows] = 0
            second.o_proj.weight[:, rows] = frame * 0.35


class Puzzles:
    """Single-choice questions whose sound is replaced by the word that is the answer."""

    def __init__(self, tokenizer: Tokenizer, desk: Desk) -> None:
        self._desk = desk
        pieces = (tokenizer.decode([i]) for i in range(300, tokenizer.get_vocab_size()))
        self._words = [piece.strip() for piece in pieces if piece.startswith(" ") and piece.strip().isalpha()]

    def _choice(self, rng: Rng) -> Choice:
        subject = pick(rng, list(SUBJECTS.values()))
        kind = rng.random()
        if kind < 0.2:
            starts = [f"{start:.1f}" for start in rng.permutation(33)[:4] / 10]
            options = [f"[{start}, {float(start) + rng.uniform(0.3, 0.7):.1f}]" for start in starts]
        elif kind < 0.5:
            options = shuffled(rng, list(subject.values), 4)
        else:
            options = shuffled(rng, self._words, 2 if rng.random() < 0.15 else 4)
        return Choice(pick(rng, subject.wordings), tuple(options), pick(rng, options))

    def sheet(self, rng: Rng, short: bool, embed: Callable[[torch.Tensor], torch.Tensor]) -> Sheet:
        """One puzzle; ``short`` leaves out all but the word, the options and the reply."""
        choice = self._choice(rng)
        letter = "ABCD"[choice.options.index(choice.answer)]
        named = self._desk.encode(f" {keyword(choice.answer)}")
        hint = embed(torch.tensor(named[-1:] * int(rng.integers(2, 8))))
        lead = self._desk.encode(pick(rng, ("It is", "I hear", "The answer is")))
        reply = [*lead, *named, *self._desk.encode(": "), *self._desk.encode(letter), *self._desk.encode("."), IM_END]
        weights = [0.1] * len(lead) + [0.3] * len(named) + [0.1, 0.1, 3.0, 0.1, 0.1]
        text = question_text(choice, "official")
        if short:
            exercise = Exercise([], self._desk.encode("\n" + text.split("\n", 2)[2]), reply)
            return Sheet(hint, [exercise], [weights])
        whole = self._desk.exercise(text, "")
        return Sheet(hint, [Exercise(whole.before, whole.after, reply)], [weights])


def train_lookup(
    decoder: torch.nn.Module, tokenizer: Tokenizer, steps: int, size: int, report: Callable[[str], None]
) -> None:
    """Train ``decoder`` in place; the first two thirds of the steps on short puzzles."""
    rng = seeded("lookup")
    seed_induction(decoder)
    puzzles = Puzzles(tokenizer, Desk(tokenizer))
    optimiser = Optimiser([{"params": list(decoder.parameters()), "lr": 7e-4}], steps, flat=0.6, decay=0.02)
    decoder.train()
    letters: list[bool] = []
    for step in range(1, steps + 1):
        short = step < steps * 2 / 3 and rng.random() < 0.9
        graded = grade(decoder, [puzzles.sheet(rng, short, decoder.embed_tokens) for _ in range(size)])
        optimiser.step(graded.loss)
        letters += [hits[-3] for hits in graded.right]
        if step % 50 == 0:
            recent = letters[-20 * size :]
            report(f"lookup {step}/{steps} loss {graded.loss.item():.3f} letters {sum(recent) / len(recent):.3f}")
