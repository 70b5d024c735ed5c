"""When a failed API call is tried again, when only its item fails, and when everything stops."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import NoReturn, TypeVar

import openai

from airbench_edge.errors import InputError
from airbench_edge.judges.openai.client import api_key
from airbench_edge.judges.openai.pace import Pace

ATTEMPTS = 6
"""Calls for one verdict before its item fails."""

_SECRET = 8  # characters; a shorter key is a placeholder, which may well stand in any sentence

T = TypeVar("T")


class RequestFailed(Exception):
    """One request failed for good; the message is the name of the reason."""


def call(attempt: Callable[[], T], pace: Pace, longest_wait_s: float) -> T:
    """Run ``attempt``, again after passing errors.

    A rate limit, and a server that says how long to wait, hold all workers; after other errors only this one waits.

    Args:
        attempt: The API call.
        pace: The common pace of the workers.
        longest_wait_s: A server that asks for a longer wait than this fails the item.

    Raises:
        RequestFailed: This request failed; others may succeed.
        InputError: No request can succeed (wrong key, unknown model, spent quota, no server, no such address).
        Stopped: The stage ended while waiting.
    """
    for number in range(ATTEMPTS):
        pace.turn()
        try:
            return attempt()
        except openai.APIConnectionError as error:
            failure: openai.APIError = error
            asked = 0.0
        except openai.APIStatusError as error:
            _raise_if_final(error)
            failure = error
            asked = _retry_after(error)
        except UnicodeError as error:  # of the address or a header, before anything is sent
            raise InputError(
                f"A request to the judge's server cannot be written ({error}): check --judge, --base-url and the "
                "variables whose names begin with OPENAI_."
            ) from error
        if asked > longest_wait_s:
            raise RequestFailed("rate_limited") from failure
        if number + 1 < ATTEMPTS:
            wait = max(asked, _backoff(number))
            if asked or isinstance(failure, openai.RateLimitError):
                pace.hold(wait)
            else:
                pace.sleep(wait)
    if isinstance(failure, openai.APITimeoutError):
        raise RequestFailed("timeout") from failure
    if isinstance(failure, openai.APIConnectionError):
        raise InputError(
            f"The judge's server {failure.request.url.host} cannot be reached ({told(failure)}): "
            "check the network and --base-url, then run the same command again."
        ) from failure
    status = failure.status_code if isinstance(failure, openai.APIStatusError) else 500
    raise RequestFailed(failure_name(status, failure.code)) from failure


def told(error: BaseException | None) -> str:
    """What an error, or its cause, says of itself; only its kind where that would tell the API key."""
    cause = (error and error.__cause__) or error
    key = api_key()
    return type(cause).__name__ if len(key) >= _SECRET and key in str(cause) else str(cause)


def failure_name(status: int, code: str | None) -> str:
    """Name of the failure of one request, out of an HTTP status and the code in the body of the error."""
    if code in ("context_length_exceeded", "content_filter"):
        return "too_long" if code == "context_length_exceeded" else code
    if status == 429:
        return "rate_limited"
    return "server_error" if status in (408, 409) or status >= 500 else "bad_request"


def _raise_if_final(error: openai.APIStatusError) -> None:
    """Raise for a status that no repetition changes; return for 408, 409, 429 and 5xx."""
    host, code = error.request.url.host, error.code
    if code in ("insufficient_quota", "billing_hard_limit_reached"):
        _stop(f"The API account at {host} has no quota left: add credit, then run the same command again", error)
    if error.status_code == 401:
        _stop(f"The server {host} refused the API key (401): set OPENAI_API_KEY to a valid key", error)
    if error.status_code == 403:
        _stop(f"The server {host} forbids this model or region to the API key (403)", error)
    if error.status_code == 404:
        _stop(
            f"The server {host} knows no such model or address (404): check --judge openai:MODEL and --base-url", error
        )
    name = failure_name(error.status_code, code)
    if name not in ("rate_limited", "server_error"):
        raise RequestFailed(name) from error


def _stop(sentence: str, error: openai.APIStatusError) -> NoReturn:
    raise InputError(sentence + ".") from error


def _retry_after(error: openai.APIStatusError) -> float:
    """Seconds that the server asks to wait: RFC 9110 section 10.2.3, a number or a date; 0 if it says nothing."""
    value = error.response.headers.get("retry-after", "")
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return 0.0


def _backoff(number: int) -> float:
    """Exponential back-off with jitter, so that workers that failed together do not return together."""
    return min(60.0, 2.0**number) * random.uniform(0.5, 1.0)
