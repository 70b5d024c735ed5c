"""Gemma 3n without its eyes: a conformer over blocks of 12 frames, a decoder with an embedding for every layer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import NormalDist
from typing import Any

import torch
from transformers import AutoTokenizer, Gemma3nAudioFeatureExtractor
from transformers.models.gemma3n import modeling_gemma3n

from airbench_edge.audiolm.contract import Waveform
from airbench_edge.export.checkpoint import load_model
from airbench_edge.export.families.contract import ExportFamily, Sample


class Gemma3n(ExportFamily):
    """Export of ``Gemma3nForConditionalGeneration``."""

    model_type = "gemma3n"

    def load(self, checkpoint: Path) -> torch.nn.Module:
        """Load all but the vision tower.

        Raises:
            InputError: The weights cannot be loaded, or some are missing.
        """
        with without_vision():
            model = load_model(checkpoint, unused=r"(model\.)*vision_tower\.")
        for layer in model.get_decoder().layers:
            scale = layer.altup.correct_output_scale
            scale.data = scale.data.float()  # states are rounded to its type, with which computing in float32 would end
        return model

    def encoder(self, model: torch.nn.Module) -> torch.nn.Module:
        """Audio tower with its embedder."""
        return _Encoder(model.model, model.config.audio_soft_tokens_per_image)

    def encoder_samples(self, model: torch.nn.Module) -> list[Sample]:
        """Two clips of 301 frames: 76 after the convolutions, so that the last block of 12 is not full."""
        mask = torch.ones(2, 301, dtype=torch.bool)
        mask[1, 200:] = False
        varies = {0: "clips", 1: "frames"}
        features = torch.randn(2, 301, model.config.audio_config.input_feat_size)
        return [Sample("input_features", features, varies), Sample("input_features_mask", mask, varies)]

    def embeddings(self, model: torch.nn.Module) -> torch.nn.Module:
        """Embeddings of words and of the marks of sound and image, and those for every layer."""
        return _Embeddings(model.model)

    def stack(self, model: torch.nn.Module) -> torch.nn.Module:
        """The decoder, freed of what a tracer cannot follow: a clamp that is for training, a quantile it computes."""
        decoder = model.get_decoder()
        vars(decoder.config)["altup_coef_clip"] = None  # transformers 5 validates what is set as an attribute
        for layer in decoder.layers:
            if layer.mlp.activation_sparsity > 0:
                layer.mlp._gaussian_topk = partial(_largest, NormalDist().inv_cdf(layer.mlp.activation_sparsity))
        return decoder

    def head(self, model: torch.nn.Module) -> torch.nn.Module:
        """Vocabulary, and the cap on its logits."""
        return _Head(model.get_output_embeddings(), model.config.get_text_config().final_logit_softcapping)

    def reference_inputs(self, checkpoint: Path, question: str, waveform: Waveform, rate: int) -> dict[str, Any]:
        """What ``Gemma3nProcessor`` does with the parts that it is made of; whole, it asks for an image library."""
        extractor = Gemma3nAudioFeatureExtractor.from_pretrained(checkpoint, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(checkpoint, local_files_only=True)
        content = [{"type": "audio", "audio": "clip"}, {"type": "text", "text": question}]
        turns = [{"role": "user", "content": content}]
        text = tokenizer.apply_chat_template(turns, add_generation_prompt=True, tokenize=False)
        soft = tokenizer.audio_token * 188
        text = text.replace(tokenizer.audio_token, f"\n\n{tokenizer.boa_token}{soft}{tokenizer.eoa_token}\n\n")
        heard = extractor([waveform], sampling_rate=rate, return_tensors="pt")
        return dict(heard) | {"input_ids": tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids}


@contextmanager
def without_vision() -> Iterator[None]:
    """Models of this family made inside have no vision tower, whose classes need the library timm."""
    whole = modeling_gemma3n.AutoModel

    class Blind:
        @staticmethod
        def from_config(config: Any, **options: Any) -> torch.nn.Module:  # noqa: ANN401
            eyes = config.model_type == "gemma3n_vision"
            return torch.nn.Identity() if eyes else whole.from_config(config, **options)

    modeling_gemma3n.AutoModel = Blind
    try:
        yield
    finally:
        modeling_gemma3n.AutoModel = whole


class _Encoder(torch.nn.Module):  # type: ignore[misc]
    """Sound to as many features as the prompt has places, filled up with the embedding of the last audio token.

    Args:
        model: ``Gemma3nModel``.
        tokens: Places in the prompt.
    """

    def __init__(self, model: torch.nn.Module, tokens: int) -> None:
        super().__init__()
        self.tower = model.audio_tower
        self.embedder = model.embed_audio
        self.tokens = tokens
        for block in self.tower.conformer:
            block.attention.attn._extract_block_context = partial(_blocks_with_context, block.attention.attn)

    def forward(self, input_features: torch.Tensor, input_features_mask: torch.Tensor) -> torch.Tensor:
        """Encode clips.

        Args:
            input_features: Log-mel, [clips, frames, 128] float32.
            input_features_mask: Which frames are of the clip, [clips, frames] bool.

        Returns:
            Audio features, [clips, tokens, hidden].
        """
        encoded, padding = self.tower(input_features, ~input_features_mask)[:2]
        last = torch.tensor([[self.embedder.vocab_offset + self.embedder.vocab_size - 1]])
        silence = self.embedder(input_ids=last)
        features = torch.where(padding.unsqueeze(-1), silence, self.embedder(inputs_embeds=encoded))
        filled = torch.cat([features, silence.expand(features.shape[0], self.tokens, -1)], dim=1)
        return filled[:, : self.tokens]


def _blocks_with_context(attention: torch.nn.Module, sequence: torch.Tensor) -> torch.Tensor:
    """Blocks of a sequence, each with what it attends to before and after, by gathering.

    What ``Gemma3nAudioAttention`` does by unfolding, which the exporter cannot where the length varies.

    Args:
        attention: For its lengths.
        sequence: [clips, frames, ...].

    Returns:
        [clips, blocks, frames of a block and of its context, ...].
    """
    size, before, after = attention.chunk_size, attention.max_past_horizon, attention.max_future_horizon
    padded = attention._pad_dim1(sequence, before, after + size - 1)
    blocks = (sequence.shape[1] + size - 1) // size
    frames = torch.arange(blocks)[:, None] * size + torch.arange(attention.context_size)[None, :]
    gathered = padded.index_select(1, frames.reshape(-1))
    return gathered.reshape(sequence.shape[0], -1, attention.context_size, *sequence.shape[2:])


class _Embeddings(torch.nn.Module):  # type: ignore[misc]
    """What the decoder takes for tokens, as ``Gemma3nModel.forward`` makes it.

    Args:
        model: ``Gemma3nModel``.
    """

    def __init__(self, model: torch.nn.Module) -> None:
        super().__init__()
        text = model.language_model
        self.words = text.embed_tokens
        self.layers = text.embed_tokens_per_layer
        self.marks = torch.nn.ModuleList([model.embed_vision, model.embed_audio])
        self.known = text.config.vocab_size_per_layer_input
        self.shape = (text.config.num_hidden_layers, text.config.hidden_size_per_layer_input)

    def forward(self, input_ids: torch.Tensor) -> dict[str, torch.Tensor]:
        """Embed tokens, [batch, tokens].

        Returns:
            ``inputs_embeds``, [batch, tokens, hidden], and ``per_layer_inputs``, [batch, tokens, layers, values].
        """
        embeds = self.words(input_ids)
        for kind in self.marks:
            own = (input_ids >= kind.vocab_offset) & (input_ids < kind.vocab_offset + kind.vocab_size)
            made = kind(input_ids=torch.where(own, input_ids, kind.vocab_offset))
            embeds = torch.where(own.unsqueeze(-1), made, embeds)
        per_layer = self.layers(torch.where(input_ids < self.known, input_ids, 0))
        return {"inputs_embeds": embeds, "per_layer_inputs": per_layer.reshape(*input_ids.shape, *self.shape)}


class _Head(torch.nn.Module):  # type: ignore[misc]
    """Logits, kept between minus and plus a cap where the model has one.

    Args:
        head: To the vocabulary.
        cap: The cap.
    """

    def __init__(self, head: torch.nn.Module, cap: float | None) -> None:
        super().__init__()
        self.head = head
        self.cap = cap

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """[batch, tokens, hidden] to [batch, tokens, vocabulary]."""
        logits = self.head(hidden)
        return logits if self.cap is None else torch.tanh(logits / self.cap) * self.cap


def _largest(quantile: float, inputs: torch.Tensor) -> torch.Tensor:
    """What a layer's gate has beyond its mean by so many standard deviations, zero below: ``Gemma3nTextMLP``."""
    spread = torch.std(inputs, dim=-1, keepdim=True, unbiased=False)
    return torch.relu(inputs - (inputs.mean(dim=-1, keepdim=True) + spread * quantile))
