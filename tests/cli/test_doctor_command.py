from __future__ import annotations

import json

import jsonschema
from helpers.command_line import airbench_edge

from airbench_edge.report.schemas import schemas


def test_a_machine_that_can_run_exits_with_0() -> None:
    code, out, err = airbench_edge("doctor", "--model", "nano", "--device", "cpu")
    assert (code, err) == (0, "")
    assert "Nothing stands in the way." in out
    assert "\x1b" not in out


def test_a_problem_exits_with_1_and_says_what_to_do() -> None:
    code, out, _ = airbench_edge("doctor", "--model", "gone")
    assert code == 1
    assert "✗ Audio-LM" in out
    assert "→ Give the path of a folder" in out


def test_json_follows_its_schema() -> None:
    code, out, _ = airbench_edge("doctor", "--judge", "llama:gone.gguf", "--json")
    diagnosis = json.loads(out)
    assert (code, diagnosis["healthy"]) == (1, False)
    jsonschema.Draft202012Validator(schemas()["diagnosis-1"]).validate(diagnosis)


def test_an_unknown_device_is_refused() -> None:
    assert airbench_edge("doctor", "--device", "tpu").code == 2


def test_help_shows_an_example() -> None:
    assert "airbench-edge doctor --model qwen2-audio/" in " ".join(airbench_edge("doctor", "--help").out.split())
