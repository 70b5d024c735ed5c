"""The names of the two sets of conventions by which responses and verdicts are read and counted."""

from __future__ import annotations

from typing import Literal, TypeAlias

RulesName: TypeAlias = Literal["official", "strict"]
