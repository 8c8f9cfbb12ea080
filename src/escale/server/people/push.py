"""Web push: messages that only one browser can read, signed with the key of the house.

The browser's push service carries them (RFC 8030); they are encrypted for the browser (RFC 8291)
and signed so that only this house can use the address (RFC 8292). The packages are an extra.
"""

from __future__ import annotations

import base64
from functools import cached_property
from importlib.util import find_spec
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from escale.server.edge.problems import Problem

KEY, PUBLIC_KEY = "push-key", "push-public-key"
"""The names of the house's values that are its private key, and what browsers are told of it."""
STORED_SECONDS = 3 * 24 * 3600
"""A push service keeps a message this long for a browser that is not connected."""
SIGNED_SECONDS = 12 * 3600

Key = Annotated[str, Meta(min_length=16, max_length=100, pattern=r"^[A-Za-z0-9_=-]+$")]


class Keys(Struct, frozen=True, forbid_unknown_fields=True):
    """The public keys of a browser, for encrypting."""

    p256dh: Key
    auth: Key


def is_possible() -> bool:
    """Whether the packages are installed."""
    return find_spec("pywebpush") is not None


class Push:
    """The house's key, and what is done with it."""

    def __init__(self, key: str, public_key: str, subject: str) -> None:
        """The keys are from `draw_key` and `public_key`; push services write to `subject`."""
        self._key = key
        self.public_key = public_key
        self._subject = subject

    @cached_property
    def _vapid(self) -> Any:
        from py_vapid import Vapid02  # an extra

        return Vapid02.from_pem(self._key.encode())

    def envelope(
        self, address: str, keys: str, message: dict[str, str], topic: str, now: int
    ) -> tuple[bytes, dict[str, str]]:
        """A message as it is sent, and its headers; Problem if the browser's keys are none.

        It takes about a millisecond of a processor: call it off the event loop.
        """
        from pywebpush import WebPusher, WebPushException

        try:
            browser = WebPusher({"endpoint": address, "keys": msgspec.json.decode(keys)})
            packed = browser.encode(msgspec.json.encode(message))
        except (WebPushException, ValueError, TypeError) as error:
            raise Problem("bad-address") from error
        parts = urlsplit(address)
        signed = self._vapid.sign({
            "aud": f"{parts.scheme}://{parts.netloc}", "sub": self._subject,
            "exp": now // 1000 + SIGNED_SECONDS,
        })
        assert packed is not None
        return bytes(packed["body"]), {
            "Authorization": signed["Authorization"], "Content-Encoding": "aes128gcm",
            "TTL": str(STORED_SECONDS), "Urgency": "high", "Topic": topic,
        }


def public_key(key: str) -> str:
    """The key with which browsers ask their push service for an address."""
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        PublicFormat,
        load_pem_private_key,
    )

    point = load_pem_private_key(key.encode(), None).public_key().public_bytes(
        Encoding.X962, PublicFormat.UncompressedPoint
    )
    return base64.urlsafe_b64encode(point).rstrip(b"=").decode()


def draw_key() -> str:
    """A new private key, as PEM."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode()
