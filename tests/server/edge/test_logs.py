"""The log: one object a line, the request that a line belongs to, and no tokens."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

from escale.server.edge.current import request_id
from escale.server.edge.logs import JsonLines, PlainLines
from escale.server.edge.middleware import Proxies, RequestId
from tests.server.hosting import hosted


def record(
    message: str, *args: object, name: str = "escale", trace: bool = False
) -> logging.LogRecord:
    info = sys.exc_info() if trace else None
    return logging.LogRecord(name, logging.WARNING, __file__, 1, message, args, info)


def test_a_line_of_json_says_all_and_tells_no_token() -> None:
    name = request_id.set("req-12345678")
    try:
        raise ValueError('sent {"token": "abc-DEF_1"} "quoted\\"')
    except ValueError:
        line = JsonLines().format(record("/t/x#seat=%s: Bearer %s\nfailed", "s3cret", "t0k\"en",
                                         trace=True))
        plain = PlainLines("%(levelname)s: %(message)s").format(
            record("Bearer %s\nfailed", "s3cret", trace=True))
    finally:
        request_id.reset(name)
    assert "\n" not in line
    found = json.loads(line)
    assert found["message"] == '/t/x#seat=… Bearer …"en\nfailed'
    assert (found["level"], found["logger"], found["request"]) == (
        "warning", "escale", "req-12345678")
    assert "abc-DEF_1" not in line
    assert "ValueError" in found["trace"]
    assert plain.startswith("WARNING: Bearer … [req-12345678]\nfailed\nTraceback")
    assert found["time"].endswith("Z")
    assert "request" not in json.loads(JsonLines().format(record("in the background")))


def test_a_request_in_the_log_has_fields_of_its_own() -> None:
    line = JsonLines().format(record(
        '%s - "%s %s HTTP/%s" %d', "192.0.2.7:1234", "GET", "/t/x?token=abc", "1.1", 404,
        name="uvicorn.access"))
    found = json.loads(line)
    assert (found["client"], found["method"], found["path"], found["status"]) == (
        "192.0.2.7", "GET", "/t/x?token=…", 404)


def test_a_name_is_taken_over_from_a_trusted_proxy_alone() -> None:
    namer = RequestId(None, proxies=Proxies(["127.0.0.1"]))     # type: ignore[arg-type]
    for peer, given, kept in [
        ("127.0.0.1", "abc-123.DEF_x", True), ("192.0.2.7", "abc-123.DEF_x", False),
        ("127.0.0.1", "short", False), ("127.0.0.1", "x" * 65, False),
        ("127.0.0.1", "with spaces in it", False), ("127.0.0.1", "-starts-wrong", False),
        ("127.0.0.1", "line\nbreak-12345", False), ("127.0.0.1", "", False),
    ]:
        scope = {"client": (peer, 1), "headers": [(b"x-request-id", given.encode())]}
        assert (namer._given(scope) == given) == kept, (peer, given)


def test_every_answer_has_a_name_and_errors_tell_it(tmp_path: Path) -> None:
    with hosted(tmp_path, trusted_proxies=("127.0.0.1",)) as house:
        given = {"x-request-id": "from-the-proxy"}
        fine = house.client.get("/api/games")
        assert len(fine.headers["x-request-id"]) == 16
        refused = house.client.get("/api/tables/none", headers=given)
        assert refused.headers["x-request-id"] == "from-the-proxy"
        assert refused.json()["request"] == "from-the-proxy"
        page = house.client.get("/en/t/none", headers=given)
        assert "<code>from-the-proxy</code>" in page.text
        assert "has been deleted" in page.text
