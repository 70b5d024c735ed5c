from __future__ import annotations

import json

from hypothesis import example, given, settings
from hypothesis import strategies as st

from airbench_edge.report.html.inline import policy_hash, script_json


@settings(max_examples=100)
@given(st.text())
@example("</script>")
@example("<!--<script>")
@example("a\u2028b\u2029c\x00\x7f&amp;")
def test_no_text_ends_its_script_and_every_text_comes_back(text: str) -> None:
    inline = script_json({"texts": [text], text: 1})
    assert not set(inline) & set("<>&\u2028\u2029")
    assert json.loads(inline) == {"texts": [text], text: 1}


def test_hash_as_browsers_compute_it() -> None:
    # The example of https://www.w3.org/TR/CSP3/#grammardef-hash-source in base64 of SHA-256.
    assert policy_hash("alert('Hello, world.');") == "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"
