"""Many requests as one file at half the price: the Batch API."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import msgspec
import openai

from airbench_edge.errors import InputError
from airbench_edge.json_lines import decode
from airbench_edge.judges.contract import JudgeReply
from airbench_edge.judges.openai.asking import Body, asked_with
from airbench_edge.judges.openai.pending import PendingBatch, PendingBatches
from airbench_edge.judges.openai.reply import read_completion
from airbench_edge.judges.openai.retry import RequestFailed, failure_name

MOST_REQUESTS = 50_000
"""Requests in one batch, by the API reference; a file may have 200 MB, which prompts of 4 kB do not reach."""
POLL_S = 30.0
"""Seconds between two looks at a batch."""

_ENDED = ("completed", "failed", "expired", "cancelled")


Form = TypeVar("Form")


class _Made(msgspec.Struct, frozen=True):
    id: str


class _Fault(msgspec.Struct, frozen=True):
    message: str | None = None


class _Faults(msgspec.Struct, frozen=True):
    data: list[_Fault] | None = None


class _Batch(_Made, frozen=True):
    status: str = ""
    input_file_id: str = ""
    output_file_id: str | None = None
    error_file_id: str | None = None
    errors: _Faults | None = None


class _Batches(msgspec.Struct, frozen=True):
    data: list[_Batch]


class _Error(msgspec.Struct, frozen=True):
    code: str | None = None


class _ErrorBody(msgspec.Struct, frozen=True):
    error: _Error | None = None


class _Response(msgspec.Struct, frozen=True):
    status_code: int
    body: msgspec.Raw


class _Named(msgspec.Struct, frozen=True):
    """A line of the results, of which at least is known whose it is."""

    custom_id: str


class _Line(msgspec.Struct, frozen=True):
    response: _Response | None = None
    error: _Error | None = None


class BatchDesk:
    """Hands batches in and fetches what became of them.

    Args:
        client: The API client.
        server: Address of the API.
        pending: Where batches are remembered until their replies are kept.
        call: Makes an API call, again after passing errors; raises InputError where that is no use.
        sleep: Waits between two looks.
    """

    def __init__(
        self,
        client: openai.OpenAI,
        server: str,
        pending: PendingBatches,
        call: Callable[[Callable[[], Any]], Any],
        sleep: Callable[[float], None],
    ) -> None:
        self._client = client
        self._server = server
        self._pending = pending
        self._call = call
        self._sleep = sleep

    def hand_in(self, bodies: Mapping[str, Body]) -> PendingBatch:
        """Upload requests and begin the batch; it is remembered before it can cost anything."""
        lines = [
            {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": body}
            for key, body in bodies.items()
        ]
        content = "".join(json.dumps(line) + "\n" for line in lines).encode()
        note = asked_with(next(iter(bodies.values())))
        batch = PendingBatch(self._server, self._call(partial(self._upload, content)), tuple(bodies), note)
        self._pending.save(batch)
        return self._begin(batch)

    def collect(self, batch: PendingBatch) -> Iterator[tuple[str, JudgeReply]]:
        """Wait for the end of a batch and yield every reply with its key; then the batch is forgotten.

        Raises:
            InputError: The server refused the whole batch.
        """
        if not batch.batch_id:
            batch = self._begin(batch)
        ended = self._ended(batch.batch_id)
        if ended is None:  # another account's, or long deleted
            self._pending.forget(batch)
            return
        if ended.status == "failed":
            self._pending.forget(batch)
            faults = (ended.errors.data if ended.errors else None) or []
            raise InputError(
                f"The server refused the batch {ended.id} ({'; '.join(str(fault.message) for fault in faults[:3])}): "
                "judge without --batch, or fewer items with --judge-limit."
            )
        replies = {key: JudgeReply(text=None, failure=f"batch_{ended.status}") for key in batch.keys}
        for file_id in filter(None, (ended.error_file_id, ended.output_file_id)):
            content = self._call(partial(self._client.files.content, file_id)).content
            replies.update(_replies(content, batch.asked_with))
        yield from replies.items()
        self._pending.forget(batch)

    def _upload(self, content: bytes) -> str:
        try:
            made = self._client.files.with_raw_response.create(file=("airbench-edge.jsonl", content), purpose="batch")
        except openai.NotFoundError as error:
            raise InputError(f"The server {error.request.url.host} has no Batch API: judge without --batch.") from error
        return _read(made.content, _Made).id

    def _begin(self, batch: PendingBatch) -> PendingBatch:
        begun = msgspec.structs.replace(batch, batch_id=self._call(partial(self._find_or_create, batch.file_id)))
        self._pending.save(begun)
        return begun

    def _find_or_create(self, file_id: str) -> str:
        """Id of the batch of an upload; an earlier attempt may have begun it, timed out or been killed."""
        batches = self._client.batches.with_raw_response
        for batch in _read(batches.list(limit=100).content, _Batches).data:
            if batch.input_file_id == file_id:
                return batch.id
        made = batches.create(input_file_id=file_id, endpoint="/v1/chat/completions", completion_window="24h")
        return _read(made.content, _Made).id

    def _ended(self, batch_id: str) -> _Batch | None:
        """The batch once it has ended; None if the server does not know it."""
        while True:
            batch: _Batch | None = self._call(partial(self._retrieve, batch_id))
            if batch is None or batch.status in _ENDED:
                return batch
            self._sleep(POLL_S)

    def _retrieve(self, batch_id: str) -> _Batch | None:
        try:
            return _read(self._client.batches.with_raw_response.retrieve(batch_id).content, _Batch)
        except openai.NotFoundError:
            return None


def _read(content: bytes, form: type[Form]) -> Form:
    try:
        return decode(content, form)
    except msgspec.DecodeError as error:
        raise RequestFailed("strange_answer") from error


def _replies(content: bytes, note: str) -> Iterator[tuple[str, JudgeReply]]:
    """The lines of a file of results; one that cannot be read at all leaves its request without a reply."""
    for raw in content.splitlines():
        with suppress(msgspec.DecodeError):
            yield decode(raw, _Named).custom_id, _reply(raw, note)


def _reply(raw: bytes, note: str) -> JudgeReply:
    try:
        line = decode(raw, _Line)
    except msgspec.DecodeError:
        return JudgeReply(text=None, failure="no_completion", asked_with=note)
    if line.response is None:
        code = line.error.code if line.error else None
        return JudgeReply(text=None, failure=code if code in ("batch_expired", "batch_cancelled") else "server_error")
    if line.response.status_code == 200:
        return read_completion(bytes(line.response.body), note)
    return JudgeReply(text=None, failure=failure_name(line.response.status_code, _code(bytes(line.response.body))))


def _code(body: bytes) -> str | None:
    try:
        error = decode(body, _ErrorBody).error
    except msgspec.DecodeError:
        return None
    return error.code if error else None
