"""A real HTTP server on the loopback address that answers chat completions from a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from helpers.batch_api import Answer, BatchApi


class Scripted(NamedTuple):
    """An answer; its body is a JSON object, or bytes that go out as they are."""

    status: int
    body: Any
    headers: Mapping[str, str] = MappingProxyType({})


Reaction: TypeAlias = Scripted | Callable[[dict[str, Any]], Scripted]


def completion(text: str | None, finish: str = "stop", model: str = "judge-1") -> Scripted:
    return Scripted(
        200,
        {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": model,
            "system_fingerprint": "fp_7",
            "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
        },
    )


def failure(status: int, code: str, param: str | None = None, **headers: str) -> Scripted:
    body = {"error": {"message": f"refused: {code}", "code": code, "type": "invalid_request_error", "param": param}}
    return Scripted(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


class ChatServer:
    """Answers from ``script`` in order, its last entry for ever; keeps what was asked, directly or in a batch."""

    def __init__(self, script: list[Reaction]) -> None:
        self.script = script
        self.asked: list[dict[str, Any]] = []
        self.url = ""
        self.batches = BatchApi(lambda body: self.next(body)[:2])
        self._lock = threading.Lock()

    def next(self, body: dict[str, Any]) -> Scripted:
        with self._lock:
            self.asked.append(body)
            reaction = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return reaction if isinstance(reaction, Scripted) else reaction(body)


class _Handler(BaseHTTPRequestHandler):
    state: ChatServer

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["content-length"]))
        if self.path != "/v1/chat/completions":
            self._send(self.state.batches.answer("POST", self.path, content, self.headers["content-type"]))
            return
        scripted = self.state.next(json.loads(content))
        body = scripted.body if isinstance(scripted.body, bytes) else json.dumps(scripted.body).encode()
        self._send(Answer(scripted.status, body), scripted.headers)

    def do_GET(self) -> None:
        self._send(self.state.batches.answer("GET", self.path, b"", ""))

    def _send(self, answer: Answer, headers: Mapping[str, str] = MappingProxyType({})) -> None:
        self.send_response(answer.status)
        self.send_header("content-length", str(len(answer.content)))
        for name, value in {"content-type": answer.content_type, **headers}.items():
            self.send_header(name, value)
        with suppress(ConnectionError):  # a client that gave up has gone
            self.end_headers()
            self.wfile.write(answer.content)

    def log_message(self, format: str, *args: object) -> None:
        """Stay quiet."""


@contextmanager
def chat_server(*script: Reaction) -> Iterator[ChatServer]:
    state = ChatServer(list(script))
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"state": state}))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
