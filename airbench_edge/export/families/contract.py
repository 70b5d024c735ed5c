"""What the exporter must be told about a model family."""

from __future__ import annotations

from typing import NamedTuple, Protocol

import torch


class Sample(NamedTuple):
    """An example input of a graph, from which it is traced.

    Attributes:
        name: Name of the graph input.
        value: Example; no axis that varies may have the length 0 or 1, or that of another axis.
        varies: Axis to the name of its length, for axes that vary between calls.
    """

    name: str
    value: torch.Tensor
    varies: dict[int, str]


class ExportFamily(Protocol):
    """One model family, seen by the exporter."""

    @property
    def model_type(self) -> str:
        """``model_type`` in ``config.json``."""
        ...

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Sound to audio features: a module that takes the tensors of ``encoder_samples`` in that order."""
        ...

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Example inputs of the encoder."""
        ...
