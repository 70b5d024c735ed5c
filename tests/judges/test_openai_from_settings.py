from __future__ import annotations

from pathlib import Path

import pytest

from airbench_edge.benchmark.prompts import JUDGE_PROMPTS
from airbench_edge.benchmark.records import Order
from airbench_edge.errors import InputError
from airbench_edge.judges.contract import JudgeReply, JudgeRequest
from airbench_edge.judges.open import JudgeSettings, open_judge
from airbench_edge.judges.openai.asking import Asking
from airbench_edge.judges.openai.cache import ReplyCache

REQUEST = JudgeRequest(1, Order.MODEL_FIRST, "Rate this.")


@pytest.fixture(autouse=True)
def _own_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


def test_replies_of_openai_itself_are_remembered_without_being_asked_for(tmp_path: Path) -> None:
    kept = JudgeReply("8 7", "stop", prompt_tokens=11)
    key = Asking("api.openai.com/v1/", "gpt-4o", 0.0, seed=3, reasoning="").key(REQUEST)
    ReplyCache(tmp_path / "airbench-edge" / "replies").put(key, kept)
    judge = open_judge("openai:gpt-4o", JudgeSettings(seed=3))
    # Answered from the cache: no connection is made.
    assert list(judge.replies([REQUEST])) == [(REQUEST, kept)]
    judge.close()


def test_the_built_in_price_holds_at_openai(tmp_path: Path) -> None:
    judge = open_judge("openai:gpt-4o", JudgeSettings(max_cost=0.0))
    # The smallest request costs something, so a cap of nothing stops before any connection is made.
    with pytest.raises(InputError, match="Stopped at --max-cost 0"):
        list(judge.replies([REQUEST]))
    judge.close()


@pytest.mark.parametrize("temperature", ["warm", "-1", "2.5", "nan", "Official"])
def test_a_temperature_is_a_number_or_official(temperature: str) -> None:
    with pytest.raises(InputError, match=f"--judge-temperature {temperature} is neither"):
        open_judge("openai:gpt-4o", JudgeSettings(temperature=temperature))


def test_the_identity_tells_model_server_and_sampling() -> None:
    judge = open_judge("openai:gpt-4o", JudgeSettings(temperature="official", seed=3, reasoning="low", batch=True))
    assert judge.identity.details == {
        "model": "gpt-4o",
        "server": "api.openai.com",
        "temperature": "official, seed 3",
        "max_tokens": "1024",
        "reasoning": "low",
        "judge prompt": JUDGE_PROMPTS["official"],
    }
    judge.close()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "nonsense",
        "ftp://127.0.0.1/v1",
        "http://",
        "http://[::1",
        "http://127.0.0.1:abc/v1",
        "http://127.0.0.1/\nv1",
    ],
)
def test_an_address_is_http_wherever_it_comes_from(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"--base-url .* is no http or https address"):
        open_judge("openai:gpt-4o", JudgeSettings(base_url=address))
    if address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        with pytest.raises(InputError, match=r"OPENAI_BASE_URL .* is no http or https address"):
            open_judge("openai:gpt-4o", JudgeSettings())


def test_an_empty_variable_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", " ")
    judge = open_judge("openai:gpt-4o", JudgeSettings())
    assert judge.identity.details["server"] == "api.openai.com"
    judge.close()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ALL_PROXY", "socks5://127.0.0.1:1"),
        ("HTTP_PROXY", "bogus://user:password@x"),
        ("SSL_CERT_FILE", "/nonexistent"),
    ],
)
def test_surroundings_that_no_connection_can_be_made_in(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=f"can be set up .*{name}") as caught:
        open_judge("openai:gpt-4o", JudgeSettings())
    assert "password" not in str(caught.value)


def test_a_long_model_name_fits_into_a_file_name_and_is_told_from_another() -> None:
    names = []
    for model in ("m" * 200, "m" * 201, "m" * 400, "m" * 399 + "n"):
        judge = open_judge(f"openai:{model}", JudgeSettings(prompt="edge"))
        names.append(judge.identity.name)
        judge.close()
    assert names[0] == "m" * 200 + "-edge"
    assert len(set(names)) == 4
    assert max(map(len, names)) == 205


@pytest.mark.parametrize("model", ["gpt\n4", "gpt\udcff"])
def test_what_can_be_no_model_name_is_refused(model: str) -> None:
    with pytest.raises(InputError, match="is no model name"):
        open_judge(f"openai:{model}", JudgeSettings())
