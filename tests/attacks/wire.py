"""Connections that keep to no rule: raw bytes, half frames, and clients that do not read."""

from __future__ import annotations

import base64
import os
import socket
import struct
from collections.abc import Iterator

from tests.sizes import PATIENCE_SECONDS

TEXT, BINARY, CONTINUATION, CLOSE, PING, PONG = 1, 2, 0, 8, 9, 10


def dial(
    port: int, *, receive: int | None = None, timeout: float = PATIENCE_SECONDS
) -> socket.socket:
    """A connection to a house on this machine; `receive` is the size of its receive buffer."""
    line = socket.socket()
    if receive is not None:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
    line.settimeout(timeout)
    line.connect(("127.0.0.1", port))
    return line


def upgrade(line: socket.socket, table: str) -> bytes:
    """Ask for a WebSocket at a table; what came after the answer's head."""
    key = base64.b64encode(os.urandom(16)).decode()
    line.sendall(
        f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
        "Sec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    read = b""
    while b"\r\n\r\n" not in read:
        part = line.recv(4096)
        if not part:
            raise ConnectionError("the house closed the connection")
        read += part
    head, _, rest = read.partition(b"\r\n\r\n")
    if b" 101 " not in head[:20]:
        raise ConnectionError(head[:40].decode("latin-1"))
    return rest


def frame(payload: bytes, kind: int = TEXT, *, last: bool = True) -> bytes:
    """A frame as clients send it, masked with zeros."""
    first, size = (0x80 if last else 0) | kind, len(payload)
    head = bytes([first, 0x80 | size]) if size < 126 else struct.pack(">BBH", first, 0xFE, size)
    return head + b"\0\0\0\0" + payload


def frames(line: socket.socket, read: bytes = b"") -> Iterator[tuple[int, bytes]]:
    """Each frame that arrives, as its kind and its payload, until the connection ends."""
    waiting = bytearray(read)
    while True:
        while len(waiting) >= 2:
            size, start = waiting[1] & 127, 2
            if size == 126:
                size, start = int.from_bytes(waiting[2:4]), 4
            elif size == 127:
                size, start = int.from_bytes(waiting[2:10]), 10
            if len(waiting) < start + size:
                break
            yield waiting[0] & 15, bytes(waiting[start: start + size])
            del waiting[: start + size]
        try:
            part = line.recv(65_536)
        except ConnectionResetError:
            return
        if not part:
            return
        waiting += part


def until_closed(line: socket.socket, read: bytes = b"") -> int | None:
    """Read until the house closes; the number that it gives for a reason, if it gives one."""
    code = None
    for kind, payload in frames(line, read):
        if kind == CLOSE and len(payload) >= 2:
            code = int.from_bytes(payload[:2])
            break
    line.close()
    return code
