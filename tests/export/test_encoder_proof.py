from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("optimum.exporters.onnx", reason="optimum is not installed; it does not admit transformers 5")

import onnx
import torch
from helpers.tiny_checkpoint import make_checkpoint
from optimum.exporters.tasks import TasksManager

from airbench_edge.errors import InputError
from airbench_edge.export.encoder_proof import prove_encoder
from airbench_edge.export.families.contract import Sample
from airbench_edge.export.families.qwen2_audio import Qwen2Audio
from airbench_edge.export.folder import export_checkpoint

pytestmark = pytest.mark.slow

Made = tuple[torch.nn.Module, list[Sample], Path]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("encoder")
    make_checkpoint(folder / "checkpoint")
    export_checkpoint(folder / "checkpoint", folder / "out")
    model = Qwen2Audio().load(folder / "checkpoint").float()
    return Qwen2Audio().encoder(model), Qwen2Audio().encoder_samples(model), folder / "out/onnx/audio_encoder.onnx"


def test_a_graph_that_says_the_same_passes_and_is_known_to_optimum(made: Made) -> None:
    assert prove_encoder("qwen2_audio", *made)
    supported = TasksManager.get_supported_tasks_for_model_type("qwen2_audio", "onnx", library_name="transformers")
    assert "feature-extraction" in supported


def test_a_bent_weight_is_noticed(made: Made, tmp_path: Path) -> None:
    encoder, samples, graph = made
    model = onnx.load(graph)
    bias = next(kept for kept in model.graph.initializer if kept.name.endswith("conv1.bias"))
    bias.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(bias) + np.float32(0.5), bias.name))
    onnx.save(model, tmp_path / "bent.onnx")
    with pytest.raises(InputError, match=r"does not say what PyTorch says: .* max diff = "):
        prove_encoder("qwen2_audio", encoder, samples, tmp_path / "bent.onnx")


def test_a_graph_for_one_number_of_clips_is_noticed(made: Made, tmp_path: Path) -> None:
    encoder, samples, graph = made
    model = onnx.load(graph)
    # Features of two clips whatever comes in: the shape of what comes out is wrong for one.
    output = model.graph.output[0]
    for node in model.graph.node:
        node.output[:] = ["one" if name == output.name else name for name in node.output]
    model.graph.node.append(onnx.helper.make_node("Concat", ["one", "one"], [output.name], axis=0))
    onnx.save(model, tmp_path / "two.onnx")
    with pytest.raises(InputError, match="Output shapes do not match"):
        prove_encoder("qwen2_audio", encoder, samples, tmp_path / "two.onnx")
