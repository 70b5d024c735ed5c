from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="the export extra is not installed")
pytest.importorskip("transformers", reason="the export extra is not installed")

import torch
from helpers.tiny_audiolm import edit_json
from helpers.tiny_checkpoint import make_checkpoint
from safetensors.torch import load_file, save_file

from airbench_edge.errors import InputError
from airbench_edge.export.folder import export_checkpoint

pytestmark = pytest.mark.slow

LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"


@pytest.fixture(scope="module")
def sound_one(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "checkpoint"
    make_checkpoint(folder)
    return folder


@pytest.fixture
def checkpoint(sound_one: Path, tmp_path: Path) -> Path:
    return shutil.copytree(sound_one, tmp_path / "checkpoint")


def edit_weights(checkpoint: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    file = checkpoint / "model.safetensors"
    weights = load_file(file)
    change(weights)
    save_file(weights, file, {"format": "pt"})


def named(weights: dict[str, torch.Tensor], part: str) -> str:
    return next(name for name in weights if part in name)


def refuse(checkpoint: Path, message: str) -> None:
    out = checkpoint.parent / "exported" / "out"
    with pytest.raises(InputError, match=message) as raised:
        export_checkpoint(checkpoint, out)
    assert "\n" not in str(raised.value)
    assert not out.parent.exists() or list(out.parent.iterdir()) == []


def test_weights_that_the_model_has_no_place_for(checkpoint: Path) -> None:
    edit_weights(checkpoint, lambda weights: weights.update(stray=torch.zeros(3)))
    refuse(checkpoint, r"hold stray, which has no place in the model that config\.json describes \(1 in all\)")


def test_a_configuration_of_fewer_layers(checkpoint: Path) -> None:
    config = json.loads((checkpoint / "config.json").read_text())["text_config"]
    edit_json(checkpoint / "config.json", text_config=config | {"num_hidden_layers": 1, "layer_types": None})
    refuse(checkpoint, r"hold .*layers\.1\..*, which has no place .* \(12 in all\)")


def test_a_weight_of_another_shape_is_named(checkpoint: Path) -> None:
    def cut(weights: dict[str, torch.Tensor]) -> None:
        name = named(weights, "embed_positions")
        weights[name] = weights[name][:-1].clone()

    edit_weights(checkpoint, cut)
    refuse(checkpoint, r"embed_positions\.weight in .* is not of the shape \[50, 32\] that config\.json asks for")


@pytest.mark.parametrize(
    ("part", "graph"),
    [("conv1.weight", "audio_encoder"), ("projector", "audio_encoder"), ("embed_tokens", "embed_tokens")],
)
@pytest.mark.parametrize("number", [float("nan"), float("-inf")])
def test_a_number_that_is_none(checkpoint: Path, part: str, graph: str, number: float) -> None:
    edit_weights(checkpoint, lambda weights: weights[named(weights, part)].view(-1)[5:6].fill_(number))
    refuse(checkpoint, rf"hold NaN or infinity, in .* of the {graph}")


def test_a_number_that_is_none_in_4_bits(checkpoint: Path) -> None:
    edit_weights(checkpoint, lambda weights: weights[named(weights, "mlp.up_proj")].view(-1)[5:6].fill_(float("nan")))
    with pytest.raises(InputError, match=r"hold NaN or infinity, in .*up_proj.weight of the decoder_model_merged"):
        export_checkpoint(checkpoint, checkpoint.parent / "out", "int4")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"architectures": []}, "names no class in architectures"),
        ({"architectures": None}, "names no class in architectures"),
        ({"architectures": {}}, r"config\.json cannot be used .*architectures"),
        ({"architectures": [5]}, r"config\.json cannot be used .*architectures"),
        ({"architectures": ["__version__"]}, "has no model class '__version__'"),
        ({"architectures": ["AutoModel"]}, "has no model class 'AutoModel'"),
        ({"architectures": ["BertModel"]}, "The weights in .* (lack|hold) "),
        ({"quantization_config": {"quant_method": "bitsandbytes"}}, "is quantised .bitsandbytes .*unquantised"),
        ({"dtype": "float99"}, "Cannot load the weights in .*float99"),
    ],
)
def test_a_faulty_configuration(checkpoint: Path, settings: dict[str, Any], message: str) -> None:
    edit_json(checkpoint / "config.json", **settings)
    refuse(checkpoint, message)


