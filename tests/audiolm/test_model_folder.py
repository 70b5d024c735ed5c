from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from helpers.tiny_audiolm import CASE, copy_model, edit_json

from airbench_edge.audiolm.onnx.config import Config
from airbench_edge.audiolm.onnx.folder import ModelFolder
from airbench_edge.errors import InputError


def test_every_file_that_can_change_an_answer_is_hashed() -> None:
    hashes = ModelFolder(CASE).hashes()
    assert set(hashes) == {
        *(f"onnx/{graph}.onnx" for graph in ("audio_encoder", "embed_tokens", "decoder_model_merged")),
        *(
            f"{name}.json"
            for name in ("config", "generation_config", "preprocessor_config", "tokenizer_config", "tokenizer")
        ),
    }
    assert hashes["config.json"] == hashlib.sha256((CASE / "config.json").read_bytes()).hexdigest()


def test_weights_beside_a_graph_are_hashed_but_not_those_of_other_graphs(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    for name in ("embed_tokens.onnx_data", "loose.weight", "embed_tokens_q4.onnx", "embed_tokens_q4.onnx_data"):
        (model / "onnx" / name).write_bytes(b"weights")
    names = {name.removeprefix("onnx/") for name in ModelFolder(model).hashes()}
    assert {"embed_tokens.onnx_data", "loose.weight"} <= names
    assert not {"embed_tokens_q4.onnx", "embed_tokens_q4.onnx_data"} & names


def test_weights_of_gigabytes_are_not_read_at_every_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    model = copy_model(tmp_path)
    size = 1 << 26
    with (model / "onnx" / "embed_tokens.onnx_data").open("wb") as file:
        file.truncate(size)
    digest = hashlib.sha256(bytes(size)).hexdigest()
    assert ModelFolder(model).hashes()["onnx/embed_tokens.onnx_data"] == digest
    (remembered,) = (tmp_path / "cache" / "airbench-edge" / "sha256").iterdir()
    assert remembered.read_text() == digest


@pytest.mark.parametrize(
    "name",
    ["config.json", "tokenizer.json", "tokenizer_config.json", "preprocessor_config.json", "onnx/audio_encoder.onnx"],
)
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    model = copy_model(tmp_path)
    (model / name).unlink()
    with pytest.raises(InputError, match=rf"{name} is missing: "):
        ModelFolder(model)


def test_the_feature_extractor_may_stand_in_the_processor_configuration(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    settings = json.loads((model / "preprocessor_config.json").read_text())
    (model / "preprocessor_config.json").unlink()
    (model / "processor_config.json").write_text(json.dumps({"feature_extractor": settings}))
    assert ModelFolder(model).front_end() == settings == ModelFolder(CASE).front_end()
    assert "processor_config.json" in ModelFolder(model).hashes()
    (model / "processor_config.json").write_text("{}")
    with pytest.raises(InputError, match=r"processor_config\.json has no feature_extractor"):
        ModelFolder(model).front_end()


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "generation_config.json", "onnx/embed_tokens.onnx"])
def test_a_git_lfs_pointer_is_recognised(tmp_path: Path, name: str) -> None:
    model = copy_model(tmp_path)
    (model / name).write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")
    with pytest.raises(InputError, match=rf"{name} is a Git LFS pointer.*git lfs pull"):
        ModelFolder(model)


def test_an_empty_file_is_named(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    (model / "onnx" / "embed_tokens.onnx").write_bytes(b"")
    with pytest.raises(InputError, match=r"embed_tokens\.onnx is empty"):
        ModelFolder(model)


def test_no_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"No model folder .*Qwen/Qwen2-Audio"):
        ModelFolder(tmp_path / "Qwen" / "Qwen2-Audio")


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"model_type": 3}', '{"text_config": {}}', '{"a":' + "[" * 100_000 + "]" * 100_000 + "}"]
)
def test_a_broken_configuration_is_named(tmp_path: Path, content: str) -> None:
    model = copy_model(tmp_path)
    (model / "config.json").write_text(content)
    with pytest.raises(InputError, match=r"config\.json cannot be used \(.+\): restore it"):
        ModelFolder(model).read("config.json", Config)


