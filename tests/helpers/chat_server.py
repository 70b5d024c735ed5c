"""A real HTTP server on the loopback address that answers chat completions from a script."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any, NamedTuple


class Scripted(NamedTuple):
    status: int
    body: dict[str, Any]
    headers: Mapping[str, str] = MappingProxyType({})


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


def failure(status: int, code: str, **headers: str) -> Scripted:
    body = {"error": {"message": f"refused: {code}", "code": code, "type": "invalid_request_error", "param": None}}
    return Scripted(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


class ChatServer:
    """Answers from ``script`` in order, its last entry for ever; keeps what was asked."""

    def __init__(self, script: list[Scripted]) -> None:
        self.script = script
        self.asked: list[dict[str, Any]] = []
        self.url = ""
        self._lock = threading.Lock()

    def next(self, body: dict[str, Any]) -> Scripted:
        with self._lock:
            self.asked.append(body)
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextmanager
def chat_server(*script: Scripted) -> Iterator[ChatServer]:
    state = ChatServer(list(script))

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = state.next(body)
            payload = json.dumps(answer.body).encode()
            self.send_response(answer.status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(payload)))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    state.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
