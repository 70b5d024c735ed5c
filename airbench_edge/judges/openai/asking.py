"""How one model is asked: the body of a request, and what the server made us leave out of it."""

from __future__ import annotations

import hashlib
from typing import Any, Literal, TypeAlias

import msgspec
import openai

from airbench_edge.judges.contract import JudgeRequest

MAX_TOKENS = 1024
"""As in the released ``score_chat.py``."""

Temperature: TypeAlias = float | Literal["official"]
"""A number, or the released scripts' mixture: 1.0 or 2.0 with equal chance for each request."""

Body: TypeAlias = dict[str, Any]

_REFUSALS = ("unsupported_parameter", "unsupported_value")


class Asking:
    """The settings of a judge, and those that its server refused.

    The settings are the judge's identity. Whether a model takes them is known only after the first request, so what was
    left out stands with each reply instead (``JudgeReply.asked_with``).

    Args:
        server: Address of the API, without credentials.
        model: Model name.
        temperature: Sampling temperature.
        seed: Seed of the official mixture, and of which sampled reply the cache gives.
        reasoning: Value of ``reasoning_effort``; empty to leave it to the server.
    """

    def __init__(self, server: str, model: str, temperature: Temperature, seed: int, reasoning: str) -> None:
        self.server = server
        self._model = model
        self._temperature: Temperature = temperature
        self._seed = seed
        self._reasoning = reasoning
        self._refused: frozenset[str] = frozenset()

    def details(self) -> dict[str, str]:
        """The settings in words, for the identity."""
        official = f"official, seed {self._seed}"
        details = {
            "temperature": official if self._temperature == "official" else f"{self._temperature:g}",
            "max_tokens": str(MAX_TOKENS),
        }
        return {**details, "reasoning": self._reasoning} if self._reasoning else details

    def body(self, request: JudgeRequest) -> Body:
        """The JSON body as this server takes it."""
        body = self._wanted(request)
        if "max_tokens" in self._refused:
            body["max_completion_tokens"] = body.pop("max_tokens")
        if "temperature" in self._refused:
            del body["temperature"]
        return body

    def key(self, request: JudgeRequest) -> str:
        """Hash of everything that a reply depends on, 64 hexadecimal digits.

        Sampled replies of two items, attempts or seeds are different draws, also where the prompt is the same.
        """
        draw = [request.attempt, *([self._draw(request)] if self._temperature else [])]
        return hashlib.sha256(msgspec.json.encode([self.server, self._wanted(request), draw])).hexdigest()

    def relent(self, error: openai.BadRequestError, sent: Body) -> bool:
        """Whether the request is worth repeating, now without the parameter that this server does not take."""
        name = error.param
        if error.code not in _REFUSALS or name not in ("max_tokens", "temperature") or name not in sent:
            return False
        self._refused |= {name}  # two workers at once may lose one of the two; it is then refused and learnt again
        return True

    def _wanted(self, request: JudgeRequest) -> Body:
        body: Body = {
            "model": self._model,
            "messages": [{"role": "user", "content": request.prompt}],
            "temperature": self._temperature_of(request),
            "max_tokens": MAX_TOKENS,
        }
        return {**body, "reasoning_effort": self._reasoning} if self._reasoning else body

    def _temperature_of(self, request: JudgeRequest) -> float:
        """The fixed temperature, or one drawn from seed and request, so that a resumed run draws the same."""
        if self._temperature != "official":
            return self._temperature
        drawn = hashlib.sha256(self._draw(request).encode()).digest()[0]
        return 1.0 if drawn % 2 == 0 else 2.0

    def _draw(self, request: JudgeRequest) -> str:
        again = f"/{request.attempt}" if request.attempt else ""
        return f"{self._seed}/{request.uniq_id}/{request.order}{again}"


def asked_with(body: Body) -> str:
    """What is otherwise in a body than the identity of the judge says."""
    renamed = ["max_completion_tokens"] if "max_completion_tokens" in body else []
    return ", ".join([*renamed, *([] if "temperature" in body else ["default temperature"])])
