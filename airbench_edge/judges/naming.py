"""Names of judges as they stand in file names."""

from __future__ import annotations

import re


def slug(text: str) -> str:
    """Lower-case letters, digits, dot, dash and underscore; everything else becomes a dash.

    >>> slug("meta-llama/Llama 3.1")
    'meta-llama-llama-3.1'
    """
    return re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-.") or "judge"
