"""The files and batches of a chat server, as the API reference describes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import HTTP
from typing import Any, NamedTuple


class Answer(NamedTuple):
    status: int
    content: bytes
    content_type: str = "application/json"


class BatchApi:
    """Keeps uploads and batches; a batch is worked through when it is looked at for the last time.

    Attributes:
        files: Content of each file by its id.
        batches: Each batch by its id.
        progress: What the looks at a batch find; the last one for ever.
        refusal: Message with which the next batches fail as a whole, if not empty.
        missing: Whether the server has no such thing.
        broken: Method and kind of thing of the calls that fail with status 400, such as ``("POST", "batches")``.
        strange: What it answers to everything, if not None.
        status_code: What stands in the lines of results instead of the status, if not empty.
        lost_answers: How many times a batch is begun and the answer lost.
        expire_after: Requests that a batch gets done before it expires; None for all of them.
    """

    def __init__(self, complete: Callable[[dict[str, Any]], tuple[int, dict[str, Any] | bytes]]) -> None:
        self._complete = complete
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.progress = ["validating", "in_progress", "completed"]
        self.refusal = ""
        self.missing = False
        self.broken: tuple[str, str] | None = None
        self.strange: bytes | None = None
        self.status_code = ""
        self.lost_answers = 0
        self.expire_after: int | None = None

    def answer(self, method: str, path: str, body: bytes, content_type: str) -> Answer:
        match method, path.split("?")[0].removeprefix("/v1/").split("/"):
            case _ if self.missing:
                pass
            case _ if self.strange is not None:
                return Answer(200, self.strange)
            case _, [kind, *_] if self.broken == (method, kind):
                return self._json({"error": {"message": "not today", "code": "odd"}}, 400)
            case "POST", ["files"]:
                return self._json(self._upload(body, content_type))
            case "GET", ["files", file_id, "content"]:
                return Answer(200, self.files[file_id], "application/octet-stream")
            case "POST", ["batches"]:
                begun = self._begin(json.loads(body))
                self.lost_answers -= 1
                return self._json({"error": {"message": "lost"}}, 503) if self.lost_answers >= 0 else self._json(begun)
            case "GET", ["batches"]:
                return self._json({"object": "list", "data": list(self.batches.values()), "has_more": False})
            case "GET", ["batches", batch_id] if batch_id in self.batches:
                return self._json(self._look(self.batches[batch_id]))
        return self._json({"error": {"message": "no such thing", "code": "not_found"}}, 404)

    def _json(self, value: dict[str, Any], status: int = 200) -> Answer:
        return Answer(status, json.dumps(value).encode())

    def _upload(self, body: bytes, content_type: str) -> dict[str, Any]:
        message = BytesParser(policy=HTTP).parsebytes(b"content-type: " + content_type.encode() + b"\r\n\r\n" + body)
        for part in message.iter_parts():
            assert isinstance(part, EmailMessage)
            if part.get_param("name", header="content-disposition") == "file":
                content = part.get_payload(decode=True)
                assert isinstance(content, bytes)
                file_id = self._store(content)
        return {"id": file_id, "object": "file", "bytes": len(self.files[file_id]), "purpose": "batch"}

    def _store(self, content: bytes) -> str:
        file_id = f"file-{len(self.files)}"
        self.files[file_id] = content
        return file_id

    def _begin(self, order: dict[str, Any]) -> dict[str, Any]:
        assert order["endpoint"] == "/v1/chat/completions"
        assert order["completion_window"] == "24h"
        ids = [json.loads(line)["custom_id"] for line in self.files[order["input_file_id"]].splitlines()]
        assert len(set(ids)) == len(ids), "custom_id must be unique"
        assert max(map(len, ids)) <= 64
        batch = {"id": f"batch-{len(self.batches)}", "object": "batch", "status": "validating", "looks": 0, **order}
        self.batches[batch["id"]] = batch
        return batch

    def _look(self, batch: dict[str, Any]) -> dict[str, Any]:
        batch["status"] = self.progress[min(batch["looks"], len(self.progress) - 1)]
        batch["looks"] += 1
        if self.refusal:
            batch.update(status="failed", errors={"object": "list", "data": [{"message": self.refusal}]})
        elif batch["status"] == "completed" and "output_file_id" not in batch:
            self._work(batch)
        elif self.expire_after is not None and "output_file_id" in batch:
            batch["status"] = "expired"
        return batch

    def _work(self, batch: dict[str, Any]) -> None:
        done, wrong = b"", b""
        for number, line in enumerate(self.files[batch["input_file_id"]].splitlines()):
            request = json.loads(line)
            if self.expire_after is not None and number >= self.expire_after:
                error = {"code": "batch_expired", "message": "not executed before the completion window ended"}
                wrong += json.dumps({"custom_id": request["custom_id"], "response": None, "error": error}).encode()
                wrong += b"\n"
                continue
            status, body = self._complete(request["body"])
            shown = body.decode() if isinstance(body, bytes) else json.dumps(body)
            result = (
                f'{{"id": "batch_req_{number}", "custom_id": "{request["custom_id"]}", "error": null, '
                f'"response": {{"status_code": {self.status_code or status}, "request_id": "1", "body": {shown}}}}}\n'
            ).encode()
            if status == 200:
                done += result
            else:
                wrong += result
        batch["output_file_id"] = self._store(done)
        batch["error_file_id"] = self._store(wrong) if wrong else None
        if self.expire_after is not None:
            batch["status"] = "expired"
