"""A PyTorch checkpoint on disk: its model, its companions, its identity."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import torch
import transformers
from safetensors import SafetensorError

from airbench_edge.errors import InputError

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


def model_type(checkpoint: Path) -> str:
    """Read ``model_type`` from the configuration.

    Raises:
        InputError: There is no checkpoint, or it lacks a file without which its export could not run.
    """
    for names in _NEEDED:
        if not any((checkpoint / name).is_file() for name in names):
            raise InputError(
                f"Not a complete checkpoint: {checkpoint / names[0]} is missing; save the processor there too."
            )
    try:
        return str(msgspec.json.decode((checkpoint / "config.json").read_bytes())["model_type"])
    except (msgspec.DecodeError, KeyError, TypeError) as error:
        raise InputError(f"{checkpoint / 'config.json'} names no model_type; restore it from its source.") from error


def load_model(checkpoint: Path) -> torch.nn.Module:
    """Load a model with attention spelt out, ready to be traced; the weights keep the type that they are stored in.

    The class is taken from ``architectures``: no single automatic class of transformers knows all audio-LMs.

    Raises:
        InputError: The weights cannot be loaded by the installed transformers, or some are missing.
    """
    name = msgspec.json.decode((checkpoint / "config.json").read_bytes()).get("architectures", [""])[0]
    if not hasattr(transformers, name):
        raise InputError(
            f"transformers {transformers.__version__} has no model class {name!r}, which {checkpoint} asks for; "
            "install a version that has it (the extra export-next brings version 5, in an environment of its own)."
        )
    return load_class(checkpoint, name)


def load_class(checkpoint: Path, name: str, unused: str | None = None, **options: Any) -> torch.nn.Module:  # noqa: ANN401
    """Load one class with attention spelt out, ready to be traced; the weights keep the type that they are stored in.

    Args:
        checkpoint: The checkpoint; weights that the class has no place for are left.
        name: A model class of transformers.
        unused: What names of weights begin with that the export does not use; they may be missing, or not fit.
        options: Further arguments of ``from_pretrained``.

    Raises:
        InputError: The weights cannot be loaded, or some are missing.
    """
    model_class = getattr(transformers, name)
    try:
        model, loaded = model_class.from_pretrained(
            checkpoint,
            dtype="auto",
            attn_implementation="eager",
            local_files_only=True,
            output_loading_info=True,
            ignore_mismatched_sizes=unused is not None,
            **options,
        )
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        first_line = str(error).strip().splitlines()[0]
        raise InputError(f"Cannot load the weights in {checkpoint}: {first_line}") from error
    misfits = (key if isinstance(key, str) else key[0] for key in loaded["mismatched_keys"])
    made_up = {*loaded["missing_keys"], *misfits}
    if missing := sorted(key for key in made_up if unused is None or not key.startswith(unused)):
        raise InputError(
            f"The weights in {checkpoint} lack {missing[0]} ({len(missing)} in all): restore the checkpoint."
        )
    return model.eval().requires_grad_(False)


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
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
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