def test_a_broken_tokenizer_is_named(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    (model / "tokenizer.json").write_text('{"version": "1.0"}')
    with pytest.raises(InputError, match=r"tokenizer\.json cannot be read"):
        ModelFolder(model).tokenizer()


def test_a_chat_template_is_found_wherever_it_stands(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    assert ModelFolder(model).chat_template() is None
    named = [{"name": "tool_use", "template": "no"}, {"name": "default", "template": "listed"}]
    (model / "tokenizer_config.json").write_text(json.dumps({"chat_template": named}))
    assert ModelFolder(model).chat_template() == "listed"
    (model / "chat_template.json").write_text(json.dumps({"chat_template": "in json"}))
    assert ModelFolder(model).chat_template() == "in json"
    (model / "chat_template.jinja").write_text("in jinja")
    assert ModelFolder(model).chat_template() == "in jinja"


def test_a_chat_template_that_is_no_text(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    (model / "chat_template.jinja").write_bytes("für".encode("latin-1"))
    with pytest.raises(InputError, match=r"chat_template\.jinja is no UTF-8 text"):
        ModelFolder(model).chat_template()


@pytest.mark.parametrize("part", ["feature_extractor", "audio_processor"])
def test_settings_of_the_feature_extractor_are_those_of_the_processor_first(tmp_path: Path, part: str) -> None:
    model = copy_model(tmp_path)
    assert ModelFolder(model).front_end()["hop_length"] == 160
    (model / "processor_config.json").write_text(json.dumps({"processor_class": "Any"}))
    assert ModelFolder(model).front_end()["hop_length"] == 160
    (model / "processor_config.json").write_text(json.dumps({part: {"hop_length": 80}}))
    assert ModelFolder(model).front_end() == {"hop_length": 80}


def test_no_settings_of_the_feature_extractor(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    (model / "preprocessor_config.json").unlink()
    (model / "processor_config.json").write_text("{}")
    with pytest.raises(InputError, match=r"processor_config\.json has no feature_extractor, and there is no"):
        ModelFolder(model).front_end()


OPTIONAL = ("generation_config.json", "chat_template.jinja", "processor_config.json", "onnx/embed_tokens.onnx")


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_link_to_nothing_is_not_taken_for_no_file(tmp_path: Path, name: str) -> None:
    model = copy_model(tmp_path)
    shutil.copy(model / "onnx" / "embed_tokens.onnx", model / "onnx" / "embed_tokens_q4.onnx")
    (model / name).unlink(missing_ok=True)
    (model / name).symlink_to("../../blobs/5f70bf18")
    with pytest.raises(InputError, match=rf"{name} is a link to \.\./\.\./blobs/5f70bf18, which is missing: .*cp -rL"):
        ModelFolder(model)


@pytest.mark.parametrize("name", OPTIONAL)
def test_a_folder_is_not_taken_for_no_file(tmp_path: Path, name: str) -> None:
    model = copy_model(tmp_path)
    (model / name).unlink(missing_ok=True)
    (model / name).mkdir()
    with pytest.raises(InputError, match=f"{name} is no file but a folder or device"):
        ModelFolder(model)


def test_a_byte_order_mark_is_no_part_of_a_configuration(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    file = model / "config.json"
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert ModelFolder(model).read("config.json", Config) == ModelFolder(CASE).read("config.json", Config)


@pytest.mark.parametrize(
    ("templates", "message"),
    [
        ([{"name": "rag", "template": "a"}], r"lists chat templates \(rag\), none of the name default"),
        ([], r"lists chat templates \(no entry\)"),
        (["x"], r"Expected `object`, got `str`"),
        (5, r"Expected `str \| array \| null`, got `int`"),
    ],
    ids=str,
)
def test_chat_templates_of_which_none_can_be_chosen(tmp_path: Path, templates: object, message: str) -> None:
    model = copy_model(tmp_path)
    (model / "tokenizer_config.json").write_text(json.dumps({"chat_template": templates}))
    with pytest.raises(InputError, match=message):
        ModelFolder(model).chat_template()


def test_a_tokenizer_that_cannot_write_text(tmp_path: Path) -> None:
    model = copy_model(tmp_path)
    edit_json(model / "tokenizer.json", decoder=None)
    with pytest.raises(InputError, match=r"tokenizer\.json has no decoder"):
        ModelFolder(model).tokenizer()
