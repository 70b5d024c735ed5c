"""LoRA adapters in the form of the library peft, merged into the weights that they go with.

Source: E. Hu et al., LoRA: Low-Rank Adaptation of Large Language Models (2021), section 4.1: W + alpha / r * B A.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from airbench_edge.errors import InputError

SETTINGS = "adapter_config.json"
WEIGHTS = "adapter_model.safetensors"

_FACTOR = re.compile(r".*?(layers\.\d+\..+)\.lora_([AB])(?:\.[^.]+)?\.weight")


class _Settings(msgspec.Struct, frozen=True):
    """``adapter_config.json``; what makes an adapter more than plain LoRA must be absent or empty."""

    r: int
    lora_alpha: float
    use_rslora: bool = False
    use_dora: bool = False
    fan_in_fan_out: bool = False
    bias: str = "none"
    rank_pattern: dict[str, Any] | None = None
    alpha_pattern: dict[str, Any] | None = None
    modules_to_save: list[str] | None = None

    @property
    def plain(self) -> bool:
        """Whether it is plain LoRA."""
        more = (self.use_rslora, self.use_dora, self.fan_in_fan_out, self.rank_pattern, self.alpha_pattern)
        return self.bias == "none" and not any((*more, self.modules_to_save))


def merge_adapter(decoder: torch.nn.Module, folder: Path) -> None:
    """Merge the adapter of a folder; the weights that it changes become float32, so that nothing is rounded away.

    Args:
        decoder: Holds the module ``layers`` that names of the adapter's weights go on from.
        folder: Where the adapter is.

    Raises:
        InputError: It cannot be read, is no plain LoRA, or does not fit the decoder.
    """
    settings, weights = _read(folder)
    factors: dict[str, dict[str, torch.Tensor]] = {}
    for name, value in weights.items():
        if not (found := _FACTOR.fullmatch(name)):
            raise InputError(f"{folder / WEIGHTS} holds {name}, which belongs to no layer: restore the checkpoint.")
        factors.setdefault(found[1], {})[found[2]] = value
    for name, pair in factors.items():
        try:
            module = decoder.get_submodule(name)
            added = settings.lora_alpha / settings.r * (pair["B"].float() @ pair["A"].float())
            module.weight = torch.nn.Parameter(module.weight.float() + added, requires_grad=False)
        except (AttributeError, KeyError, RuntimeError) as error:
            raise InputError(
                f"The adapter in {folder / WEIGHTS} does not fit {name} of the decoder ({error}): both must come from "
                "one model."
            ) from error


def _read(folder: Path) -> tuple[_Settings, dict[str, torch.Tensor]]:
    try:
        settings = msgspec.json.decode((folder / SETTINGS).read_bytes(), type=_Settings)
        weights = load_file(folder / WEIGHTS)
    except (OSError, msgspec.MsgspecError, SafetensorError) as error:
        raise InputError(f"The adapter in {folder} cannot be read ({error}): restore the checkpoint.") from error
    if not settings.plain:
        raise InputError(f"{folder / SETTINGS} describes more than plain LoRA, and only that can be merged.")
    if not weights:
        raise InputError(f"{folder / WEIGHTS} is empty: restore the checkpoint.")
    return settings, weights
