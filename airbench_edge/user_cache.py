"""Where things are kept between runs: hashes of weights, replies of APIs, health cards of judges."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """``airbench-edge`` in the user's cache folder: ``XDG_CACHE_HOME``, or ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "airbench-edge"
