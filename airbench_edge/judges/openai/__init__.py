"""The API judge: the official OpenAI client, for OpenAI itself or any compatible server."""

from airbench_edge.judges.openai.asking import Temperature
from airbench_edge.judges.openai.judge import OpenAIJudge

__all__ = ["OpenAIJudge", "Temperature"]
