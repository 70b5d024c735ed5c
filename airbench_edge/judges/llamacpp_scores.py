"""Two integers from 1 to 10, chosen by what a local judge thinks of each as a whole."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from airbench_edge.errors import InputError
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.choice import Tokens, weigh
from airbench_edge.llama.engine import Engine, Logits

SCORES = range(1, 11)


class ScorePair(NamedTuple):
    """A verdict and the distribution behind it.

    Attributes:
        scores: The most likely first score, and the most likely second score after it.
        expected: Mean of each distribution, renormalised over 1 to 10.
        entropy: Entropy of each in nats.
        format_mass: Probability that an unconstrained reply would begin with a number from 1 to 10.
        tokens: Length of the reply in tokens, its end included.
    """

    scores: tuple[int, int]
    expected: tuple[float, float]
    entropy: tuple[float, float]
    format_mass: float
    tokens: int


class ScoreLine:
    """The replies ``"1 1"`` to ``"10 10"`` in the tokens of one model.

    Where digits are tokens, a first score of 1 counts only as far as a blank follows it, a second one as far as the
    line or the turn ends after it; otherwise it would have the probability of 10 too.

    Raises:
        InputError: The tokenizer joins the scores in a way that cannot be taken apart.
    """

    def __init__(self, chat: Chat, line_ends: list[int]) -> None:
        self._firsts = [chat.reply_tokens(str(score)) for score in SCORES]
        rests = {
            tuple(_rest(chat, first, f"{score} {second}") for second in SCORES)
            for score, first in zip(SCORES, self._firsts, strict=True)
        }
        if len(rests) != 1:
            raise InputError(
                "This model's tokenizer writes a score differently after each score: judge with --free-form."
            )
        (rest,) = rests
        self._blanks = sorted({tokens[0] for tokens in rest})
        self._blank: Tokens = (
            tuple(self._blanks) if len(self._blanks) == 1 else ()
        )  # else each second score has its own
        self._seconds = [tokens[len(self._blank) :] for tokens in rest]
        self._line_ends = line_ends

    def choose(self, engine: Engine, logits: Logits) -> ScorePair:
        """Read the verdict off the logits after a prompt and a few more evaluations."""
        first = weigh(engine, logits, self._firsts, self._blanks)
        begun = (*self._firsts[first.best], *self._blank)
        second = weigh(engine, engine.extend(begun), self._seconds, self._line_ends)
        return ScorePair(
            scores=(SCORES[first.best], SCORES[second.best]),
            expected=(_mean(first.probabilities), _mean(second.probabilities)),
            entropy=(_entropy(first.probabilities), _entropy(second.probabilities)),
            format_mass=first.mass,
            tokens=len(begun) + len(self._seconds[second.best]) + 1,
        )


def _rest(chat: Chat, first: Tokens, reply: str) -> Tokens:
    """Tokens of a reply after its first score."""
    whole = chat.reply_tokens(reply)
    if whole[: len(first)] != first or len(whole) == len(first):
        raise InputError(f"This model's tokenizer joins {reply!r} in one token: judge with --free-form.")
    return whole[len(first) :]


def _mean(probabilities: npt.NDArray[np.float64]) -> float:
    return float(probabilities @ np.array(SCORES))


def _entropy(probabilities: npt.NDArray[np.float64]) -> float:
    """Shannon entropy in nats; an impossible score adds nothing."""
    possible = probabilities[probabilities > 0]
    return float(-(possible * np.log(possible)).sum())
