"""Ultravox in PyTorch, written from its published configuration: transformers has no class of it.

Names of modules are those of the published weights. Source: fixie-ai/ultravox, ``ultravox/model``, versions 0.4 to 0.6.
"""

from __future__ import annotations

from typing import Any

import torch


class Encoder(torch.nn.Module):  # type: ignore[misc]
    """Whisper encoder that takes clips of any length up to its window and does not hear what fills it up.

    Args:
        tower: ``WhisperEncoder`` of transformers, whose own forward insists on the whole window.
        projector: From its frames to the text model's width.
    """

    def __init__(self, tower: torch.nn.Module, projector: torch.nn.Module) -> None:
        super().__init__()
        self.tower = tower
        self.projector = projector

    def forward(self, audio_values: torch.Tensor, audio_lens: torch.Tensor) -> torch.Tensor:
        """Encode windows.

        Args:
            audio_values: Log-mel, [windows, mel bins, frames] float32.
            audio_lens: Frames that hold sound, [windows] int64.

        Returns:
            Audio features, [windows, frames / 2 / stack factor, rounded up, width].
        """
        gelu = torch.nn.functional.gelu
        hidden = gelu(self.tower.conv2(gelu(self.tower.conv1(audio_values)))).transpose(1, 2)
        hidden = hidden + self.tower.embed_positions.weight[: hidden.shape[1]]
        heard = (audio_lens - 1) // 2 + 1  # the second convolution has stride 2
        padding = torch.arange(hidden.shape[1], device=hidden.device)[None, :] >= heard[:, None]
        bias = padding[:, None, None, :].to(hidden.dtype) * torch.finfo(hidden.dtype).min
        for layer in self.tower.layers:
            normed = layer.self_attn_layer_norm(hidden)
            hidden = hidden + layer.self_attn(normed, attention_mask=bias)[0]
            hidden = hidden + layer.fc2(layer.activation_fn(layer.fc1(layer.final_layer_norm(hidden))))
        return self.projector(self.tower.layer_norm(hidden))


class Projector(torch.nn.Module):  # type: ignore[misc]
    """Frames stacked, then a gated layer, to the text model's width.

    Args:
        frame: Width of a frame.
        stack: Frames that become one token.
        hidden: Width of the first layer, of which the gate takes half.
        out: Width of the text model.
        norm_mid: Whether the second norm stands before the last layer (from 0.5 on) or after it.
    """

    def __init__(self, frame: int, stack: int, hidden: int, out: int, norm_mid: bool) -> None:
        super().__init__()
        self.stack = stack
        self.ln_pre = RMSNorm(frame * stack)
        self.linear_1 = torch.nn.Linear(frame * stack, hidden, bias=False)
        self.linear_2 = torch.nn.Linear(hidden // 2, out, bias=False)
        self.ln_mid = RMSNorm(hidden // 2) if norm_mid else torch.nn.Identity()
        self.ln_post = torch.nn.Identity() if norm_mid else RMSNorm(out)

    def forward(self, frames: torch.Tensor) -> torch.Tensor:
        """[windows, frames, width] to [windows, tokens, width of the text model]; missing frames are zeros."""
        tokens = (frames.shape[1] + self.stack - 1) // self.stack
        padded = torch.nn.functional.pad(frames, (0, 0, 0, self.stack - 1))[:, : tokens * self.stack]
        stacked = padded.reshape(frames.shape[0], -1, self.stack * frames.shape[2])
        value, gate = self.linear_1(self.ln_pre(stacked)).chunk(2, dim=-1)
        return self.ln_post(self.linear_2(self.ln_mid(torch.nn.functional.silu(gate) * value)))


class RMSNorm(torch.nn.Module):  # type: ignore[misc]
    """Division by the root mean square (Zhang and Sennrich 2019), epsilon 1e-6.

    Args:
        width: Length of the last axis.
    """

    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))

    def forward(self, hidden: torch.Tensor) -> torch.Tensor:
        """Same shape."""
        return self.weight * hidden * torch.rsqrt(hidden.pow(2).mean(-1, keepdim=True) + 1e-6)


class UltravoxModel(torch.nn.Module):  # type: ignore[misc]
    """The whole model.

    Args:
        tower: Its ``WhisperEncoder``.
        projector: Its projector.
        language_model: Its text model, with head.
    """

    def __init__(self, tower: torch.nn.Module, projector: torch.nn.Module, language_model: torch.nn.Module) -> None:
        super().__init__()
        self.audio_tower = tower
        self.multi_modal_projector = projector
        self.language_model = language_model

    @property
    def encoder(self) -> Encoder:
        """Audio tower with its projector."""
        return Encoder(self.audio_tower, self.multi_modal_projector)

    def generate(
        self,
        input_ids: torch.Tensor,
        audio_values: torch.Tensor,
        audio_lens: torch.Tensor,
        audio_token_len: torch.Tensor,
        audio_token_start_idx: torch.Tensor,
        **options: Any,  # noqa: ANN401 - those of transformers' generate
    ) -> Any:  # noqa: ANN401
        """Answer one prompt about one clip.

        Args:
            input_ids: The prompt, [1, tokens].
            audio_values: Log-mel of the clip's windows.
            audio_lens: Frames of each window that hold sound.
            audio_token_len: Tokens of each window.
            audio_token_start_idx: Place of each window in the prompt.
            options: For ``generate`` of the text model.
        """
        embeds = self.language_model.get_input_embeddings()(input_ids)
        features = self.encoder(audio_values, audio_lens)
        for window, start, length in zip(features, audio_token_start_idx, audio_token_len, strict=True):
            embeds[0, start : start + length] = window[:length]
        return self.language_model.generate(input_ids=input_ids, inputs_embeds=embeds, **options)
