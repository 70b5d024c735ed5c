from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from helpers.command_line import airbench_edge

import chat_content
from nano.exam import keywords, small


def test_answers_count_by_the_words_that_they_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Of 80 chat items the first 3 say the right words, one in capitals; the others say something else.
    wanted = list(keywords(small()).items())
    texts = [f"It is {' and '.join(words)}." for _, words in wanted[:3]]
    texts[1] = texts[1].upper()
    lines = [
        {"uniq_id": uniq_id, "track": "chat", "response": texts[at] if at < 3 else "Nothing at all."}
        for at, (uniq_id, _) in enumerate(wanted)
    ]
    recorded = tmp_path / "recorded.jsonl"
    recorded.write_text("".join(json.dumps(line) + "\n" for line in lines))
    run = tmp_path / "few"
    airbench_edge("run", "--model", f"recorded:{recorded}", "--data", "small", "--track", "chat", "--out", run)
    monkeypatch.setattr(sys, "argv", ["chat_content.py", str(run)])
    chat_content.main()
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "| right content, % | few |"
    assert out[-1].startswith("| all | 4 (") and out[-1].endswith(" of 80 |")  # 3 / 80 = 3.75 %
