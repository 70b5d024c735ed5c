"""One request, one call: paid, repeated where that helps, read."""

from __future__ import annotations

from functools import partial
from typing import Any

import openai

from airbench_edge.judges.contract import JudgeReply, JudgeRequest
from airbench_edge.judges.openai.asking import Asking, asked_with
from airbench_edge.judges.openai.budget import Budget
from airbench_edge.judges.openai.pace import Pace
from airbench_edge.judges.openai.reply import read_completion
from airbench_edge.judges.openai.retry import RequestFailed, call


class Direct:
    """Chat completions one by one; any number of threads may ask at once.

    Args:
        client: The API client.
        asking: How the model is asked.
        budget: The cap on spending.
        longest_wait_s: Longest Retry-After in seconds that is obeyed.
    """

    def __init__(self, client: openai.OpenAI, asking: Asking, budget: Budget, longest_wait_s: float) -> None:
        self.client = client
        self.asking = asking
        self.budget = budget
        self.longest_wait_s = longest_wait_s

    def reply(self, request: JudgeRequest, pace: Pace) -> JudgeReply:
        """Ask one request.

        Raises:
            InputError: Nothing further can succeed, or the cap on spending is reached.
            Stopped: The stage ended while waiting.
        """
        try:
            return call(partial(self._pay, request), pace, self.longest_wait_s)
        except RequestFailed as failed:
            return JudgeReply(text=None, failure=str(failed))

    def _pay(self, request: JudgeRequest) -> JudgeReply:
        most = self.budget.most(request.prompt)
        self.budget.reserve(most)
        spent = 0.0
        try:
            reply = self._complete(request)
            spent = self.budget.cost(request.prompt, reply)
            return reply
        except openai.APITimeoutError:
            spent = most  # the server may have finished, and charge for it
            raise
        finally:
            self.budget.settle(most, spent)

    def _complete(self, request: JudgeRequest) -> JudgeReply:
        """Call, and call again where the server does not take a parameter."""
        while True:
            body = self.asking.body(request)
            create: Any = self.client.chat.completions.with_raw_response.create  # its overloads do not take a dict
            try:
                return read_completion(create(**body).content, asked_with(body))
            except openai.BadRequestError as error:
                if not self.asking.relent(error, body):
                    raise
