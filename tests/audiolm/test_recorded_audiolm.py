from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from airbench_edge.audiolm.contract import AudioLM, Prompted
from airbench_edge.audiolm.recorded import RecordedAudioLM
from airbench_edge.benchmark.items import ItemKey, Track, UniqId
from airbench_edge.errors import InputError

OFFICIAL = Path(__file__).parents[1] / "cases" / "official" / "responses.jsonl"


def written(folder: Path, *lines: dict[str, Any] | str, name: str = "responses.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines), encoding="utf-8")
    return path


def text(model: AudioLM, uniq_id: UniqId, track: Track = Track.CHAT) -> str | None:
    answer = model.answer(Prompted(ItemKey(track, uniq_id), "", "", None))
    assert (answer.finish, answer.heard_s) == ("unknown", None)
    return answer.text


def chat(uniq_id: object, response: object, **fields: object) -> dict[str, Any]:
    return {"uniq_id": uniq_id, "response": response, "track": "chat", **fields}


def test_the_official_result_format_with_both_tracks_in_one_file() -> None:
    model: RecordedAudioLM = RecordedAudioLM(str(OFFICIAL))
    assert len(model.keys) == 768
    assert text(model, 0, Track.FOUNDATION) == "The answer is B"
    assert text(model, 0, Track.CHAT) == "I hear glade."
    assert model.sample_rate is None
    assert model.providers == {}
    assert model.identity.name == "responses"


def test_the_track_is_told_by_the_fields(tmp_path: Path) -> None:
    lines = [json.loads(line) for line in OFFICIAL.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        del line["track"]
    assert RecordedAudioLM(str(written(tmp_path, *lines))).keys == RecordedAudioLM(str(OFFICIAL)).keys


def test_bare_lines_take_the_track_of_their_file(tmp_path: Path) -> None:
    first = written(tmp_path, {"uniq_id": 1, "response": "B"}, name="f.jsonl")
    second = written(tmp_path, {"uniq_id": 1, "response": "Rain."}, name="c.jsonl")
    both = RecordedAudioLM(f"{first},{second}")
    assert (text(both, 1, Track.FOUNDATION), text(both, 1)) == ("B", "Rain.")
    assert RecordedAudioLM(f",{second}").keys == {ItemKey(Track.CHAT, "1")}
    assert RecordedAudioLM(f"{first},").keys == {ItemKey(Track.FOUNDATION, "1")}


def test_an_unclear_track_is_refused(tmp_path: Path) -> None:
    for fields in ({}, {"choice_a": "x", "meta_info": "y"}):
        path = written(tmp_path, {"uniq_id": 1, "response": "B", **fields})
        with pytest.raises(InputError, match=r'Line 1 of .* does not tell its track: add "track"'):
            RecordedAudioLM(str(path))


def test_a_json_array_and_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "responses.json"
    path.write_text("\ufeff" + json.dumps([chat(1, "a"), chat("2", "ü")], indent=1), encoding="utf-8")
    model = RecordedAudioLM(str(path))
    assert (text(model, 1), text(model, 2)) == ("a", "ü")


def test_ids_are_compared_as_text(tmp_path: Path) -> None:
    model = RecordedAudioLM(str(written(tmp_path, chat(12, "a"), chat("x1", "b"))))
    assert (text(model, "12"), text(model, 12), text(model, "x1")) == ("a", "a", "b")


def test_the_last_response_of_an_item_counts(tmp_path: Path) -> None:
    model = RecordedAudioLM(str(written(tmp_path, chat(1, "old"), chat(1, "new"), chat("1", None), chat(2, None))))
    assert (text(model, 1), text(model, 2), text(model, 3)) == ("new", None, None)


def test_texts_are_not_edited(tmp_path: Path) -> None:
    odd = " \u2028 B\r\n\tA\u0000 "
    assert text(RecordedAudioLM(str(written(tmp_path, chat(1, odd)))), 1) == odd


@pytest.mark.parametrize("behind", ["", "\x00\x00\x00"])
def test_a_line_cut_at_the_end_does_not_count(tmp_path: Path, behind: str) -> None:
    model = RecordedAudioLM(str(written(tmp_path, chat(1, "a"), '{"uniq_id": 2, "resp' + behind)))
    assert model.keys == {ItemKey(Track.CHAT, "1")}


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "truncated"),
        ('{"response": "B", "track": "chat"}', "uniq_id"),
        ('{"uniq_id": 1, "track": "chat"}', "response"),
        ('{"uniq_id": 1, "response": 5, "track": "chat"}', r"Expected `str \| null`, got `int` - at `\$\.response`"),
        ('{"uniq_id": 1, "response": "B", "track": "Chat"}', "track"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, why: str) -> None:
    with pytest.raises(
        InputError, match=rf"Line 2 of .*responses\.jsonl is no recorded response \(.*{why}.*\): expected"
    ):
        RecordedAudioLM(str(written(tmp_path, chat(1, "a"), line, chat(3, "c"))))


@pytest.mark.parametrize("behind", ["\n", "\r\n", "\n\n", "\n\x00"])
@pytest.mark.parametrize("line", ['{"uniq_id": 2, "resp', '{"uniq_id": NaN, "response": "b", "track": "chat"}', "oops"])
def test_a_last_line_with_its_end_was_not_cut(tmp_path: Path, line: str, behind: str) -> None:
    with pytest.raises(InputError, match=r"Line 2 of .* is no recorded response"):
        RecordedAudioLM(str(written(tmp_path, chat(1, "a"), line + behind)))


@pytest.mark.parametrize("lines", [[chat(1, "B \ud83d")], ["[" + json.dumps(chat(1, "B \ud83d")) + "]"]])
def test_halves_of_characters_are_replaced(tmp_path: Path, lines: list[dict[str, Any] | str]) -> None:
    assert text(RecordedAudioLM(str(written(tmp_path, *lines))), 1) == "B \ufffd"


@pytest.mark.parametrize("content", ["[" * 100_000 + "\n", '{"uniq_id": 1, "more": ' + "[" * 100_000 + "\n"])
def test_deep_nesting_is_one_sentence(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="is no recorded response"):
        RecordedAudioLM(str(written(tmp_path, content)))


def test_a_byte_order_mark_costs_no_line(tmp_path: Path) -> None:
    assert text(RecordedAudioLM(str(written(tmp_path, "\ufeff" + json.dumps(chat(1, "a"))))), 1) == "a"


@pytest.mark.parametrize("content", ["", "\n\n", '{"uniq_id": 1, "resp', "[]"])
def test_no_response_at_all(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="holds no response"):
        RecordedAudioLM(str(written(tmp_path, content)))


def test_a_broken_array(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"responses\.jsonl is no recorded response"):
        RecordedAudioLM(str(written(tmp_path, '[{"uniq_id": 1}]')))


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl cannot be read \(No such file or directory\)"):
        RecordedAudioLM(str(tmp_path / "nowhere.jsonl"))
    with pytest.raises(InputError, match="holds no response"):
        RecordedAudioLM(",")


def test_another_content_is_another_identity(tmp_path: Path) -> None:
    before = RecordedAudioLM(str(written(tmp_path, chat(1, "a")))).identity
    assert RecordedAudioLM(str(written(tmp_path, chat(1, "b")))).identity != before


@settings(max_examples=50, deadline=None)
@given(
    st.dictionaries(st.integers() | st.text(max_size=5), st.text(max_size=20) | st.none(), min_size=1, max_size=8),
    st.data(),
)
def test_whatever_was_recorded_comes_back(
    tmp_path_factory: pytest.TempPathFactory, responses: dict[UniqId, str | None], data: st.DataObject
) -> None:
    lines = [chat(uniq_id, response) for uniq_id, response in responses.items()]
    path = written(tmp_path_factory.mktemp("any"), *lines)
    content = path.read_bytes()
    cut = data.draw(st.integers(0, len(content)))
    path.write_bytes(content[:cut])  # the writer was killed here
    ends = [place for place, byte in enumerate(content) if byte == ord("\n")] + [len(content)]
    whole = lines[: sum(end <= cut for end in ends)]  # a line without its newline is whole all the same
    if not whole:
        with pytest.raises(InputError, match="holds no response"):
            RecordedAudioLM(str(path))
        return
    model = RecordedAudioLM(str(path))
    assert model.keys == {ItemKey(Track.CHAT, str(line["uniq_id"])) for line in whole}
    for line in whole:
        same = [other["response"] for other in whole if str(other["uniq_id"]) == str(line["uniq_id"])]
        assert text(model, line["uniq_id"]) == next((one for one in reversed(same) if one is not None), None)
