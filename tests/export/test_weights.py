from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

import torch

from airbench_edge.export.families.contract import Sample
from airbench_edge.export.graphs import Traced, trace, weightless
from airbench_edge.export.precision import in_float16
from airbench_edge.export.weights import Keep, NotFiniteError, write_graph

IDS = np.array([[1, 7, 300]])


class Model(torch.nn.Module):  # type: ignore[misc]
    """A table, and a product with it or with a matrix of its own."""

    def __init__(self, table: torch.Tensor, factor: torch.Tensor) -> None:
        super().__init__()
        self.table = torch.nn.Embedding.from_pretrained(table)
        self.product = torch.nn.Linear(*factor.shape[::-1])
        self.product.weight = torch.nn.Parameter(factor, requires_grad=False)
        self.product.bias.data.zero_()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Rows of the table, multiplied."""
        return self.product(self.table(ids))


def numbers(*shape: int, seed: int = 0) -> torch.Tensor:
    """Random numbers that float16 holds exactly."""
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).half().float()


def traced(model: torch.nn.Module) -> Traced:
    ids = Sample("ids", torch.ones(2, 3, dtype=torch.int64), {0: "batch", 1: "tokens"})
    with weightless(model):
        graph = trace(model, [ids.value], [ids], {"rows": ids.varies})
    return Traced(graph, model.state_dict())


def run(path: Path) -> np.ndarray:
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    return np.asarray(session.run(None, {"ids": IDS})[0], np.float32)


def test_a_trace_holds_no_weights_and_the_model_gets_its_own_back() -> None:
    model = Model(numbers(400, 32), numbers(16, 32, seed=1))
    before = {name: value.clone() for name, value in model.state_dict().items()}
    graph = traced(model)
    assert graph.model.ByteSize() < 2000 < 4 * 400 * 32
    assert all(torch.equal(value, before[name]) for name, value in model.state_dict().items())


@pytest.mark.parametrize("stored", [torch.float32, torch.float16, torch.bfloat16])
@pytest.mark.parametrize("keep", [Keep.FLOAT32, Keep.COMPACT])
def test_whole_and_compact_graphs_say_what_pytorch_says(tmp_path: Path, stored: torch.dtype, keep: Keep) -> None:
    model = Model(numbers(400, 32), numbers(32, 32, seed=1)).to(stored)
    write_graph(traced(model), tmp_path / "graph.onnx", keep)
    wanted = model.float()(torch.from_numpy(IDS)).detach().numpy()
    assert np.abs(run(tmp_path / "graph.onnx") - wanted).max() < 1e-5
    # 400 x 32 and 32 x 32 numbers of 4 or 2 bytes, and as good as nothing else.
    numbers_of = (400 * 32 + 32 * 32) * (2 if keep is Keep.COMPACT else 4)
    assert numbers_of < (tmp_path / "graph.onnx").stat().st_size < numbers_of + 2000


@pytest.mark.parametrize("value", [0.1, 1e6, 1e-9])
def test_weights_that_float16_cannot_hold_stay(tmp_path: Path, value: float) -> None:
    table = torch.ones(400, 32)
    table[7, 3] = value
    write_graph(traced(Model(table, numbers(16, 32))), tmp_path / "graph.onnx", Keep.COMPACT)
    kinds = {tensor.name: tensor.data_type for tensor in onnx.load(tmp_path / "graph.onnx").graph.initializer}
    assert kinds["table.weight"] == onnx.TensorProto.FLOAT
    assert kinds["product.weight.stored"] == onnx.TensorProto.FLOAT16


@pytest.mark.parametrize(("keep", "bound"), [(Keep.FLOAT16, 0.01), (Keep.INT4, 0.2)])
def test_smaller_types_stay_near(tmp_path: Path, keep: Keep, bound: float) -> None:
    model = Model(numbers(400, 64), numbers(48, 64, seed=1))
    graph = traced(model)
    write_graph(in_float16(graph) if keep is Keep.FLOAT16 else graph, tmp_path / "graph.onnx", keep)
    wanted = model(torch.from_numpy(IDS)).detach().numpy()
    # int4 has 15 steps from -max to max: an error of about a tenth of the spread of a value, averaged over 64 products.
    assert 0 < np.abs(run(tmp_path / "graph.onnx") - wanted).mean() / np.abs(wanted).mean() < bound
    operators = {node.op_type for node in onnx.load(tmp_path / "graph.onnx").graph.node}
    assert ("MatMulNBits" in operators) == (keep is Keep.INT4)
    onnx.checker.check_model(tmp_path / "graph.onnx")


def test_bfloat16_keeps_what_float16_could_not_hold(tmp_path: Path) -> None:
    table = torch.full((400, 32), 1e-9).bfloat16()
    table[7] = 1e9
    model = Model(table, numbers(16, 32)).bfloat16()
    write_graph(traced(model), tmp_path / "graph.onnx", Keep.COMPACT)
    assert (tmp_path / "graph.onnx").stat().st_size < 2 * (400 * 32 + 16 * 32) + 2000
    wanted = model.float()(torch.from_numpy(IDS)).detach().numpy()
    assert np.allclose(run(tmp_path / "graph.onnx"), wanted, rtol=1e-5)


def test_too_large_for_float16_becomes_its_largest(tmp_path: Path) -> None:
    table = torch.ones(400, 32)
    table[7] = 1e6
    factor = torch.zeros(16, 32)
    factor[:, 0] = 0.5
    write_graph(in_float16(traced(Model(table, factor))), tmp_path / "graph.onnx", Keep.FLOAT16)
    assert run(tmp_path / "graph.onnx")[0, 1, 0] == 65504 / 2


def test_large_weights_stand_beside_the_graph(tmp_path: Path) -> None:
    model = Model(numbers(400, 32), numbers(16, 32, seed=1))
    told: list[int] = []
    for limit, files in ((10_000, ["graph.onnx", "graph.onnx_data"]), (100_000, ["graph.onnx"])):
        write_graph(traced(model), tmp_path / "graph.onnx", Keep.FLOAT32, told.append, limit)
        assert sorted(file.name for file in tmp_path.iterdir()) == files
        assert np.abs(run(tmp_path / "graph.onnx") - model(torch.from_numpy(IDS)).detach().numpy()).max() < 1e-5
    assert sum(told) == 2 * 4 * (400 * 32 + 16 * 32 + 16)


def test_a_weight_that_two_modules_share_is_written_once(tmp_path: Path) -> None:
    model = Model(numbers(400, 32), numbers(400, 32))
    model.product.weight = model.table.weight
    write_graph(traced(model), tmp_path / "graph.onnx", Keep.FLOAT32)
    assert (tmp_path / "graph.onnx").stat().st_size < 1.2 * 4 * 400 * 32
    assert np.abs(run(tmp_path / "graph.onnx") - model(torch.from_numpy(IDS)).detach().numpy()).max() < 1e-5


@pytest.mark.parametrize("keep", list(Keep))
@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_what_is_no_finite_number_is_refused(tmp_path: Path, keep: Keep, value: float) -> None:
    factor = numbers(16, 32)
    factor[7, 3] = value
    with pytest.raises(NotFiniteError, match="weight"):
        write_graph(traced(Model(numbers(400, 32), factor)), tmp_path / "graph.onnx", keep)
