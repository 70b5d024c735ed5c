"""The exact distribution of a model over a few allowed replies.

Tokenizers split numbers differently: where digits are tokens, the probability of the token ``1`` is shared by 1 and 10,
and comparing first tokens would favour both. Here each allowed reply is weighed as a whole: the product of the
probabilities of its tokens, times, where another one begins with it, the probability that it ends there. What follows a
reply that no other one begins with is not evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from airbench_edge.llama.engine import Engine, Logits

Tokens: TypeAlias = tuple[int, ...]
_LogProbabilities: TypeAlias = npt.NDArray[np.float64]


class Choice(NamedTuple):
    """How a model weighs the allowed replies.

    Attributes:
        probabilities: Renormalised over the allowed replies, shape [choices].
        mass: Probability that an unconstrained reply would begin with one of them.
    """

    probabilities: npt.NDArray[np.float64]
    mass: float

    @property
    def best(self) -> int:
        """Place of the most likely reply, the first of equals."""
        return int(self.probabilities.argmax())


def weigh(engine: Engine, logits: Logits, choices: Sequence[Tokens], ends: Sequence[int]) -> Choice:
    """Weigh the choices as continuations of what the engine has evaluated.

    Args:
        engine: Its state is as before when this returns.
        logits: What it said last, shape [vocabulary].
        choices: Allowed replies, different from one another.
        ends: Tokens one of which follows a reply that ends where another one would go on.
    """
    beginnings = {choice for choice in choices if any(_begins_with(other, choice) for other in choices)}
    paths = _longest([choice if choice in beginnings else choice[:-1] for choice in choices])
    after: dict[Tokens, _LogProbabilities] = {(): _log_probabilities(logits)}
    if paths:
        for path, rows in zip(paths, engine.branches(paths), strict=True):
            for length, row in enumerate(rows, start=1):
                after.setdefault(path[:length], _log_probabilities(row))
    written = [sum(float(after[choice[:step]][token]) for step, token in enumerate(choice)) for choice in choices]
    ended = [
        float(np.logaddexp.reduce(after[choice][list(ends)])) if choice in beginnings else 0.0 for choice in choices
    ]
    weights = np.array(written) + np.array(ended)
    begun = [
        weight
        for weight, choice in zip(written, choices, strict=True)
        if not any(_begins_with(choice, other) for other in choices)
    ]
    return Choice(np.exp(weights - np.logaddexp.reduce(weights)), float(np.exp(begun).sum()))


def _longest(paths: Sequence[Tokens]) -> list[Tokens]:
    """The paths that are no beginning of another, each once."""
    distinct = list(dict.fromkeys(path for path in paths if path))
    return [path for path in distinct if not any(_begins_with(other, path) for other in distinct)]


def _begins_with(choice: Tokens, other: Tokens) -> bool:
    return other != choice and choice[: len(other)] == other


def _log_probabilities(logits: Logits) -> _LogProbabilities:
    """Log-softmax in double precision, shape [vocabulary]."""
    shifted: _LogProbabilities = logits.astype(np.float64) - float(logits.max())
    shifted -= np.log(np.exp(shifted).sum())
    return shifted
