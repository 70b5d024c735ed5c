"""A judge from what the user typed after ``--judge``."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from airbench_edge.benchmark.prompts import JudgePrompt
from airbench_edge.errors import InputError
from airbench_edge.given_path import given_path
from airbench_edge.judges.contract import Judge
from airbench_edge.judges.prices import OPENAI_SERVER
from airbench_edge.judges.recorded import RecordedJudge


class JudgeSettings(msgspec.Struct, frozen=True):
    """How a judge is to be asked; each back end takes what concerns it.

    Attributes:
        base_url: Address of an OpenAI-compatible server.
        temperature: A number, or ``official`` for the released scripts' mixture of 1.0 and 2.0.
        seed: Seed of that mixture.
        concurrency: API requests under way at once.
        free_form: Let a local judge write freely instead of choosing two integers.
        reasoning: ``reasoning_effort`` of an API judge; empty to leave it to the server.
        longest_wait_s: Longest wait in seconds that an API may ask for.
        max_cost: Most USD that each API judge may spend; None for no cap.
        prices: A file of prices beside the built-in ones.
        cache: Whether replies of an API are remembered; None for those of OpenAI itself only, because a name at another
            server may stand for other weights tomorrow.
        batch: Use the Batch API.
        prompt: Which prompt judges are asked with.
    """

    base_url: str | None = None
    temperature: str = "0"
    seed: int = 0
    concurrency: int = 8
    free_form: bool = False
    reasoning: str = ""
    longest_wait_s: float = 600.0
    max_cost: float | None = None
    prices: Path | None = None
    cache: bool | None = None
    batch: bool = False
    prompt: JudgePrompt = "official"

    @property
    def address(self) -> str | None:
        """Address of the API, from the settings or the variable that the client itself obeys; None for OpenAI's own.

        Raises:
            InputError: It is no address.
        """
        if self.base_url is not None:
            return _http_address(self.base_url, "--base-url")
        told = os.environ.get("OPENAI_BASE_URL", "").strip()
        return _http_address(told, "OPENAI_BASE_URL") if told else None

    @property
    def at_openai(self) -> bool:
        """Whether that is OpenAI itself, whose prices and model names are known.

        Raises:
            InputError: The address is none.
        """
        return self.address is None or urlsplit(self.address).hostname == OPENAI_SERVER


def _http_address(text: str, where: str) -> str:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        usable = False
    else:
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0
    if not usable or not text.isprintable() or " " in text:
        without_password = text.rpartition("@")[2]
        raise InputError(
            f"{where} {without_password!r} is no http or https address: give one such as http://127.0.0.1:8080/v1."
        )
    return text


def open_judge(spec: str, settings: JudgeSettings, tell: Callable[[str], None] = lambda _: None) -> Judge:
    """Open ``llama:FILE.gguf``, ``openai:MODEL`` or ``recorded:FILE.jsonl``.

    Args:
        spec: What was typed.
        settings: How it is to be asked.
        tell: Told what a local judge has to say before it begins.

    Raises:
        InputError: The spec is of no known kind, or what it names cannot be used.
    """
    kind, colon, target = spec.partition(":")
    if kind == "llama" and target:
        from airbench_edge.judges.llamacpp import LlamaJudge

        return LlamaJudge(given_path(target), free_form=settings.free_form, prompt=settings.prompt, tell=tell)
    if kind == "openai" and target:
        from airbench_edge.judges.openai.from_settings import api_judge

        return api_judge(target, settings)
    if kind == "recorded" and target:
        return RecordedJudge(given_path(target))
    hint = f" (did you mean llama:{spec}?)" if spec.endswith(".gguf") and not colon else ""
    raise InputError(
        f"--judge {spec} is of no known kind{hint}: give llama:FILE.gguf, openai:MODEL or recorded:FILE.jsonl."
    )
