"""What stands inside the page as it is: data that cannot end its script element, and hashes for the policy."""

from __future__ import annotations

import base64
import hashlib

import msgspec

# In JSON only strings can hold these characters, and there an escape means the same. What a script must not hold:
# https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements
_ESCAPES = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029", "\x7f": "\\u007f"}
)


def script_json(value: object) -> str:
    """Encode for ``<script type="application/json">``, whatever the texts in it say."""
    return msgspec.json.encode(value).decode().translate(_ESCAPES)


def policy_hash(text: str) -> str:
    """The source expression under which a Content-Security-Policy lets this very script or style pass."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
