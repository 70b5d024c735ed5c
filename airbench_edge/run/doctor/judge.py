"""Whether a judge could be asked; an API is not called."""

from __future__ import annotations

import os
from pathlib import Path

from airbench_edge.errors import InputError
from airbench_edge.given_path import given_path
from airbench_edge.judges.recorded import RecordedJudge
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.vocabulary import Vocabulary
from airbench_edge.run.doctor.finding import Finding, Level, problem
from airbench_edge.run.doctor.memory import gib, llama_memory, size_of
from airbench_edge.run.doctor.model import Checked

_TOPIC = "Judge"


def check_judge(spec: str, base_url: str | None) -> Checked:
    """Look at what ``--judge`` names.

    Args:
        spec: As typed.
        base_url: Address of the API, if it is not that of OpenAI.
    """
    kind, _, target = spec.partition(":")
    try:
        if kind == "llama" and target:
            return _llama(given_path(target))
        if kind == "openai" and target:
            return Checked(_openai(target, base_url))
        if kind == "recorded" and target:
            RecordedJudge(given_path(target))
            return Checked(Finding(_TOPIC, Level.OK, f"recorded verdicts of {target}"))
        raise InputError(
            f"--judge {spec} is of no known kind: give llama:FILE.gguf, openai:MODEL or recorded:FILE.jsonl."
        )
    except InputError as error:
        return Checked(problem(_TOPIC, error))


def _llama(path: Path) -> Checked:
    file = open_model_file(path)
    vocabulary = Vocabulary(file)
    try:
        Chat(file, vocabulary)
    finally:
        vocabulary.close()
    finding = Finding(_TOPIC, Level.OK, f"{file.stem}: {gib(size_of(file.parts))}, its chat template works")
    return Checked(finding, llama_memory(file))


def _openai(model: str, base_url: str | None) -> Finding:
    base_url = base_url or os.environ.get("OPENAI_BASE_URL", "").strip()
    if not base_url and not os.environ.get("OPENAI_API_KEY"):
        remedy = "Set OPENAI_API_KEY, or give --base-url of a local server."
        return Finding(_TOPIC, Level.PROBLEM, f"{model} needs an API key, and none is set", remedy)
    where = base_url or "OpenAI, key set"
    return Finding(_TOPIC, Level.OK, f"{model} at {where}; not called, as doctor opens no connection")
