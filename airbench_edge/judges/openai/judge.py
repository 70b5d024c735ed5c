"""One verdict a request, several requests at a time."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Literal, TypeAlias
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeIdentity, JudgeReply, JudgeRequest
from airbench_edge.judges.naming import slug
from airbench_edge.judges.openai.retry import RequestFailed, call

MAX_TOKENS = 1024
"""As in the released ``score_chat.py``."""

Temperature: TypeAlias = float | Literal["official"]
"""A number, or the released scripts' mixture: 1.0 or 2.0 with equal chance for each request."""


class OpenAIJudge:
    """A judge behind the chat completions API.

    Args:
        model: Model name as the server knows it.
        base_url: Address of a compatible server; None for OpenAI itself.
        temperature: Sampling temperature; ``official`` draws 1.0 or 2.0 for each request from ``seed``.
        seed: Seed of that draw.
        concurrency: Requests under way at once.
        longest_wait_s: Longest Retry-After in seconds that is obeyed.
        timeout_s: Time limit of one call.
        sleep: Waits; replaced in tests.

    Raises:
        InputError: No API key for a server that needs one, or an unusable address.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        temperature: Temperature = 0.0,
        seed: int = 0,
        concurrency: int = 8,
        longest_wait_s: float = 600.0,
        timeout_s: float = 120.0,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        key = os.environ.get("OPENAI_API_KEY")
        if not key and base_url is None:
            raise InputError(
                "The judge openai: needs an API key: set OPENAI_API_KEY, or give --base-url of a local server."
            )
        if base_url is not None and urlsplit(base_url).scheme not in ("http", "https"):
            raise InputError(
                f"--base-url {base_url} is no http or https address: give one such as http://127.0.0.1:8080/v1."
            )
        self._model = model
        self._temperature: Temperature = temperature
        self._seed = seed
        self._concurrency = concurrency
        self._longest_wait_s = longest_wait_s
        self._sleep = sleep
        # A placeholder key, because the client refuses to start without one and local servers ignore it.
        self._client = openai.OpenAI(api_key=key or "unused", base_url=base_url, max_retries=0, timeout=timeout_s)
        self._identity = JudgeIdentity(
            kind="openai",
            name=slug(model),
            details={
                "model": model,
                "server": urlsplit(str(self._client.base_url)).netloc.rpartition("@")[2],
                "temperature": f"official, seed {seed}" if temperature == "official" else f"{temperature:g}",
                "max_tokens": str(MAX_TOKENS),
            },
        )

    @property
    def identity(self) -> JudgeIdentity:
        """Model, server and sampling."""
        return self._identity

    def replies(self, requests: Sequence[JudgeRequest]) -> Iterator[tuple[JudgeRequest, JudgeReply]]:
        """Ask all requests, at most ``concurrency`` at a time, and yield replies as they arrive.

        Raises:
            InputError: Nothing further can succeed (wrong key, spent quota, no server).
        """
        waiting = iter(requests)
        pool = ThreadPoolExecutor(self._concurrency, thread_name_prefix="judge")
        running: dict[Future[JudgeReply], JudgeRequest] = {}
        try:
            while True:
                while len(running) < self._concurrency and (request := next(waiting, None)) is not None:
                    running[pool.submit(self._reply, request)] = request
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _reply(self, request: JudgeRequest) -> JudgeReply:
        try:
            answer = call(
                partial(self._complete, request), sleep=self._sleep, now=time.time, longest_wait_s=self._longest_wait_s
            )
        except RequestFailed as failed:
            return JudgeReply(text=None, failure=str(failed))
        return read_completion(answer)

    def _complete(self, request: JudgeRequest) -> ChatCompletion:
        return self._client.chat.completions.create(
            model=self._model,
            messages=[{"role": "user", "content": request.prompt}],
            temperature=self._temperature_of(request),
            max_tokens=MAX_TOKENS,
        )

    def _temperature_of(self, request: JudgeRequest) -> float:
        """The fixed temperature, or one drawn from seed and request, so that a resumed run draws the same."""
        if self._temperature != "official":
            return self._temperature
        drawn = hashlib.sha256(f"{self._seed}/{request.uniq_id}/{request.order}".encode()).digest()[0]
        return 1.0 if drawn % 2 == 0 else 2.0


def read_completion(answer: ChatCompletion) -> JudgeReply:
    """A reply out of an API answer, however incomplete a server left it."""
    choice = answer.choices[0] if answer.choices else None
    # Servers are seen to send a null message, which the client's types exclude.
    text = getattr(getattr(choice, "message", None), "content", None)
    finish = getattr(choice, "finish_reason", None)
    failure = ""
    if finish == "content_filter":
        text, failure = None, "content_filter"
    elif not text:
        text, failure = None, "empty_reply"
    usage = answer.usage
    return JudgeReply(
        text=text,
        finish=finish if finish in ("stop", "length") else "unknown",
        failure=failure,
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
        model=answer.model or "",
        fingerprint=answer.system_fingerprint or "",
    )
