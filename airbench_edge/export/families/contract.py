"""What the exporter must be told about a model family."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import torch

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.export.checkpoint import COMPANIONS, load_model
from airbench_edge.export.refusal import refused


class Sample(NamedTuple):
    """An example input of a graph, from which it is traced.

    Attributes:
        name: Name of the graph input.
        value: Example; no axis that varies may have the length 0 or 1, or that of another axis.
        varies: Axis to the name of its length, for axes that vary between calls.
    """

    name: str
    value: torch.Tensor
    varies: dict[int, str]


class ExportFamily(ABC):
    """One model family, seen by the exporter; what is not overridden is what most families have.

    Attributes:
        model_type: ``model_type`` in ``config.json``.
    """

    model_type: ClassVar[str]

    def sources(self, checkpoint: Path) -> list[Path]:
        """Folders whose configuration and weights make the model: the checkpoint, and others where it names them."""
        return [checkpoint]

    def load(self, checkpoint: Path) -> torch.nn.Module:
        """Load the whole model in evaluation mode, weights in the types that they are stored in.

        Raises:
            InputError: The weights cannot be loaded, or some are missing.
        """
        return load_model(checkpoint)

    @abstractmethod
    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Sound to audio features: a module that takes the tensors of ``encoder_samples`` in that order."""

    @abstractmethod
    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Example inputs of the encoder."""

    def embeddings(self, model: torch.nn.Module) -> torch.nn.Module:
        """Token ids, [batch, tokens], to what the decoder takes in their place, [batch, tokens, hidden].

        A module that returns a dictionary makes several such inputs of the decoder, ``inputs_embeds`` first.
        """
        return model.get_input_embeddings()

    def stack(self, model: torch.nn.Module) -> torch.nn.Module:
        """The decoder, from embeddings to the last hidden state."""
        return model.get_decoder()

    def head(self, model: torch.nn.Module) -> torch.nn.Module:
        """The last hidden state to logits, with whatever scales or caps them."""
        return model.get_output_embeddings()

    def companions(self, checkpoint: Path, folder: Path) -> None:
        """Put beside the graphs what else the runtime reads: configurations, tokenizer, chat template."""
        for name in COMPANIONS:
            if (checkpoint / name).is_file():
                shutil.copyfile(checkpoint / name, folder / name)

    def reference_inputs(self, checkpoint: Path, question: str, waveform: Waveform, rate: int) -> dict[str, Any]:
        """What the family's own processor, not ours, makes of a question and a clip, for ``model.generate``.

        Args:
            checkpoint: Where the processor is.
            question: Text of the user's turn.
            waveform: Mono waveform.
            rate: Its rate in Hz, the model's.
        """
        from transformers import AutoProcessor

        processor = AutoProcessor.from_pretrained(checkpoint, local_files_only=True)
        sound = {"type": "audio", "audio_url": "clip"}
        conversation = [{"role": "user", "content": [sound, {"type": "text", "text": question}]}]
        text = processor.apply_chat_template(conversation, add_generation_prompt=True, tokenize=False)
        inputs = dict(processor(text=text, audio=[waveform], sampling_rate=rate, return_tensors="pt"))
        inputs.pop("token_type_ids", None)  # made by generic tokenizer classes, taken by no model
        return inputs


def load_family(family: ExportFamily, checkpoint: Path) -> torch.nn.Module:
    """Load the whole model, see ``ExportFamily.load``.

    Raises:
        InputError: The weights cannot be loaded, or are not those of the model, for whatever reason.
    """
    with refused(f"Cannot load the weights in {checkpoint}", "restore the checkpoint"):
        return family.load(checkpoint)
