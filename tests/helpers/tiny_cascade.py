"""A cascade folder of tiny parts: the Whisper of tests/cases, a made-up tagger, a made-up language model."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import onnx
from helpers.judge_weights import TINY_JUDGE
from helpers.tiny_whisper import CASE
from onnx import TensorProto, helper, numpy_helper

CLASSES = ("Speech", "Music", "Silence")
CONFIG = """\
name = "tiny"

[whisper]
folder = "whisper"

[tagger]
graph = "tagger/tagger.onnx"
classes = "tagger/classes.csv"

[llm]
file = "tiny.gguf"
"""


def write_tagger(folder: Path) -> None:
    """A linear tagger: ``Speech`` by energy above band 10 (450 Hz), ``Music`` by energy below, ``Silence`` by none."""
    weights = np.zeros((64, 3), np.float32)
    weights[10:, 0], weights[:10, 1], weights[:, 2] = 2.0 / 54, 2.0 / 10, -1.0 / 64
    nodes = [
        helper.make_node("ReduceMean", ["log_mel", "axes"], ["loud"], keepdims=0),
        helper.make_node("Gemm", ["loud", "weights", "bias"], ["scores"]),
        helper.make_node("Sigmoid", ["scores"], ["probabilities"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tagger",
        [helper.make_tensor_value_info("log_mel", TensorProto.FLOAT, ["patches", 1, 96, 64])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["patches", 3])],
        [
            numpy_helper.from_array(np.array([1, 2], np.int64), "axes"),
            numpy_helper.from_array(weights, "weights"),
            numpy_helper.from_array(np.array([9.5, 9.5, -4.0], np.float32), "bias"),
        ],
    )
    folder.mkdir()
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8), folder / "tagger.onnx"
    )
    rows = [f'{place},/m/{place},"{name}"' for place, name in enumerate(CLASSES)]
    (folder / "classes.csv").write_text("\n".join(["index,mid,display_name", *rows, ""]), encoding="utf-8")


def write_cascade(folder: Path, config: str = CONFIG) -> Path:
    """Write the folder and return it."""
    shutil.copytree(CASE, folder / "whisper")
    write_tagger(folder / "tagger")
    shutil.copyfile(TINY_JUDGE, folder / "tiny.gguf")
    (folder / "cascade.toml").write_text(config, encoding="utf-8")
    return folder
