"""One verdict a request: several requests at a time, or many in a batch."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from urllib.parse import urlsplit

from airbench_edge.benchmark.prompts import JUDGE_PROMPTS, JudgePrompt
from airbench_edge.judges.contract import JudgeIdentity, JudgeReply, JudgeRequest
from airbench_edge.judges.naming import prompt_suffix, slug
from airbench_edge.judges.openai.asking import Asking, Temperature
from airbench_edge.judges.openai.batched import Batched
from airbench_edge.judges.openai.budget import Budget
from airbench_edge.judges.openai.cache import ReplyCache
from airbench_edge.judges.openai.client import open_client
from airbench_edge.judges.openai.direct import Direct
from airbench_edge.judges.openai.pace import Clock, Pace, RealClock
from airbench_edge.judges.openai.pending import PendingBatches
from airbench_edge.judges.openai.workers import ask_all


class OpenAIJudge:
    """A judge behind the chat completions API.

    Args:
        model: Model name as the server knows it.
        base_url: Address of a compatible server; None for OpenAI itself.
        temperature: Sampling temperature; ``official`` draws 1.0 or 2.0 for each request from ``seed``.
        seed: Seed of that draw.
        reasoning: Value of ``reasoning_effort``; empty to leave it to the server.
        concurrency: Requests under way at once.
        longest_wait_s: Longest Retry-After in seconds that is obeyed.
        timeout_s: Time limit of one call.
        budget: Cap on what is spent; None for no cap.
        cache: Replies of earlier commands; None to remember nothing.
        batches: Where batches are remembered, to use the Batch API; None to ask one by one.
        prompt: Which prompt its requests are written with.
        clock: Tells the time and waits.

    Raises:
        InputError: No usable API key for a server that needs one, or an unusable address, proxy or certificate.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        temperature: Temperature = 0.0,
        seed: int = 0,
        reasoning: str = "",
        concurrency: int = 8,
        longest_wait_s: float = 600.0,
        timeout_s: float = 120.0,
        budget: Budget | None = None,
        cache: ReplyCache | None = None,
        batches: PendingBatches | None = None,
        prompt: JudgePrompt = "official",
        clock: Clock | None = None,
    ) -> None:
        self._client = open_client(base_url, timeout_s)
        address = urlsplit(str(self._client.base_url))
        host = address.netloc.rpartition("@")[2]
        self._asking = Asking(f"{host}{address.path}", model, temperature, seed, reasoning)
        self._direct = Direct(self._client, self._asking, budget or Budget(), longest_wait_s)
        self._concurrency = concurrency
        self._cache = cache
        self._batches = batches
        self._clock = clock or RealClock()
        details = {"model": model, "server": host, **self._asking.details(), "judge prompt": JUDGE_PROMPTS[prompt]}
        self._identity = JudgeIdentity(kind="openai", name=slug(model) + prompt_suffix(prompt), details=details)

    @property
    def identity(self) -> JudgeIdentity:
        """Model, server and sampling; how the requests travel is no part of it."""
        return self._identity

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        """Yield what earlier commands were told, then ask the rest and yield replies as they arrive.

        Raises:
            InputError: Nothing further can succeed (wrong key, spent quota, no server, the cap on spending).
        """
        fresh = []
        for request in requests:
            kept = self._cache.get(self._asking.key(request)) if self._cache else None
            if kept is None:
                fresh.append(request)
            else:
                yield request, kept
        pace = Pace(self._clock)
        if self._batches is None:
            yield from ask_all(partial(self._ask, pace), fresh, self._concurrency, pace.stop)
        else:
            batched = Batched(self._direct, self._batches, pace)
            for request, reply in batched.replies(fresh):
                self._keep(request, reply)
                yield request, reply

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _ask(self, pace: Pace, request: JudgeRequest) -> JudgeReply:
        reply = self._direct.reply(request, pace)
        self._keep(request, reply)
        return reply

    def _keep(self, request: JudgeRequest, reply: JudgeReply) -> None:
        if self._cache:
            self._cache.put(self._asking.key(request), reply)
