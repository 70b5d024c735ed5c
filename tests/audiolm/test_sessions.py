from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import onnx
import pytest
from helpers.tiny_audiolm import CASE

from airbench_edge.audiolm.onnx.providers import CPU, CUDA, why_not
from airbench_edge.audiolm.onnx.sessions import Graph, open_graph
from airbench_edge.errors import InputError

EMBED = CASE / "onnx" / "embed_tokens.onnx"


def opened(path: Path) -> Graph:
    return open_graph("embed_tokens", path, [(CPU, {})])


def with_external_weights(folder: Path) -> Path:
    path = folder / "embed_tokens.onnx"
    onnx.save(onnx.load(EMBED), path, save_as_external_data=True, location="embed_tokens.onnx_data", size_threshold=0)
    return path


def test_a_graph_says_what_it_takes_and_makes() -> None:
    graph = opened(EMBED)
    assert graph.inputs["input_ids"].dtype == np.int64
    assert graph.inputs["input_ids"].shape == (None, None)
    assert graph.outputs["inputs_embeds"].dtype == np.float32
    assert graph.outputs["inputs_embeds"].shape == (None, None, 32)
    assert graph.provider == CPU


def test_it_uses_the_cores_of_the_process_without_spinning() -> None:
    options = opened(EMBED).session.get_session_options()
    assert options.intra_op_num_threads == len(os.sched_getaffinity(0))
    assert options.get_session_config_entry("session.intra_op.allow_spinning") == "0"


def test_weights_stay_out_of_memory_that_doubles() -> None:
    # Measured with 671 MB of weights inside the graph: 747 MB instead of 1032 MB.
    options = opened(EMBED).session.get_session_options()
    assert options.get_session_config_entry("session.use_device_allocator_for_initializers") == "1"


@pytest.mark.parametrize("kept", [0.5, 0.999])
def test_a_cut_file(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "embed_tokens.onnx"
    content = EMBED.read_bytes()
    path.write_bytes(content[: int(kept * len(content))])
    with pytest.raises(InputError, match=r"embed_tokens\.onnx \(\d+ bytes\) is cut or no ONNX graph: copy it again\."):
        opened(path)


def test_a_newer_ir_version_names_both_numbers(tmp_path: Path) -> None:
    model = onnx.load(EMBED)
    model.ir_version = 99
    onnx.save(model, tmp_path / "new.onnx")
    with pytest.raises(InputError, match=r"IR version 99, and onnxruntime \S+ reads up to \d+: upgrade onnxruntime or"):
        opened(tmp_path / "new.onnx")


def test_a_newer_operator_set_names_both_numbers(tmp_path: Path) -> None:
    model = onnx.load(EMBED)
    model.opset_import[0].version = 99
    onnx.save(model, tmp_path / "new.onnx")
    with pytest.raises(InputError, match=r"operator set 99 of ai\.onnx, and onnxruntime \S+ knows up to \d+: upgrade"):
        opened(tmp_path / "new.onnx")


def test_an_unknown_operator_is_named(tmp_path: Path) -> None:
    model = onnx.load(EMBED)
    model.graph.node[-1].op_type = "Nonsense"
    onnx.save(model, tmp_path / "odd.onnx")
    with pytest.raises(InputError, match=r"does not load in onnxruntime .*Nonsense"):
        opened(tmp_path / "odd.onnx")


def test_external_weights_are_found_beside_the_graph(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = with_external_weights(tmp_path)
    monkeypatch.chdir("/")
    ids = {"input_ids": np.array([[1, 7]])}
    assert np.array_equal(opened(path).session.run(None, ids)[0], opened(EMBED).session.run(None, ids)[0])


def test_missing_external_weights_are_named(tmp_path: Path) -> None:
    path = with_external_weights(tmp_path)
    path.with_name("embed_tokens.onnx_data").unlink()
    with pytest.raises(InputError, match=r"keeps weights in embed_tokens\.onnx_data, which is missing: copy it into"):
        opened(path)


def test_cut_external_weights_are_named(tmp_path: Path) -> None:
    path = with_external_weights(tmp_path)
    data = path.with_name("embed_tokens.onnx_data")
    data.write_bytes(data.read_bytes()[:100])
    with pytest.raises(InputError, match=r"finds embed_tokens\.onnx_data shorter than it should be"):
        opened(path)


def test_a_number_type_that_is_not_supported(tmp_path: Path) -> None:
    model = onnx.load(EMBED)
    model.graph.input[0].type.tensor_type.elem_type = onnx.TensorProto.STRING
    model.graph.node[0].op_type = "Identity"
    del model.graph.node[1:], model.graph.node[0].input[:], model.graph.initializer[:]
    model.graph.node[0].input.append("input_ids")
    model.graph.node[0].output[0] = "inputs_embeds"
    del model.graph.node[0].attribute[:]
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.STRING
    onnx.save(model, tmp_path / "text.onnx")
    with pytest.raises(InputError, match=r"declares input_ids as tensor\(string\), which is not supported"):
        opened(tmp_path / "text.onnx")


def test_a_provider_that_does_not_take_the_graph_is_not_replaced() -> None:
    if why_not(CUDA) == "":
        pytest.skip("CUDA works here")
    with pytest.raises(InputError, match="CUDAExecutionProvider"):
        open_graph("embed_tokens", EMBED, [(CUDA, {}), (CPU, {})])
