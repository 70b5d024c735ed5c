from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command_line import airbench_edge

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

import onnx
import soundfile
from helpers.tiny_checkpoint import make_checkpoint
from helpers.waveforms import chirp

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With heads that the fused operator takes: 64 / 4 = 16 values."""
    folder = tmp_path_factory.mktemp("made") / "checkpoint"
    make_checkpoint(folder, hidden=64)
    return folder


@pytest.fixture(scope="module")
def exported(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The decoder in two types."""
    out = tmp_path_factory.mktemp("exported")
    for dtype in ("fp32", "int4"):
        assert airbench_edge("export", checkpoint, out / dtype, "--dtype", dtype).code == 0
    shutil.copy(out / "int4" / "onnx" / "decoder_model_merged_q4.onnx", out / "fp32" / "onnx")
    return out / "fp32"


@pytest.fixture
def clips(tmp_path: Path) -> Path:
    (tmp_path / "clips").mkdir()
    for seconds in (0.5, 1.5):
        soundfile.write(tmp_path / "clips" / f"{seconds}.wav", chirp(seconds), 16_000)
    return tmp_path / "clips"


def test_an_export_is_announced_with_its_steps(checkpoint: Path, tmp_path: Path) -> None:
    ended = airbench_edge("export", checkpoint, tmp_path / "out", "--attention", "gqa")
    assert ended.code == 0
    assert ended.out == f"Exported to {tmp_path / 'out'}: airbench-edge run --model {tmp_path / 'out'} ...\n"
    assert ended.err.splitlines() == ["loading ...", "writing ...", "comparing with PyTorch ..."]
    decoder = json.loads((tmp_path / "out" / "airbench.json").read_text())["decoder"]
    assert (decoder["attention"], decoder["pad_side"], decoder["logits_input"]) == ("gqa", "right", "logits_indices")
    assert (decoder["layers"], decoder["kv_heads"], decoder["head_size"], decoder["max_positions"]) == (2, 2, 16, 2048)
    assert decoder["logit_difference"] < 1e-4 < 3 < decoder["logit_range"]


def test_a_decoder_that_cannot_be_fused_is_exported_with_the_reason(tmp_path: Path) -> None:
    make_checkpoint(tmp_path / "checkpoint")  # heads of 8 values
    ended = airbench_edge("export", tmp_path / "checkpoint", tmp_path / "out")
    assert ended.code == 0
    assert "Without GroupQueryAttention, as it rotates 8 values a head" in ended.out
    refused = airbench_edge("export", tmp_path / "checkpoint", tmp_path / "other", "--attention", "gqa")
    assert refused.code == 2
    assert "cannot be exported with GroupQueryAttention: it rotates 8 values" in refused.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkpoint", "out"]


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_an_interrupted_export_leaves_no_folder(checkpoint: Path, tmp_path: Path, sent: int, code: int) -> None:
    program = "from airbench_edge.cli.main import main; main()"
    command = [sys.executable, "-c", program, "export", str(checkpoint), str(tmp_path / "out")]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "loading ...\n"
        process.send_signal(sent)
        _, told = process.communicate()
    assert process.returncode == code, told
    left = list(tmp_path.iterdir())
    assert left == [] if sent == signal.SIGINT else all(path.name.startswith(".out.") for path in left)


def test_every_type_is_compared(checkpoint: Path, exported: Path, clips: Path) -> None:
    ended = airbench_edge("export", "verify", checkpoint, exported, "--audio", clips, "--json")
    assert ended.code == 0
    result = json.loads(ended.out)
    whole, small = result["types"]
    assert [one["dtypes"]["decoder_model_merged"] for one in result["types"]] == ["fp32", "q4"]
    assert [clip["clip"] for clip in whole["clips"]] == ["0.5.wav", "1.5.wav"]
    assert (whole["equal"], whole["holds"], small["holds"]) == (2, True, True)
    assert whole["logit_difference"] < 1e-3 < small["logit_difference"]


def test_one_type_and_the_built_in_clips(checkpoint: Path, exported: Path) -> None:
    ended = airbench_edge("export", "verify", checkpoint, exported, "--dtype", "fp32")
    assert ended.code == 0
    assert "8 of 8 responses equal (100.0 %)" in ended.out
    assert "The export says what its checkpoint says." in ended.out


def test_a_wrong_export_ends_with_1(checkpoint: Path, exported: Path, clips: Path, tmp_path: Path) -> None:
    bent = shutil.copytree(exported, tmp_path / "bent")
    path = bent / "onnx" / "embed_tokens.onnx"
    model = onnx.load(path)
    table = onnx.numpy_helper.to_array(model.graph.initializer[0]).copy()
    table[1] += 0.5  # <|im_start|>
    model.graph.initializer[0].CopyFrom(onnx.numpy_helper.from_array(table, model.graph.initializer[0].name))
    onnx.save(model, path)
    ended = airbench_edge("export", "verify", checkpoint, bent, "--audio", clips, "--dtype", "fp32")
    assert ended.code == 1
    assert "The export does not say what its checkpoint says." in ended.out


def test_what_is_no_export_is_named(checkpoint: Path, tmp_path: Path) -> None:
    ended = airbench_edge("export", "verify", checkpoint, tmp_path)
    assert ended.code == 2
    assert "is no export" in ended.err
