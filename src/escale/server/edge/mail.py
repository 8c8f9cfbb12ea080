"""Mail of the house, sent through the server that its host names.

The address is that of a person who asked for mail, and nothing else that people type is in the
head of a message.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parseaddr
from importlib.util import find_spec
from urllib.parse import unquote, urlsplit

from escale.game.errors import BadSetting
from escale.server.edge.addresses import is_loopback
from escale.server.edge.problems import Problem

SECONDS = 20.0
"""For connecting, and for each answer of the server."""
SENT, GONE, FAILED = 250, 550, 0
ADDRESS = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z]{2,63}"
)
ADDRESS_LETTERS = 200


def check_mail_address(address: str) -> str:
    """The address without what surrounds it; Problem if it is none."""
    address = address.strip()
    if len(address) > ADDRESS_LETTERS or ADDRESS.fullmatch(address) is None:
        raise Problem("bad-address")
    return address


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server through which the house sends mail."""

    host: str
    port: int
    sender: str
    """As `Escale <escale@club.example>`, or only the address."""
    user: str | None = None
    password: str | None = None
    secure: bool = False
    """Whether the connection begins with TLS; otherwise it is asked for, if the server has it."""

    @classmethod
    def read(cls, url: str, sender: str | None) -> MailServer:
        """Read `smtp://user:password@host:port` or `smtps://…`; BadSetting if it is neither."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise BadSetting("smtp") from None
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path.strip("/"):
            raise BadSetting("smtp")
        if not sender or ADDRESS.fullmatch(parseaddr(sender)[1]) is None:
            raise BadSetting("mail-from")
        if find_spec("aiosmtplib") is None:
            raise BadSetting("mail-extra")
        secure = parts.scheme == "smtps"
        return cls(
            parts.hostname, port or (465 if secure else 587), sender,
            unquote(parts.username) if parts.username else None,
            unquote(parts.password) if parts.password else None, secure,
        )

    @property
    def address(self) -> str:
        """The address of the sender alone."""
        return parseaddr(self.sender)[1]

    async def send(self, message: EmailMessage) -> int:
        """Send a message: `SENT`, `GONE` if there is no such mailbox, else `FAILED`."""
        import aiosmtplib  # an extra

        # Never a password in the clear, except to a server on this machine.
        tls = True if self.user and not is_loopback(self.host) else None
        message["From"] = self.sender
        try:
            await aiosmtplib.send(
                message, hostname=self.host, port=self.port, username=self.user,
                password=self.password, use_tls=self.secure,
                start_tls=False if self.secure else tls, timeout=SECONDS,
            )
        except aiosmtplib.SMTPRecipientsRefused as error:
            return GONE if all(one.code in (550, 551, 553) for one in error.recipients) else FAILED
        except (aiosmtplib.SMTPException, OSError, TimeoutError):
            return FAILED
        return SENT
