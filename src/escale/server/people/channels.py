"""The ways in which notices leave the house: push, mail, a ntfy topic, a web address."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from urllib.parse import urlsplit

from escale.match.reading import encode
from escale.server.edge import mail, outgoing
from escale.server.edge.problems import Problem
from escale.server.people import letters
from escale.server.people.letters import Message
from escale.server.people.push import Push
from escale.server.settings import Settings
from escale.server.workers.off_loop import off_loop
from escale.store.records import Endpoint

PUSH_LETTERS = 300
"""Letters of a text that is pushed: push services carry four kilobytes."""
TOPIC_LETTERS = 32


def arrived(status: int) -> bool:
    """Whether a status says that a message has arrived."""
    return 200 <= status < 300


class Channels:
    """Sends messages to endpoints."""

    def __init__(self, settings: Settings, base: str, now: Callable[[], int]) -> None:
        """`base` is the origin under which people find the house."""
        self._mail = settings.mail
        self._anywhere = settings.notices_anywhere
        self._base = base
        self._now = now
        self._key = ""
        self.push: Push | None = None

    def open(self, key: str, push_keys: tuple[str, str] | None) -> None:
        """Set the house's keys: for the tokens in mail, and for push if that is possible."""
        self._key = key
        if push_keys:
            secure = self._base.startswith("https:")
            sender = self._mail.address if self._mail else "escale@example.org"
            self.push = Push(*push_keys, self._base if secure else f"mailto:{sender}")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of endpoints that this house offers."""
        return (*(["push"] if self.push else []), *(["mail"] if self._mail else []),
                "feed", "ntfy", "hook")

    def token(self, purpose: str, endpoint: str) -> str:
        """The token of a link in mail."""
        return letters.token(self._key, purpose, endpoint)

    def read_token(self, purpose: str, token: str) -> str | None:
        """The endpoint that the token of a link names."""
        return letters.read_token(self._key, purpose, token)

    async def send(self, endpoint: Endpoint, message: Message) -> int:
        """Send a message; a status as HTTP has them, 0 if there was no answer."""
        try:
            match endpoint.kind:
                case "push":
                    return await self._push(endpoint, message)
                case "mail":
                    return await self._post_letter(endpoint, message)
                case _:
                    return await self._post(endpoint, message)
        except (OSError, TimeoutError, Problem):
            return 0

    async def _push(self, endpoint: Endpoint, message: Message) -> int:
        assert self.push is not None
        if not endpoint.address.startswith("https:") and not self._anywhere:
            return 0
        first = message.lines[0] if len(message.lines) == 1 else None
        link = urlsplit(first.link).path if first else "/mine"
        text = message.text or "\n".join(one.text for one in message.lines)
        tag = first.table if first else "escale"
        topic = sha256(tag.encode()).hexdigest()[:TOPIC_LETTERS]
        sealed = {
            "title": message.title, "text": "" if first else text[:PUSH_LETTERS], "link": link,
            "tag": tag,
        }
        body, headers = await off_loop(
            self.push.envelope, endpoint.address, endpoint.keys, sealed, topic, self._now()
        )
        return await outgoing.post(
            endpoint.address, body, "application/octet-stream", anywhere=self._anywhere,
            headers=headers,
        )

    async def _post_letter(self, endpoint: Endpoint, message: Message) -> int:
        assert self._mail is not None
        stop = f"{self._base}/mail/stop?of={self.token('stop', endpoint.id)}"
        letter = letters.letter(message, endpoint.address, stop, self._base, self._now())
        status = await self._mail.send(letter)
        return {mail.SENT: 200, mail.GONE: 410}.get(status, 0)

    async def _post(self, endpoint: Endpoint, message: Message) -> int:
        address = endpoint.address
        games = [{"game": one.game, "table": one.table, "link": one.link} for one in message.lines]
        body = {"id": message.name, "title": message.title, "text": message.plain, "games": games}
        if endpoint.kind == "ntfy":                 # published as JSON at the server's root
            parts = urlsplit(address)
            folder, _, topic = parts.path.rstrip("/").rpartition("/")
            address = f"{parts.scheme}://{parts.netloc}{folder}/"
            body = {"topic": topic, "title": message.title, "message": message.plain}
            if games:
                body["click"] = games[0]["link"]
        return await outgoing.post(
            address, encode(body), "application/json", anywhere=self._anywhere
        )