@pytest.mark.parametrize(
    ("part", "settings"),
    [
        ("text_config", {"hidden_act": "nope"}),
        ("text_config", {"num_attention_heads": 0}),
        ("text_config", {"rms_norm_eps": "x"}),
        ("audio_config", {"dropout": "x"}),
    ],
)
def test_a_faulty_part_of_the_configuration(checkpoint: Path, part: str, settings: dict[str, Any]) -> None:
    config = json.loads((checkpoint / "config.json").read_text())
    edit_json(checkpoint / "config.json", **{part: config[part] | settings})
    refuse(checkpoint, r"(Cannot load the weights in|The model in|config\.json) ")


@pytest.mark.parametrize("content", ["null", "{}", "[]", "", '{"weight_map": "x", "metadata": {}}'])
def test_a_faulty_index(checkpoint: Path, content: str) -> None:
    (checkpoint / "model.safetensors").rename(checkpoint / "model-00001-of-00001.safetensors")
    (checkpoint / "model.safetensors.index.json").write_text(content)
    refuse(checkpoint, "(Cannot load the weights|The weights) in ")


def test_a_pointer_in_the_place_of_weights(checkpoint: Path) -> None:
    (checkpoint / "model.safetensors").write_bytes(LFS)
    refuse(checkpoint, r"model\.safetensors is a Git LFS pointer.*git lfs pull")


@pytest.mark.parametrize("name", ["tokenizer.json", "tokenizer_config.json", "preprocessor_config.json"])
@pytest.mark.parametrize("content", ["", "junk", "[]", "null"])
def test_a_companion_that_no_run_could_use(checkpoint: Path, name: str, content: str) -> None:
    (checkpoint / name).write_text(content)
    refuse(checkpoint, rf"{checkpoint}/{name} ")


@pytest.mark.parametrize("content", ["", "[]", "null"])
def test_a_faulty_generation_config(checkpoint: Path, content: str) -> None:
    (checkpoint / "generation_config.json").write_text(content)
    refuse(checkpoint, rf"{checkpoint}/generation_config\.json ")


def test_no_stop_token(checkpoint: Path) -> None:
    edit_json(checkpoint / "generation_config.json", eos_token_id=None)
    config = json.loads((checkpoint / "config.json").read_text())["text_config"]
    edit_json(checkpoint / "config.json", text_config=config | {"eos_token_id": None})
    refuse(checkpoint, "names no stop token")


@pytest.mark.parametrize("name", ["generation_config.json", "tokenizer_config.json", "config.json"])
def test_what_is_no_file_is_not_taken_for_absent(checkpoint: Path, name: str) -> None:
    (checkpoint / name).unlink(missing_ok=True)
    (checkpoint / name).mkdir()
    refuse(checkpoint, rf"{name} is a folder or a link to nothing")
    (checkpoint / name).rmdir()
    (checkpoint / name).symlink_to("nowhere")
    refuse(checkpoint, rf"{name} is a folder or a link to nothing")


def test_a_place_that_cannot_be_written_to(sound_one: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for out in (tmp_path / "file" / "out", tmp_path / "file" / "deep" / "out", tmp_path / ("x" * 300)):
        with pytest.raises(InputError, match=r"cannot be made .*: name a folder in a place that can be written to"):
            export_checkpoint(sound_one, out)
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(InputError, match="exists already"):
        export_checkpoint(sound_one, tmp_path / "link")
    long = tmp_path / ("x" * 250)
    export_checkpoint(sound_one, long)
    assert (long / "airbench.json").is_file()
    assert list(long.glob(".*")) == []
