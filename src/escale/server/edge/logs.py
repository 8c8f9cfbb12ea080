"""The log of the house: lines for people, or with `--log-json` one JSON object a line.

Each line names the request that it belongs to. No line contains a token: no code that logs has one,
and text that looks like a token is removed in any case.
"""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import Any

from escale.server.edge.current import request_id

SECRET = re.compile(
    r"(?i)(\bbearer\s+|[#?&;](?:seat|token)=|\"(?:token|secret|value)\":\s*\"|\bescale_admin=)"
    r"[^\s\"&#;,]+"
)
"""The text that comes before a token, and the token."""


def without_tokens(text: str) -> str:
    """The text without its tokens.

    >>> without_tokens("GET /t/x#seat=abc-123 failed, Bearer abc.def")
    'GET /t/x#seat=… failed, Bearer …'
    """
    return SECRET.sub(r"\1…", text)


class PlainLines(logging.Formatter):
    """A line as people read it, with the request that it belongs to at its end."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, with its traceback if there is one."""
        name = request_id.get()
        line = without_tokens(super().format(record))
        head, newline, trace = line.partition("\n")
        return f"{head} [{name}]{newline}{trace}" if name else line


def json_line(message: str) -> str:
    """A message written as a line of the log, for messages outside the log."""
    return JsonLines().format(
        logging.LogRecord("escale", logging.INFO, __file__, 0, message, None, None)
    )


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The object: time, level, logger, message and request."""
        moment = time.gmtime(record.created)
        line: dict[str, Any] = {
            "time": f"{time.strftime('%Y-%m-%dT%H:%M:%S', moment)}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(), "logger": record.name,
            "process": record.process,
            "message": without_tokens(record.getMessage()),
        }
        if name := request_id.get():
            line["request"] = name
        if record.name == "uvicorn.access" and isinstance(record.args, tuple) \
                and len(record.args) == 5:
            client, method, path, _, status = record.args
            line |= {"client": str(client).rpartition(":")[0], "method": method,
                     "path": without_tokens(str(path)), "status": status}
        if record.exc_info:
            line["trace"] = without_tokens(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up_logs(*, as_json: bool, access_log: bool) -> None:
    """Write the log of the house, and the warnings of uvicorn, to standard error.

    With `access_log`, every request is logged, too.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if as_json else PlainLines("%(levelname)s: %(message)s"))
    for name in ("escale", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(logging.INFO if name == "escale" else logging.WARNING)
    logging.getLogger("uvicorn.access").setLevel(logging.INFO if access_log else logging.WARNING)
    logging.captureWarnings(True)
    logging.getLogger("py.warnings").handlers = [handler]
