"""The API client, out of what the user and the surroundings say."""

from __future__ import annotations

import os

import openai

from airbench_edge.errors import InputError
from airbench_edge.judges.prices import OPENAI_SERVER


def open_client(base_url: str | None, timeout_s: float) -> openai.OpenAI:
    """Set the client up; nothing is sent yet.

    Args:
        base_url: Address of a compatible server; None for OpenAI itself.
        timeout_s: Time limit of one call.

    Raises:
        InputError: No usable key for a server that needs one, or an address, proxy or certificate that is none.
    """
    key = api_key()
    if not key and base_url is None:
        raise InputError(
            "The judge openai: needs an API key: set OPENAI_API_KEY, or give --base-url of a local server."
        )
    address = base_url or f"https://{OPENAI_SERVER}/v1"
    try:
        # A placeholder key, because the client refuses to start without one and local servers ignore it.
        return openai.OpenAI(api_key=key or "unused", base_url=address, max_retries=0, timeout=timeout_s)
    except Exception as error:  # of many kinds, by what the HTTP library, which changes with the client, chokes on
        raise InputError(
            f"No connection to the judge's server can be set up ({error}): check --base-url and the variables "
            "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE and SSL_CERT_DIR."
        ) from error


def api_key() -> str:
    """The key without the white space that copying leaves around it; empty where none is set.

    Raises:
        InputError: What is set can be no key.
    """
    key = os.environ.get("OPENAI_API_KEY", "").strip()
    if not (key.isascii() and key.isprintable()):
        raise InputError(
            "OPENAI_API_KEY holds characters that no API key has (control or non-ASCII ones): set it to the key alone."
        )
    return key
