from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import soundfile
from helpers.command_line import airbench_edge

CASES = Path(__file__).parent.parent / "cases"


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_version() -> None:
    code, out, _ = airbench_edge("--version")
    assert code == 0
    assert out.startswith("airbench-edge ")


def test_rules_letters_reads_every_line(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(
        '{"id": "x", "choices": ["cat", "dog"], "response": "The answer is B"}\n'
        '{"id": 7, "choices": ["cat", "dog", null, null], "response": "C"}\n\n'
        '{"id": 8, "choices": ["cat", "dog"], "response": null}\n',
        encoding="utf-8",
    )
    strict = lines(airbench_edge("rules", "letters", file).out)
    official = lines(airbench_edge("rules", "letters", file, "--rules", "official").out)
    assert [(line["id"], line["letter"]) for line in strict] == [("x", "B"), (7, None), (8, None)]
    # The released rule knows no "The answer is B" without a full stop, and takes letters that were not offered.
    assert [line["letter"] for line in official] == [None, "C", None]


def test_rules_verdicts_reads_every_line(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text('{"id": 1, "text": "8, 7"}\n{"id": 2, "text": "8 7"}\n', encoding="utf-8")
    strict = lines(airbench_edge("rules", "verdicts", file, "--rules", "strict").out)
    official = lines(airbench_edge("rules", "verdicts", file, "--rules", "official").out)
    assert [line["scores"] for line in strict] == [[8, 7], [8, 7]]
    assert [line["scores"] for line in official] == [None, [8, 7]]


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"id": 1, "choices": [], "response": "A"}\n{"id": 2}\n', encoding="utf-8")
    code, _, err = airbench_edge("rules", "letters", file)
    assert code == 2
    assert "Line 2" in err


def test_audio_probe_of_an_empty_folder_says_so(tmp_path: Path) -> None:
    code, _, err = airbench_edge("audio", "probe", tmp_path)
    assert code == 2
    assert f"There is no file in {tmp_path}" in " ".join(err.split())


def test_audio_probe_tells_what_the_model_would_hear(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.wav", tmp_path / "bad.wav"
    soundfile.write(good, np.full((8000, 2), 0.5), 8000)
    bad.write_bytes(b"")
    code, out, _ = airbench_edge("audio", "probe", good, bad, "--json")
    assert code == 1
    heard, refused = lines(out)
    assert (heard["sample_rate"], heard["channels"], heard["duration_s"]) == (8000, 2, 1.0)
    assert heard["error_kind"] is None
    assert refused["error_kind"] == "empty_file"


def test_data_check_of_the_built_in_set_finds_its_two_flaws() -> None:
    code, out, _ = airbench_edge("data", "check", "small", "--json")
    assert code == 1
    check = json.loads(out)
    assert len(check["folders"]) == 35
    assert len(check["faults"]) == 2


def test_data_check_names_the_kind_of_a_metadata_file_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "Foundation").mkdir()
    (tmp_path / "Foundation" / "Foundation_meta.json").write_text("[{]", encoding="utf-8")
    code, out, err = airbench_edge("data", "check", tmp_path, "--json")
    assert code == 2
    assert json.loads(out)["error_kind"] == "json_syntax"
    assert "Foundation_meta.json" in err
