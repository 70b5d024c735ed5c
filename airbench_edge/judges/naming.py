"""Names of judges as they stand in file names."""

from __future__ import annotations

import hashlib
import re

from airbench_edge.benchmark.prompts import JudgePrompt

_LONGEST = 200  # of the 255 bytes that file systems give a name; the rest is for what is put behind it


def slug(text: str) -> str:
    """Lower-case letters, digits, dot, dash and underscore; everything else becomes a dash.

    A long name keeps its beginning and is told from others by a hash.

    >>> slug("meta-llama/Llama 3.1")
    'meta-llama-llama-3.1'
    """
    name = re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-.") or "judge"
    if len(name) <= _LONGEST:
        return name
    return f"{name[: _LONGEST - 13]}-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def prompt_suffix(prompt: JudgePrompt) -> str:
    """What tells the files of a judge that is not asked with the official prompt."""
    return "" if prompt == "official" else f"-{prompt}"
