"""A model folder in the ecosystem's layout: which files there are, and what the configurations say."""

from __future__ import annotations

import codecs
import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from tokenizers import Tokenizer
from tokenizers.models import BPE

from airbench_edge.audiolm.onnx.config import NamedTemplate, Templates
from airbench_edge.audiolm.onnx.dtypes import GRAPHS, choose_dtypes, graph_file
from airbench_edge.audiolm.tokenizer_file import read_tokenizer
from airbench_edge.errors import InputError
from airbench_edge.llama.file_hash import sha256_of

_REQUIRED = ("config.json", "tokenizer.json", "tokenizer_config.json")
_OPTIONAL = (
    "preprocessor_config.json",
    "processor_config.json",
    "generation_config.json",
    "chat_template.jinja",
    "chat_template.json",
)
_LARGE = 1 << 26
_LFS = b"version https://git-lfs"

_Form = TypeVar("_Form")


class ModelFolder:
    """The files of one model; everything that can be wrong without opening a graph is found here.

    Args:
        path: The folder that holds ``config.json`` and ``onnx/``.
        dtype: Wanted number types, see ``choose_dtypes``.

    Attributes:
        path: The folder.
        dtypes: Graph to number type.
        graphs: Graph to file.

    Raises:
        InputError: There is no such folder, or a file is missing, unreadable, empty or a Git LFS pointer.
    """

    def __init__(self, path: Path, dtype: str | None = None) -> None:
        if not path.is_dir():
            raise InputError(f"No model folder {path}: give the path of a folder with config.json and onnx/.")
        if (path / "genai_config.json").is_file() and not (path / "onnx").is_dir():
            raise InputError(
                f"{path} is laid out for onnxruntime-genai, whose pipelines differ from model to model: give a folder "
                f"with onnx/{', onnx/'.join(f'{graph}.onnx' for graph in GRAPHS)}."
            )
        self.path = path
        for name in _REQUIRED:
            _check(path / name)
        if not os.path.lexists(path / "processor_config.json"):
            _check(path / "preprocessor_config.json")
        self.dtypes = choose_dtypes(path / "onnx", dtype)
        self.graphs = {name: graph_file(path / "onnx", name, self.dtypes[name]) for name in GRAPHS}
        for file in self.files():
            _check(file)

    def read(self, name: str, form: type[_Form]) -> _Form | None:
        """Read a JSON file into a form; None where there is no such file.

        Raises:
            InputError: It is not JSON of this form.
        """
        file = self.path / name
        if not os.path.lexists(file):
            return None
        try:
            return msgspec.json.decode(file.read_bytes().removeprefix(codecs.BOM_UTF8), type=form)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise InputError(f"{file} cannot be used ({error}): restore it from the model's source.") from error

    def front_end(self) -> dict[str, Any]:
        """Settings of the feature extractor: its part of ``processor_config.json``, or ``preprocessor_config.json``.

        transformers 5 writes only the former, and prefers it where both are there.

        Raises:
            InputError: There is no such part.
        """
        processor = self.read("processor_config.json", dict[str, Any]) or {}
        settings = processor.get("feature_extractor", processor.get("audio_processor"))
        if settings is None:
            settings = self.read("preprocessor_config.json", dict[str, Any])
        if not isinstance(settings, dict):
            raise InputError(
                f"{self.path / 'processor_config.json'} has no feature_extractor, and there is no "
                "preprocessor_config.json beside it: export or copy the model again."
            )
        return settings

    def tokenizer(self) -> Tokenizer:
        """Read ``tokenizer.json``.

        Raises:
            InputError: The installed library cannot read it, or it cannot turn tokens into text.
        """
        tokenizer = read_tokenizer(self.path)
        if isinstance(tokenizer.model, BPE) and tokenizer.decoder is None:
            raise InputError(
                f"{self.path / 'tokenizer.json'} has no decoder, without which answers stay pieces of words: restore "
                "it from the model's source."
            )
        return tokenizer

    def chat_template(self) -> str | None:
        """Text of the chat template from wherever the folder keeps it, else None.

        Raises:
            InputError: Its file is no UTF-8, or no JSON, or has several templates of which none is the default.
        """
        file = self.path / "chat_template.jinja"
        if os.path.lexists(file):
            try:
                return file.read_text(encoding="utf-8")
            except UnicodeDecodeError as error:
                raise InputError(f"{file} is no UTF-8 text ({error}): restore it from the model's source.") from error
        for name in ("chat_template.json", "tokenizer_config.json"):
            template = (self.read(name, Templates) or Templates()).chat_template
            if isinstance(template, list):
                template = _default(self.path / name, template)
            if template:
                return template
        return None

    def files(self) -> Iterator[Path]:
        """Every file that can change an answer: configurations, the chosen graphs, and whatever holds their weights."""
        yield from (self.path / name for name in (*_REQUIRED, *_OPTIONAL) if os.path.lexists(self.path / name))
        yield from self.graphs.values()
        others = [file.name for file in (self.path / "onnx").glob("*.onnx") if file not in self.graphs.values()]
        for file in sorted((self.path / "onnx").iterdir()):
            if file.is_file() and file.suffix != ".onnx" and not file.name.startswith(tuple(others)):
                yield file

    def hashes(self) -> dict[str, str]:
        """Relative name to SHA-256 of every file in ``files``; those of large ones are remembered."""
        return {file.relative_to(self.path).as_posix(): _hash(file) for file in self.files()}


def _hash(file: Path) -> str:
    if file.stat().st_size >= _LARGE:
        return sha256_of([file])
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _default(file: Path, templates: list[NamedTemplate]) -> str:
    found = [entry.template for entry in templates if entry.name == "default"]
    if not found:
        names = ", ".join(entry.name for entry in templates)
        raise InputError(
            f"{file} lists chat templates ({names or 'no entry'}), none of the name default: call one of them default."
        )
    return found[0]


def _check(file: Path) -> None:
    try:
        if not stat.S_ISREG(file.stat().st_mode):
            raise InputError(f"{file} is no file but a folder or device: export or copy the model again.")
        with file.open("rb") as stream:
            head = stream.read(len(_LFS))
    except FileNotFoundError as error:
        if file.is_symlink():
            raise InputError(
                f"{file} is a link to {file.readlink()}, which is missing: copy the folder with its links resolved "
                "(cp -rL)."
            ) from error
        raise InputError(f"{file} is missing: export or copy the model again.") from error
    except OSError as error:
        raise InputError(f"{file} cannot be read ({error.strerror}): check the file and its permissions.") from error
    if head == _LFS:
        raise InputError(f"{file} is a Git LFS pointer, not the file itself: run `git lfs pull` where it was cloned.")
    if not head:
        raise InputError(f"{file} is empty: copy it again.")
