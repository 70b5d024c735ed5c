from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import soundfile
from helpers import official_case
from helpers.judge_weights import TINY_JUDGE
from helpers.run_parts import RATE, Loudness, load, write_dataset

from airbench_edge.benchmark.items import ChatItem, Item, Track
from airbench_edge.benchmark.prompts import judge_prompt
from airbench_edge.benchmark.records import Order
from airbench_edge.errors import InputError
from airbench_edge.judges.open import JudgeSettings
from airbench_edge.judges.prices import price_of
from airbench_edge.llama.chat import Chat
from airbench_edge.llama.model_file import open_model_file
from airbench_edge.llama.vocabulary import Vocabulary
from airbench_edge.run.estimate import Wanted, estimate
from airbench_edge.run.estimate.answering import measure_answers
from airbench_edge.run.estimate.api_judge import estimate_api
from airbench_edge.run.estimate.requests import judge_requests
from airbench_edge.run.estimate.sound import measure_sound
from airbench_edge.run.selection import Selection

OFFICIAL = official_case.CASE
RECORDED = f"recorded:{OFFICIAL / 'responses.jsonl'}"


def unseen(done: int, total: int) -> None:
    """Nobody watches."""


def chat_of(items: tuple[Item, ...]) -> list[ChatItem]:
    return [item for item in items if isinstance(item, ChatItem)]


def wanted(root: Path, *judges: str, **more: object) -> Wanted:
    fields = {"model": RECORDED, "data": str(root), "selection": Selection(tuple(Track)), "judges": judges, **more}
    return Wanted(**fields)  # type: ignore[arg-type]


def test_hours_of_sound_are_those_of_the_clips(tmp_path: Path) -> None:
    data = load(write_dataset(tmp_path, per_folder=4))
    sound = measure_sound(data.items, data, 0, unseen)
    # 3 folders of 4 foundation items on 2 clips, 2 folders of 4 chat items on 4 clips, 0.1 s each.
    assert (sound.with_clip, sound.measured) == (20, 3 * 2 + 2 * 4)
    assert sound.hours == pytest.approx(20 * 0.1 / 3600)


def test_a_folder_is_reckoned_from_its_sample_and_not_from_others(tmp_path: Path) -> None:
    root = write_dataset(tmp_path, per_folder=24)
    for clip in (root / "Chat" / "sound_QA_clotho").iterdir():
        soundfile.write(clip, np.zeros(RATE), RATE)
    data = load(root)
    sound = measure_sound(data.items, data, 0, unseen)
    # 3 x 24 foundation items and 24 of speech_QA of 0.1 s, 24 of sound_QA of 1 s; at most 8 clips a folder.
    assert sound.hours == pytest.approx((4 * 24 * 0.1 + 24 * 1.0) / 3600)
    assert sound.measured <= 5 * 8


def test_clips_that_are_missing_or_no_sound_are_not_reckoned_with(tmp_path: Path) -> None:
    root = write_dataset(tmp_path, per_folder=2)
    speech = root / "Chat" / "speech_QA_common_voice_en"
    (speech / "clip_0.wav").unlink()
    (speech / "clip_1.wav").write_bytes(b"")
    data = load(root)
    sound = measure_sound(data.items, data, 0, unseen)
    assert (sound.with_clip, sound.measured) == (9, 3 * 1 + 2)
    assert sound.hours == pytest.approx(8 * 0.1 / 3600)


def test_answers_are_timed_by_track_the_first_left_out(tmp_path: Path) -> None:
    data = load(write_dataset(tmp_path, per_folder=8))
    seen: list[tuple[int, int]] = []
    model = Loudness()
    answering, said = measure_answers(model, data.items, data, "official", 10, 0, lambda *counts: seen.append(counts))
    assert [(part.track, part.items, part.measured) for part in answering] == [
        (Track.FOUNDATION, 24, 5),
        (Track.CHAT, 16, 5),
    ]
    assert seen == [(done, 12) for done in range(1, 13)]
    assert len(said) == len(model.asked) == 12
    for part in answering:
        assert part.hours == pytest.approx(part.seconds * part.items / 3600)
        assert part.low is not None
        assert part.high is not None
        assert 0 <= part.low <= part.hours <= part.high


def test_one_measured_item_has_no_interval(tmp_path: Path) -> None:
    data = load(write_dataset(tmp_path, per_folder=4))
    answering, _ = measure_answers(Loudness(), data.items, data, "official", 1, 0, unseen)
    assert [(part.measured, part.low, part.high) for part in answering] == [(1, None, None)] * 2


def test_the_real_model_is_measured() -> None:
    result = estimate(wanted(Path("small"), model="nano", selection=Selection(tuple(Track), limit=40)))
    assert sum(result.items.values()) == 40
    assert [part.track for part in result.answering] == [Track.FOUNDATION, Track.CHAT]
    assert result.sound is not None
    assert 0 < result.sound.hours < 1
    assert estimate(wanted(Path("small"), model="nano", warm_up=0)).answering == ()


