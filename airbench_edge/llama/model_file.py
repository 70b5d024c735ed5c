"""What a file that was named as a model really is, said before llama.cpp sees it."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from airbench_edge.errors import InputError
from airbench_edge.llama.gguf import MAGIC, Damaged, Header, Value, read_header

# First bytes of what people have in hand instead of a GGUF file, and what to do about each.
_OTHER_FILES = (
    (
        rb"version https://git-lfs",
        "is a Git LFS pointer, not the weights: run `git lfs pull` or download the file",
    ),
    (
        rb"(tjgg|fmgg|lmgg|algg)",
        "is in the old GGML format, no longer read by llama.cpp: get a GGUF file of the model",
    ),
    (rb"\s*<(!doctype|html|\?xml)", "is a web page, not weights: the download went wrong, fetch the file again"),
    (
        rb".{8}\{\s*\"",
        "is a safetensors file: get the model's GGUF file or make one with convert_hf_to_gguf.py",
    ),
    (rb"PK\x03\x04", "is a zip archive or PyTorch checkpoint: get the model's GGUF file"),
)
_NO_LANGUAGE_MODEL = {
    "adapter": "is a LoRA adapter, not a whole model: merge it into its base model first",
    "mmproj": "is the projector of a multimodal model: name the file of its language model",
    "imatrix": "is an importance matrix, not a model: name the file of the model",
}
_PART = re.compile(r"(?P<stem>.*)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.IGNORECASE)


class ModelFile(msgspec.Struct, frozen=True):
    """A GGUF language model that is all there.

    Attributes:
        path: The file to hand to llama.cpp.
        parts: All files of the model in order; just ``path`` where it is not split.
        metadata: Key to value of the (first) file.
    """

    path: Path
    parts: tuple[Path, ...]
    metadata: dict[str, Value]

    @property
    def stem(self) -> str:
        """File name without suffix and without the part number."""
        part = _PART.fullmatch(self.path.name)
        return part["stem"] if part else self.path.stem

    @property
    def context_length(self) -> int:
        """Tokens that the model was trained to attend to.

        Raises:
            InputError: The file does not say it.
        """
        key = f"{self.metadata.get('general.architecture')}.context_length"
        length = self.metadata.get(key)
        if not isinstance(length, int):
            raise InputError(f"{self.path} does not say its context length ({key}): get a complete GGUF file.")
        return length

    @property
    def chat_template(self) -> str | None:
        """The Jinja template that the file carries, if any."""
        template = self.metadata.get("tokenizer.chat_template")
        return template if isinstance(template, str) and template.strip() else None


def open_model_file(path: Path) -> ModelFile:
    """Read the header of a GGUF file and refuse what cannot work.

    Raises:
        InputError: The file is missing, of another kind, cut, of an unknown version, a part without its others, or no
            language model.
    """
    header = _checked_header(path)
    parts = _parts(path, header)
    for part in parts[1:]:
        _checked_header(part)
    _refuse_other_models(path, header)
    return ModelFile(path, parts, header.metadata)


def _checked_header(path: Path) -> Header:
    try:
        with path.open("rb") as file:
            start = file.read(64)
        size = path.stat().st_size
    except OSError as error:
        if path.is_dir():
            raise InputError(f"{path} is a folder: name the .gguf file in it.") from error
        raise InputError(f"{path} cannot be read ({error.strerror}): check its name and permissions.") from error
    if not start:
        raise InputError(f"{path} is empty (0 bytes): download it again.")
    for pattern, what in _OTHER_FILES:
        if re.match(pattern, start, re.IGNORECASE | re.DOTALL):
            raise InputError(f"{path} {what}.")
    if not start.startswith(MAGIC):
        raise InputError(f"{path} is not a GGUF file (it begins with {start[:4]!r}): name the model's .gguf file.")
    try:
        header = read_header(path)
    except Damaged as error:
        raise InputError(f"{path} cannot be used: {error}; get a complete, current GGUF file of the model.") from error
    if size < header.size:
        raise InputError(f"{path} is cut: {size} of {header.size} bytes are there; download it again.")
    return header


def _parts(path: Path, header: Header) -> tuple[Path, ...]:
    """All files of a split model, the first of which must be the one named."""
    count = header.metadata.get("split.count", 1)
    if not isinstance(count, int) or count <= 1:
        return (path,)
    name = _PART.fullmatch(path.name)
    if not name:
        raise InputError(f"{path} is one of {count} parts but was renamed: restore its NAME-00001-of-{count:05d}.gguf.")
    parts = tuple(path.with_name(f"{name['stem']}-{number:05d}-of-{count:05d}.gguf") for number in range(1, count + 1))
    missing = [part.name for part in parts if not part.exists()]
    if missing:
        raise InputError(f"{path} is one of {count} parts and {', '.join(missing)} is missing: put it there.")
    if path != parts[0]:
        raise InputError(f"{path} is a later part of a split model: name the first one, {parts[0].name}.")
    return parts


def _refuse_other_models(path: Path, header: Header) -> None:
    kind = header.metadata.get("general.type")
    architecture = header.metadata.get("general.architecture")
    if isinstance(kind, str) and kind in _NO_LANGUAGE_MODEL:
        raise InputError(f"{path} {_NO_LANGUAGE_MODEL[kind]}.")
    if architecture == "clip":
        raise InputError(f"{path} {_NO_LANGUAGE_MODEL['mmproj']}.")
    if header.metadata.get(f"{architecture}.pooling_type"):
        raise InputError(f"{path} is an embedding or reranking model, which writes no text: choose an instruct model.")
    if not header.tensors:
        raise InputError(f"{path} holds a vocabulary only and no weights: get the whole model.")
