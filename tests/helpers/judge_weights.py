"""Where tests find judges: the committed tiny one, and real ones if they were fetched before."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

TINY_JUDGE = Path(__file__).parents[1] / "cases" / "tiny_judge" / "tiny.gguf"


def fetched(file: str, name: str) -> Path:
    """The cached weights of a real judge, or skip the test."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    path = cache / "airbench-edge" / "judges" / file
    if not path.exists():
        pytest.skip(f"needs {file}: python scripts/get_judge.py {name}")
    return path


def smollm2() -> Path:
    return fetched("SmolLM2-135M-Instruct.Q4_1.gguf", "smollm2")


def qwen() -> Path:
    return fetched("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", "qwen")
