from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest
from helpers.judge_weights import TINY_JUDGE
from helpers.tiny_audiolm import CASE
from helpers.tiny_cascade import write_cascade

from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.audiolm.onnx.providers import Device
from airbench_edge.builtin import resolve
from airbench_edge.errors import InputError
from airbench_edge.llama.library import cpu_features
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.run.doctor import Finding, Level, Plan, diagnose
from airbench_edge.run.doctor.data import check_disk
from airbench_edge.run.doctor.finding import problem
from airbench_edge.run.doctor.gpu import gpu_findings, gpus, library_versions
from airbench_edge.run.doctor.judge import check_judge
from airbench_edge.run.doctor.llama import llama
from airbench_edge.run.doctor.memory import available_memory, gpu_memory, llama_memory, memory, onnx_memory
from airbench_edge.run.doctor.model import check_model
from airbench_edge.run.doctor.runtime import runtime

OFFICIAL = Path(__file__).parents[1] / "cases" / "official"


def found(plan: Plan, topic: str) -> Finding:
    return next(finding for finding in diagnose(plan).findings if finding.topic == topic)


@pytest.fixture
def one_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose driver lists one GPU."""
    script = tmp_path / "nvidia-smi"
    script.write_text("#!/bin/sh\necho 'NVIDIA H200, 570.86.15, 143771, 140000'\n", encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")


def test_a_healthy_machine_has_no_problem_and_every_warning_a_remedy() -> None:
    diagnosis = diagnose(Plan(model="nano", judges=(f"llama:{TINY_JUDGE}",), data="small"))
    assert diagnosis.healthy
    assert [finding for finding in diagnosis.findings if finding.level is Level.WARNING and not finding.remedy] == []
    levels = {finding.topic: finding.level for finding in diagnosis.findings}
    assert levels["Audio-LM"] == levels["Judge"] == levels["Memory"] == levels["Disk"] == levels["CPU"] == Level.OK


def test_everything_that_was_asked_for_and_is_not_there_is_a_problem_with_a_remedy(tmp_path: Path) -> None:
    diagnosis = diagnose(Plan(model="gone", judges=("llama:gone.gguf", "ollama:x"), data=str(tmp_path)))
    assert not diagnosis.healthy
    problems = [finding for finding in diagnosis.findings if finding.level is Level.PROBLEM]
    assert [finding.topic for finding in problems] == ["Audio-LM", "Judge", "Judge", "Data set"]
    assert "No model folder gone" in problems[0].found
    assert problems[1].found.endswith("gone.gguf cannot be read (No such file or directory)")
    assert problems[1].remedy == "Check its name and permissions."
    assert problems[3].remedy.startswith("Give a folder in the official layout")


def test_a_sentence_is_parted_into_what_is_wrong_and_what_to_do() -> None:
    finding = problem("X", InputError("C:/x is cut: 3 of 5 bytes are there: copy it again."))
    assert (finding.found, finding.remedy) == ("C:/x is cut: 3 of 5 bytes are there", "Copy it again.")


def test_sound_is_not_missed_by_a_model_that_needs_none() -> None:
    recorded = Plan(model=f"recorded:{OFFICIAL / 'responses.jsonl'}", data=str(OFFICIAL))
    assert found(recorded, "Data set").level is Level.OK
    assert found(recorded, "Audio-LM").found == "768 recorded responses"
    silent = found(Plan(data=str(OFFICIAL)), "Data set")
    assert silent.level is Level.PROBLEM
    assert "0 of 768 with a clip" in silent.found


def test_a_clip_that_is_missing_is_a_warning() -> None:
    finding = found(Plan(data="small"), "Data set")
    assert finding.level is Level.WARNING
    assert "679 of 680 with a clip" in finding.found


def test_an_incomplete_model_is_named(tmp_path: Path) -> None:
    folder = shutil.copytree(resolve("nano"), tmp_path / "model")
    (folder / "onnx" / "embed_tokens.onnx").unlink()
    finding = check_model(str(folder), None, on_gpu=False).finding
    assert finding.level is Level.PROBLEM
    assert "embed_tokens.onnx is missing" in finding.found
    assert "fp16" in check_model("nano", "fp16", on_gpu=False).finding.found


def test_the_parts_of_a_cascade_are_looked_at_and_added_up(tmp_path: Path) -> None:
    folder = write_cascade(tmp_path)
    whole = check_model(f"cascade:{folder}", None, on_gpu=False)
    assert whole.finding.level is Level.OK
    assert "a tagger" in whole.finding.found
    assert whole.memory > llama_memory(open_model_file(next(folder.rglob("*.gguf")))) + 2**29
    next(folder.rglob("encoder.onnx")).unlink()
    assert "encoder.onnx is missing" in check_model(f"cascade:{folder}", None, on_gpu=False).finding.found
    assert found(Plan(model=f"cascade:{folder}"), "llama.cpp").level is Level.OK


def test_an_api_judge_needs_a_key_or_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert check_judge("openai:gpt-4o", None).finding.level is Level.PROBLEM
    assert check_judge("openai:gpt-4o", "http://127.0.0.1:1/v1").finding.level is Level.OK
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    finding = check_judge("openai:gpt-4o", None).finding
    assert finding.level is Level.OK
    assert "secret" not in finding.found


def test_memory_of_an_audiolm_by_hand() -> None:
    folder = ModelFolder(CASE)
    size = sum(file.stat().st_size for file in folder.graphs.values())
    assert set(folder.dtypes.values()) == {"fp32"}
    assert onnx_memory(folder, on_gpu=False) == pytest.approx(1.2 * size + 2**29, rel=0.01)
    assert onnx_memory(folder, on_gpu=True) < onnx_memory(folder, on_gpu=False)


def test_memory_of_a_judge_by_hand() -> None:
    # 2 layers of 4 heads of 16 for keys and for values, 2 bytes each, 8192 tokens: 4 MiB.
    kept = 2 * 2 * 4 * 16 * 2 * 8192
    assert kept == 4 << 20
    factor = 1.7 if "REPACK" in cpu_features() else 1.05
    assert llama_memory(open_model_file(TINY_JUDGE)) == (
        int(factor * TINY_JUDGE.stat().st_size) + kept + 2**27 + 128 * 4 * 8192 * 4
    )  # and attention of 128 tokens to 8192 by 4 heads, 4 bytes each


def test_too_much_for_memory_gpu_or_disk_is_a_problem(tmp_path: Path) -> None:
    assert memory([]).level is Level.INFO
    assert memory([("judge", 1 << 20)]).level is Level.OK
    much = memory([("model", 1 << 50), ("judge", 1 << 50)])
    assert (much.level, bool(much.remedy)) == (Level.PROBLEM, True)
    assert "model 1048576.0 GiB, judge" in much.found
    assert gpu_memory(2 << 30, 1 << 30).level is Level.PROBLEM
    assert gpu_memory(1 << 30, 2 << 30).level is Level.OK
    assert check_disk(tmp_path / "not" / "there", 10**12).level is Level.PROBLEM
    assert str(tmp_path) in check_disk(tmp_path / "not" / "there", 1).found


def test_available_memory_is_a_part_of_the_machine() -> None:
    assert 1 << 20 < available_memory() < 1 << 50


@pytest.mark.skipif(os.name != "posix", reason="a shell script stands for nvidia-smi")
def test_a_gpu_is_named_with_its_memory(one_gpu: None) -> None:
    (gpu,) = gpus()
    assert (gpu.name, gpu.driver, gpu.memory) == ("NVIDIA H200", "570.86.15", 143771 << 20)
    (finding,) = gpu_findings([gpu])
    assert finding.found == "NVIDIA H200, driver 570.86.15, 136.7 of 140.4 GiB free"


@pytest.mark.skipif(os.name != "posix", reason="a shell script stands for nvidia-smi")
def test_a_gpu_that_nothing_can_use_is_a_warning(one_gpu: None) -> None:
    if gpu_works():
        pytest.skip("CUDA really works here")
    cuda = next(finding for finding in runtime(Device.AUTO, gpus()) if finding.topic == "CUDA")
    assert cuda.level is Level.WARNING
    assert "onnxruntime-gpu" in cuda.remedy
    offload = next(finding for finding in llama(True, gpus()) if finding.topic == "GPU offload")
    assert "CMAKE_ARGS=-DGGML_CUDA=on" in offload.remedy


def test_a_broken_driver_is_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "nvidia-smi"
    script.write_text("#!/bin/sh\necho 'NVIDIA-SMI has failed'\nexit 9\n", encoding="utf-8")
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gpus() == []
    script.write_text("#!/bin/sh\necho 'odd, output'\n", encoding="utf-8")
    assert gpus() == []


def test_cuda_that_was_asked_for_and_does_not_load_is_a_problem() -> None:
    if gpu_works():
        pytest.skip("CUDA really works here")
    assert next(f for f in runtime(Device.CUDA, []) if f.topic == "CUDA").level is Level.PROBLEM
    assert next(f for f in runtime(Device.CPU, []) if f.topic == "CUDA").level is Level.INFO


def test_libraries_of_another_cuda_are_not_taken_for_it() -> None:
    assert "CUDA" not in library_versions("0")


def gpu_works() -> bool:
    return any(finding.topic == "CUDA" and finding.level is Level.OK for finding in runtime(Device.AUTO, []))
