"""A PyTorch checkpoint on disk: its model, its companions, its identity."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import Any

import msgspec
import torch
import transformers

from airbench_edge.errors import InputError
from airbench_edge.export.quiet import quiet
from airbench_edge.export.refusal import told

transformers.utils.logging.disable_progress_bar()  # whoever exports shows how far it is

COMPANIONS = (
    "config.json",
    "generation_config.json",
    "preprocessor_config.json",
    "processor_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "chat_template.jinja",
    "chat_template.json",
)
_MORE = ("adapter_config.json", "qwen.tiktoken", "tekken.json")  # what an export is made of and does not keep
# The first Qwen has its front end in code; its tokenizer and that of Voxtral have forms of their own.
_NEEDED = (
    ("config.json",),
    ("preprocessor_config.json", "processor_config.json", "qwen.tiktoken"),
    ("tokenizer.json", "qwen.tiktoken", "tekken.json"),
)
_LFS = b"version https://git-lfs"
_NOTHING = "(?!)"


class _Settings(msgspec.Struct, frozen=True):
    """What ``config.json`` says about loading."""

    architectures: list[str] | None = None
    quantization_config: dict[str, Any] | None = None


def model_type(checkpoint: Path) -> str:
    """Read ``model_type`` from the configuration.

    Raises:
        InputError: There is no checkpoint, it lacks a file without which its export could not run, or has something
            else in the place of one.
    """
    _check_kinds(checkpoint)
    for names in _NEEDED:
        if not any((checkpoint / name).is_file() for name in names):
            raise InputError(
                f"Not a complete checkpoint: {checkpoint / names[0]} is missing; save the processor there too."
            )
    try:
        return str(msgspec.json.decode((checkpoint / "config.json").read_bytes())["model_type"])
    except (OSError, msgspec.DecodeError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{checkpoint / 'config.json'} names no model_type; restore it from its source.") from error


def _check_kinds(checkpoint: Path) -> None:
    """Refuse what would otherwise count as absent, and defaults be taken in its place."""
    for name in (*COMPANIONS, *_MORE):
        if os.path.lexists(checkpoint / name) and not (checkpoint / name).is_file():
            raise InputError(
                f"{checkpoint / name} is a folder or a link to nothing where a file should be: restore it."
            )


def load_model(checkpoint: Path, unused: str = _NOTHING) -> torch.nn.Module:
    """Load a model with attention spelt out, ready to be traced; the weights keep the type that they are stored in.

    The class is taken from ``architectures``: no single automatic class of transformers knows all audio-LMs.

    Args:
        checkpoint: The checkpoint.
        unused: See ``load_class``.

    Raises:
        InputError: The weights cannot be loaded by the installed transformers, or are not those of the model.
    """
    names = _settings(checkpoint).architectures
    if not names:
        raise InputError(f"{checkpoint / 'config.json'} names no class in architectures: restore it from its source.")
    found = getattr(transformers, names[0], None)
    if not (isinstance(found, type) and issubclass(found, transformers.PreTrainedModel)):
        raise InputError(
            f"transformers {transformers.__version__} has no model class {names[0]!r}, which {checkpoint} asks for; "
            "install a version that has it (the extra export-next brings version 5, in an environment of its own)."
        )
    return load_class(checkpoint, names[0], unused)


def load_class(checkpoint: Path, name: str, unused: str = _NOTHING, **options: Any) -> torch.nn.Module:  # noqa: ANN401
    """Load one class with attention spelt out, ready to be traced; the weights keep the type that they are stored in.

    Args:
        checkpoint: The checkpoint.
        name: A model class of transformers.
        unused: Pattern of how names of weights begin that the export does not use; they may be missing, not fit, or
            have no place in the class.
        options: Further arguments of ``from_pretrained``.

    Raises:
        InputError: The weights cannot be loaded, or are not those of the model.
    """
    _check_kinds(checkpoint)
    if quantised := _settings(checkpoint).quantization_config:
        raise InputError(
            f"{checkpoint} is quantised ({quantised.get('quant_method', 'quantization_config')} in its config.json): "
            "export the unquantised checkpoint, with --dtype for small graphs."
        )
    try:
        with quiet():  # of what is left, missing or misfits: told below
            model, loaded = getattr(transformers, name).from_pretrained(
                checkpoint,
                dtype="auto",
                attn_implementation="eager",
                local_files_only=True,
                output_loading_info=True,
                ignore_mismatched_sizes=True,
                **options,
            )
    except Exception as error:  # files and configurations can be wrong in more ways than a list would hold
        raise not_loaded(checkpoint, error) from error
    _check_loaded(checkpoint, model, loaded, unused)
    return model.eval().requires_grad_(False)


def _check_loaded(checkpoint: Path, model: torch.nn.Module, loaded: dict[str, Any], unused: str) -> None:
    """Refuse a model of which anything was made up, and weights of which anything was left."""
    found = {kind: [key if isinstance(key, str) else key[0] for key in keys] for kind, keys in loaded.items()}
    missing, misfits, left = (
        sorted(key for key in found[kind] if not re.match(unused, key))
        for kind in ("missing_keys", "mismatched_keys", "unexpected_keys")
    )
    if missing:
        raise InputError(
            f"The weights in {checkpoint} lack {missing[0]} ({len(missing)} in all): restore the checkpoint."
        )
    if misfits:
        wanted = list(model.state_dict()[misfits[0]].shape)
        raise InputError(
            f"{misfits[0]} in {checkpoint} is not of the shape {wanted} that config.json asks for ({len(misfits)} "
            "misfits in all): configuration and weights must come from one model."
        )
    if left:
        raise InputError(
            f"The weights in {checkpoint} hold {left[0]}, which has no place in the model that config.json describes "
            f"({len(left)} in all): configuration and weights must come from one model."
        )


def not_loaded(checkpoint: Path, error: Exception) -> InputError:
    """What to say where weights cannot be loaded; libraries do not notice that a file is not there at all."""
    for file in sorted(checkpoint.glob("*.safetensors")) + sorted(checkpoint.glob("*.bin")):
        if file.is_file() and _begins(file, _LFS):
            return InputError(
                f"{file} is a Git LFS pointer, not the file itself: run `git lfs pull` where it was cloned."
            )
    return InputError(f"Cannot load the weights in {checkpoint}: {told(error)}: restore the checkpoint.")


def _begins(file: Path, head: bytes) -> bool:
    with file.open("rb") as stream:
        return stream.read(len(head)) == head


def _settings(checkpoint: Path) -> _Settings:
    file = checkpoint / "config.json"
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Settings)
    except (OSError, msgspec.MsgspecError, RecursionError) as error:
        raise unusable(file, error) from error


def read_config(checkpoint: Path, name: str) -> Any:  # noqa: ANN401 (a configuration of transformers)
    """Read the configuration as one class of transformers understands it.

    Args:
        checkpoint: Its folder.
        name: A configuration class of transformers.

    Raises:
        InputError: It does not.
    """
    try:
        return getattr(transformers, name).from_pretrained(checkpoint, local_files_only=True)
    except Exception as error:  # a configuration can be wrong in more ways than a list would hold
        raise unusable(checkpoint / "config.json", error) from error


def unusable(file: Path, error: Exception) -> InputError:
    """What to say of a file whose content does not fit."""
    return InputError(f"{file} cannot be used ({' '.join(str(error).split())}): restore it from its source.")


def checkpoint_hash(*folders: Path) -> str:
    """SHA-256 over names and SHA-256 of configuration, tokenizer and weight files, by folder, in order of name."""
    total = hashlib.sha256()
    for folder in folders:
        weights = {path.name for pattern in ("*.safetensors", "*.bin") for path in folder.glob(pattern)}
        for name in sorted(weights | {name for name in (*COMPANIONS, *_MORE) if (folder / name).is_file()}):
            with (folder / name).open("rb") as file:
                total.update(f"{name} {hashlib.file_digest(file, 'sha256').hexdigest()}\n".encode())
    return total.hexdigest()
