"""A line between a browser and the house that can break, as lines do."""

from __future__ import annotations

import contextlib
import socket
import threading


class Line:
    """Passes on whatever comes to a port of its own, until it is cut."""

    def __init__(self, port: int) -> None:
        self.house = port
        self.whole = True
        self._ends: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._answer, daemon=True).start()

    @property
    def address(self) -> str:
        host, port = self._listener.getsockname()
        return f"http://{host}:{port}"

    def cut(self) -> None:
        """Every connection breaks, and none comes about."""
        self.whole = False
        for end in self._ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._ends.clear()

    def mend(self) -> None:
        self.whole = True

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _answer(self) -> None:
        with contextlib.suppress(OSError):      # the listener is closed
            while True:
                near, _ = self._listener.accept()
                if not self.whole:
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self.house))
                self._ends += [near, far]
                for source, target in ((near, far), (far, near)):
                    threading.Thread(target=_pass, args=(source, target), daemon=True).start()


def _pass(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
