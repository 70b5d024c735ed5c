"""Which transformers the tests run with."""

from __future__ import annotations

from importlib.metadata import version

FIVE = int(version("transformers").partition(".")[0]) >= 5
