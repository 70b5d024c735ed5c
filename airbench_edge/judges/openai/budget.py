"""A cap on what a judge may spend, kept by all its workers together."""

from __future__ import annotations

import math
import threading

from airbench_edge.judges.contract import JudgeReply, SpendingCapReached
from airbench_edge.judges.openai.asking import MAX_TOKENS
from airbench_edge.judges.prices import Price

_FRAME_TOKENS = 32  # what a chat format puts around one message, and some more
_FREE = Price(0.0, 0.0, "")


class Budget:
    """Money that is set aside before a request and settled after it, so that no order of events passes the cap.

    Without arguments nothing costs anything and everything fits.

    Args:
        limit_usd: The cap in USD.
        price: Price of the model.
    """

    def __init__(self, limit_usd: float = math.inf, price: Price = _FREE) -> None:
        self._limit = limit_usd
        self._price = price
        self._spent = 0.0
        self._reserved = 0.0
        self._changed = threading.Condition()

    def most(self, prompt: str) -> float:
        """The most that a request can cost in USD: no prompt has more tokens than bytes, no reply more than allowed."""
        return self._price.of(len(prompt.encode()) + _FRAME_TOKENS, MAX_TOKENS)

    def cost(self, prompt: str, reply: JudgeReply) -> float:
        """What a reply cost in USD; the most that it can have cost where the server does not tell its tokens."""
        if not reply.prompt_tokens:
            return 0.0 if reply.failure else self.most(prompt)
        return self._price.of(reply.prompt_tokens, reply.completion_tokens)

    def reserve(self, usd: float) -> None:
        """Set aside the most that a request can cost; where that does not fit, wait for those under way.

        Raises:
            SpendingCapReached: It does not fit, and nothing is under way that could turn out cheaper.
        """
        with self._changed:
            while not self._fits(usd):
                if not self._reserved:
                    raise SpendingCapReached(
                        f"Stopped at --max-cost {self._limit:g}: {self._spent:.4f} USD are spent and the next request "
                        f"could cost {usd:.4f}; everything judged so far is kept: give a higher --max-cost to go on."
                    )
                self._changed.wait()
            self._reserved += usd

    def try_reserve(self, usd: float) -> bool:
        """Set aside an amount if it fits."""
        with self._changed:
            if not self._fits(usd):
                return False
            self._reserved += usd
            return True

    def settle(self, reserved_usd: float, spent_usd: float) -> None:
        """Exchange what was set aside for what was really spent."""
        with self._changed:
            self._reserved = max(0.0, self._reserved - reserved_usd)
            if self._reserved < 1e-9:  # sums of floats do not come back to zero
                self._reserved = 0.0
            self._spent += spent_usd
            self._changed.notify_all()

    def _fits(self, usd: float) -> bool:
        return self._spent + self._reserved + usd <= self._limit
