"""Names of judges as they stand in file names."""

from __future__ import annotations

import re

from airbench_edge.benchmark.prompts import JudgePrompt


def slug(text: str) -> str:
    """Lower-case letters, digits, dot, dash and underscore; everything else becomes a dash.

    >>> slug("meta-llama/Llama 3.1")
    'meta-llama-llama-3.1'
    """
    return re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-.") or "judge"


def prompt_suffix(prompt: JudgePrompt) -> str:
    """What tells the files of a judge that is not asked with the official prompt."""
    return "" if prompt == "official" else f"-{prompt}"
