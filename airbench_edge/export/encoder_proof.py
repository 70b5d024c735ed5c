"""The encoder graph against PyTorch, by optimum: each family's encoder is registered there with an ONNX configuration.

optimum's own exporter is not used: it knows no decoder without a past in one graph with one, and it keeps a whole model
in memory twice while weights beyond 2 GB are moved to one file. What it does well is compare: names and shapes of the
outputs, the axes that vary, and the values.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import onnx
import torch
from transformers import PretrainedConfig

from airbench_edge.errors import InputError
from airbench_edge.export.families.contract import Sample
from airbench_edge.export.parity import BOUND
from airbench_edge.export.quiet import quiet

ENCODER_OUTPUTS: dict[str, dict[int, str]] = {"audio_features": {0: "clips"}}
_TASK = "feature-extraction"


class _Named(torch.nn.Module):  # type: ignore[misc]
    """An encoder whose output has its name, as models of transformers have it."""

    def __init__(self, encoder: torch.nn.Module) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, **inputs: torch.Tensor) -> dict[str, torch.Tensor]:
        """Encode clips."""
        return {"audio_features": self.encoder(*inputs.values())}


def prove_encoder(model_type: str, encoder: torch.nn.Module, samples: Sequence[Sample], graph: Path) -> bool:
    """Compare an encoder graph with the module that it was traced from, on fewer clips than it was traced with.

    Args:
        model_type: The family, under which the configuration is registered in optimum.
        encoder: The module, computing in float32.
        samples: Its example inputs.
        graph: The graph, computing in float32.

    Returns:
        Whether it was compared: there is no optimum for transformers 5.

    Raises:
        InputError: The graph does not say what the module says.
    """
    if importlib.util.find_spec("optimum") is None:
        return False
    from optimum.exporters.onnx import validate_model_outputs
    from optimum.exporters.tasks import TasksManager

    fewer = [sample._replace(value=_first(sample)) for sample in samples]
    config_class = _onnx_config(fewer, _varying(graph))
    with quiet():
        TasksManager.create_register("onnx", overwrite_existing=True)(model_type, _TASK)(config_class)
        config = TasksManager.get_exporter_config_constructor(
            "onnx", model_type=model_type, task=_TASK, library_name="transformers"
        )(PretrainedConfig())
    with torch.no_grad(), quiet():
        features = encoder(*(sample.value for sample in fewer))
    bound = BOUND * float(features.max() - features.min())
    try:
        with quiet():
            validate_model_outputs(
                config, _Named(encoder.eval()), graph, list(ENCODER_OUTPUTS), atol=bound, use_subprocess=False
            )
    except ValueError as error:  # the base of all that optimum finds
        reason = " ".join(str(error).split())
        raise InputError(f"The encoder graph does not say what PyTorch says: {reason}") from error
    return True


def _first(sample: Sample) -> torch.Tensor:
    """One row where there may be any number: a graph that has learned the number of its example by heart fails."""
    return sample.value[:1] if 0 in sample.varies else sample.value


def _varying(graph: Path) -> dict[str, dict[int, str]]:
    """Output to the axes that vary, as the exporter found them."""
    outputs = onnx.load(graph, load_external_data=False).graph.output
    return {
        made.name: {axis: dim.dim_param for axis, dim in enumerate(made.type.tensor_type.shape.dim) if dim.dim_param}
        for made in outputs
    }


def _onnx_config(samples: Sequence[Sample], varying: dict[str, dict[int, str]]) -> type:
    from optimum.exporters.onnx.base import OnnxConfig
    from optimum.utils import NormalizedConfig

    class EncoderOnnxConfig(OnnxConfig):  # type: ignore[misc]
        """What optimum must know of an encoder: its inputs, its output, example inputs."""

        NORMALIZED_CONFIG_CLASS = NormalizedConfig

        @property
        def inputs(self) -> dict[str, dict[int, str]]:
            return {sample.name: sample.varies for sample in samples}

        @property
        def outputs(self) -> dict[str, dict[int, str]]:
            return varying

        def generate_dummy_inputs(self, framework: str = "pt", **_: Any) -> dict[str, Any]:  # noqa: ANN401
            return {s.name: s.value if framework == "pt" else s.value.numpy() for s in samples}

        def patch_model_for_export(
            self, model: torch.nn.Module, model_kwargs: dict[str, Any] | None = None
        ) -> AbstractContextManager[None]:
            return nullcontext()

    return EncoderOnnxConfig
