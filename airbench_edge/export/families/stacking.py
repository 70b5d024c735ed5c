"""Whisper-like encoders whose projector takes several neighbouring positions as one."""

from __future__ import annotations

import torch


class StackingEncoder(torch.nn.Module):  # type: ignore[misc]
    """Audio tower and projector; the tower masks nothing, so that it needs no mask.

    Args:
        tower: Takes windows of a fixed length.
        projector: Takes as many neighbours in one as fill the width of the tower's inner layers.
    """

    def __init__(self, tower: torch.nn.Module, projector: torch.nn.Module) -> None:
        super().__init__()
        self.tower = tower
        self.projector = projector
        self.width = tower.config.intermediate_size

    def forward(self, features: torch.Tensor) -> torch.Tensor:
        """Encode windows.

        Args:
            features: Log-mel, [windows, mel bins, frames] float32.

        Returns:
            Audio features, [windows, frames / 8, hidden].
        """
        frames = self.tower(features).last_hidden_state
        return self.projector(frames.reshape(frames.shape[0], -1, self.width))