def test_tokens_of_a_local_judge_are_those_of_its_tokenizer() -> None:
    result = estimate(wanted(OFFICIAL, f"llama:{TINY_JUDGE}", judge_limit=20))
    (judging,) = result.judging
    assert (judging.requests, judging.measured, judging.tokenizer) == (40, 10, "its own")
    assert judging.hours is not None
    assert judging.hours > 0
    whole = estimate(wanted(OFFICIAL, f"llama:{TINY_JUDGE}", warm_up=0)).judging[0]
    file = open_model_file(TINY_JUDGE)
    chat, responses = Chat(file, Vocabulary(file)), official_case.responses()
    counts = [
        len(chat.tokens(judge_prompt(item, responses[item.key].text or "", order)))
        for item in official_case.chat_items()
        for order in Order
    ]
    assert (whole.prompt_tokens, whole.longest) == (sum(counts), max(counts))
    assert (whole.measured, whole.hours) == (0, None)


def test_known_responses_stand_in_the_prompts() -> None:
    item = official_case.chat_items()[0]
    first, second = judge_requests([item], {item.key: "A kettle."})
    assert first.prompt == judge_prompt(item, "A kettle.", Order.REFERENCE_FIRST)
    assert second.prompt == judge_prompt(item, "A kettle.", Order.MODEL_FIRST)
    assert judge_requests([item], {})[1].prompt == judge_prompt(item, item.answer_gt, Order.MODEL_FIRST)


def test_price_of_an_api_by_hand(tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('as_of = "today"\n[models]\n"m" = { input = 2.0, output = 10.0 }\n', encoding="utf-8")
    item = official_case.chat_items()[0]
    requests = judge_requests([item], {})
    judging, remark = estimate_api("m", JudgeSettings(prices=prices), requests)
    # Both prompts are equally long; 4 characters a token, rounded up, and 8 tokens around it.
    tokens = 2 * (-(-len(requests[0].prompt) // 4) + 8)
    assert (judging.prompt_tokens, remark, judging.price_as_of) == (tokens, "", "today")
    assert judging.usd == pytest.approx((tokens * 2.0 + 2 * 4 * 10.0) / 1e6)
    assert judging.usd_most == pytest.approx((tokens * 2.0 + 2 * 1024 * 10.0) / 1e6)
    batched, _ = estimate_api("m", JudgeSettings(prices=prices, batch=True), requests)
    assert batched.usd == pytest.approx((tokens * 2.0 + 2 * 4 * 10.0) / 2e6)


def test_an_unknown_price_is_said_and_a_bad_file_of_prices_refused(tmp_path: Path) -> None:
    judging, remark = estimate_api("mystery", JudgeSettings(), [])
    assert judging.usd is None
    assert "price of mystery is not known" in remark
    with pytest.raises(InputError, match="cannot be read"):
        estimate_api("gpt-4o", JudgeSettings(prices=tmp_path / "gone.toml"), [])


def test_a_server_of_ones_own_has_no_price() -> None:
    judging, remark = estimate_api("gpt-4o", JudgeSettings(base_url="http://127.0.0.1:1/v1"), [])
    assert (judging.usd, remark) == (None, "")


def test_an_api_is_priced_without_key_or_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (judging,) = estimate(wanted(OFFICIAL, "openai:gpt-4-0125-preview")).judging
    assert judging.requests == 2 * 228
    assert judging.prompt_tokens is not None
    expected = price_of("gpt-4-0125-preview").of(judging.prompt_tokens, judging.requests * 4)
    assert judging.usd == pytest.approx(expected)


def test_recorded_responses_and_verdicts_take_nothing() -> None:
    result = estimate(wanted(OFFICIAL, f"recorded:{OFFICIAL / 'judge_replies.jsonl'}"))
    assert result.items == {Track.FOUNDATION: 540, Track.CHAT: 228}
    assert (result.sound, result.answering) == (None, ())
    assert (result.judging[0].prompt_tokens, result.judging[0].hours) == (None, None)


def test_what_a_run_would_refuse_is_refused() -> None:
    for change in ({"model": "gone"}, {"data": "gone"}, {"judges": ("llama:gone.gguf",)}, {"judges": ("x:y",)}):
        with pytest.raises(InputError):
            estimate(wanted(OFFICIAL, **change))


def test_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = write_dataset(tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    estimate(wanted(root, model="nano"))
    assert sorted(tmp_path.rglob("*")) == before


def test_chat_only_has_no_foundation() -> None:
    result = estimate(wanted(OFFICIAL, selection=Selection((Track.CHAT,))))
    assert json.loads(json.dumps(result.items)) == {"chat": 228}


def test_recorded_responses_are_what_the_judge_would_read(tmp_path: Path) -> None:
    # Two of the items are recorded, so that there are four prompts; the others would not be judged either.
    first, second = official_case.chat_items()[:2]
    texts = {first.key: "A kettle. " * 100, second.key: ""}
    lines = [{"uniq_id": key.uniq_id, "response": text} for key, text in texts.items()]
    file = tmp_path / "chat.jsonl"
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    (judging,) = estimate(wanted(OFFICIAL, "openai:gpt-4o", model=f"recorded:,{file}")).judging
    prompts = [request.prompt for request in judge_requests([first, second], texts)]
    assert judging.requests == 4
    assert judging.prompt_tokens == sum(-(-len(prompt) // 4) + 8 for prompt in prompts)
