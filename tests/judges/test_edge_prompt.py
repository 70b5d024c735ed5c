"""The second prompt for judges: another instrument everywhere, never taken for the official one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.command_line import airbench_edge
from helpers.judge_weights import TINY_JUDGE

from airbench_edge.benchmark.items import ChatItem
from airbench_edge.benchmark.prompts import EDGE_JUDGE_TEMPLATE, JUDGE_PROMPTS, JUDGE_TEMPLATE, judge_prompt
from airbench_edge.benchmark.records import Order
from airbench_edge.judges.contract import JudgeIdentity
from airbench_edge.judges.open import JudgeSettings, open_judge

OFFICIAL = Path(__file__).parent.parent / "cases" / "official"
MODEL = f"recorded:{OFFICIAL / 'responses.jsonl'}"
ITEM = ChatItem(1, "sound_QA", "made", "a.wav", "What barks?", "A dog.", "A dog barks.")


def test_it_asks_the_same_with_what_never_changes_first() -> None:
    request = JUDGE_TEMPLATE[JUDGE_TEMPLATE.index("Please rate") :]
    assert request in EDGE_JUDGE_TEMPLATE
    assert EDGE_JUDGE_TEMPLATE.index(request) < EDGE_JUDGE_TEMPLATE.index("XAudioX")
    first, second = (judge_prompt(ITEM, "A cat.", order, "edge") for order in Order)
    assert first.endswith("[Answer of Assistant 1]\nA dog.\n[Answer of Assistant 2]\nA cat.\n[Scores]")
    assert second.endswith("[Answer of Assistant 1]\nA cat.\n[Answer of Assistant 2]\nA dog.\n[Scores]")
    assert judge_prompt(ITEM, "A cat.", Order.MODEL_FIRST).startswith(JUDGE_TEMPLATE[:70])  # official unless said


def test_the_prompt_is_part_of_the_identity() -> None:
    assert JudgeIdentity("recorded", "old", {}).prompt == "official"
    assert JudgeIdentity("llama", "x", {"judge prompt": JUDGE_PROMPTS["official"]}).prompt == "official"
    edge = open_judge("openai:gpt-4", JudgeSettings(base_url="http://127.0.0.1:1/v1", prompt="edge")).identity
    assert (edge.name, edge.prompt) == ("gpt-4-edge", "edge")


def test_a_run_judged_with_both_keeps_them_apart_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("llama_cpp", reason='needs pip install "airbench-edge[llama]"')
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    run, judge = tmp_path / "run", f"llama:{TINY_JUDGE}"
    arguments = ["--judge", judge, "--judge-limit", 6, "--no-judge-check"]
    official = airbench_edge("run", "--model", MODEL, "--data", OFFICIAL, "--out", run, *arguments)
    assert official.code == 0, official.err
    assert "NOT THE OFFICIAL PROMPT" not in official.out
    edge = airbench_edge("judge", run, *arguments, "--judge-prompt", "edge")
    assert edge.code == 0, edge.err
    assert edge.out.count("NOT THE OFFICIAL PROMPT") == 1
    heads = {path.stem: json.loads(path.read_bytes())["identity"] for path in (run / "verdicts").glob("*.json")}
    assert {name: head["details"]["judge prompt"] for name, head in heads.items()} == {
        "tiny": JUDGE_PROMPTS["official"],
        "tiny-edge": JUDGE_PROMPTS["edge"],
    }
    model = json.loads(airbench_edge("report", run, "--json").out)
    placed = {judge["judge"]["name"]: judge["places"] for judge in model["judges"]}
    assert placed["tiny-edge"] == {}
    card, page = tmp_path / "card.md", tmp_path / "page.html"
    airbench_edge("report", run, "--html", page, "--model-card", card)
    assert "judge tiny-edge, asked with the prompt edge and not the official one" in card.read_text()
    assert "not asked with the official prompt" in page.read_text()
    assert "Chat, tiny-edge (sample of 6 of 228 items, edge prompt, not official)" in edge.out
    exported = airbench_edge("report", run, "--official", tmp_path / "official")
    assert "judged/tiny-edge is left out" in exported.out + exported.err
    folders = {path.name for path in (tmp_path / "official" / "judged").iterdir()}
    assert folders == {"tiny"}
