"""What goes beside the graphs, tried before hours go into the graphs."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.dtypes import GRAPHS, graph_file
from airbench_edge.audiolm.onnx.families import family_of
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.limits import read_limits
from airbench_edge.errors import InputError
from airbench_edge.export.families.contract import ExportFamily
from airbench_edge.export.refusal import refused

_QUESTION = "What do you hear?"
_TOKENS = 4
_ANY_VOCABULARY = sys.maxsize  # the graphs will say how many tokens there are


def check_companions(family: ExportFamily, checkpoint: Path) -> None:
    """Ask a question with tokenizer, chat template and front end of a checkpoint, as a run of its export would.

    Args:
        family: The family.
        checkpoint: The checkpoint.

    Raises:
        InputError: With one of them an export could not be run.
    """
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        try:
            with refused(f"What {checkpoint} holds beside its weights cannot be used", "restore it from its source"):
                family.companions(checkpoint, folder)
                _ask(folder)
        except InputError as error:
            raise InputError(str(error).replace(made, str(checkpoint))) from error


def _ask(folder: Path) -> None:
    (folder / "onnx").mkdir()
    for graph in GRAPHS:  # the run looks for them, and opens them last
        graph_file(folder / "onnx", graph, "fp32").write_bytes(b"\n")
    opened = ModelFolder(folder)
    config = opened.read("config.json", Config)
    assert config is not None  # ModelFolder has seen the file
    runtime = family_of(opened, config)
    read_limits(opened, config, runtime.text, _ANY_VOCABULARY)
    runtime.prompt(_QUESTION, None, _TOKENS)
    runtime.sound(np.zeros(runtime.sample_rate, np.float32))
