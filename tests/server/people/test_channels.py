"""Notices by push, by mail and in feeds: to nobody who has not asked, and to nobody else."""

from __future__ import annotations

import base64
import json
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

import http_ece
import pytest
from aiosmtpd.controller import Controller
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from starlette.testclient import TestClient

from escale.game.errors import BadSetting
from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.edge.mail import MailServer, check_mail_address
from escale.server.edge.problems import Problem
from escale.server.people.letters import next_digest, read_token, token
from escale.server.settings import Settings
from tests.server.people.test_notebooks import HERE, device
from tests.server.people.test_notices import Later, Sink, deliver, move, opened, seated


class Inbox:
    """A real mail server that keeps what it gets, and may refuse mailboxes."""

    def __init__(self) -> None:
        self.got: list[EmailMessage] = []
        self.refused = ""
        self.down = False
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.controller = Controller(self, hostname="127.0.0.1", port=self.port)
        self.controller.start()

    async def handle_RCPT(  # noqa: N802
        self, _server: Any, _session: Any, envelope: Any, address: str, _options: Any
    ) -> str:
        if self.down:
            return "451 later"
        if address == self.refused:
            return "550 no such mailbox"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.got.append(message)
        return "250 OK"

    def link(self, purpose: str) -> str:
        """The path of a link in the last mail."""
        body = self.got[-1].get_body(("plain",))
        assert body is not None
        link = urlsplit(re.findall(rf"https?://\S+/{purpose}\?\S+", body.get_content())[0])
        return f"{link.path}?{link.query}"

    def follow(self, house: TestClient, purpose: str) -> None:
        """Press the button of the page that a link in the last mail leads to."""
        path = urlsplit(self.link(purpose))
        answer = device(house).post(f"/mail/{purpose}?{path.query}", data={"lang": "en"})
        assert answer.status_code == 200, answer.text


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    server = Inbox()
    yield server
    server.controller.stop()


@contextmanager
def mailing(path: Path, now: Later, inbox: Inbox, **more: Any) -> Iterator[TestClient]:
    settings = Settings(
        database=f"sqlite:///{path}/escale.db", workers=1, notices_anywhere=True,
        mail=MailServer("127.0.0.1", inbox.port, "Escale <house@escale.example>"),
        **{"limits": Limits.none(), **more},
    )
    app = create_app(settings, now=now)
    with TestClient(app, HERE, follow_redirects=False) as client:
        yield client


def ask_for_mail(client: TestClient, address: str = "ana@example.org", **more: str) -> str:
    answer = client.post("/notebook", data={
        "do": "notice", "kind": "mail", "address": address, "lang": "en", **more,
    })
    return answer.text


# ---- mail ----


def test_mail_is_sent_after_consent_with_a_picture_and_ends_with_one_click(
    tmp_path: Path, inbox: Inbox
) -> None:
    now = Later()
    with mailing(tmp_path, now, inbox) as house:
        ana, _, table = seated(house)
        assert "ana@example.org" in ask_for_mail(ana)
        [asked] = inbox.got
        assert asked["to"] == "ana@example.org"
        assert asked["subject"] == "Confirm your address for Escale"
        move(house, table)
        move(house, table)
        deliver(house, now)
        assert len(inbox.got) == 1                      # it is not confirmed
        assert "<button" in device(house).get(inbox.link("confirm")).text
        move(house, table)
        move(house, table)
        deliver(house, now)
        assert len(inbox.got) == 1                      # opening the link alone confirms nothing
        inbox.follow(house, "confirm")
        move(house, table)
        move(house, table)
        deliver(house, now)
        deliver(house, now)
        told = inbox.got[1]
        assert len(inbox.got) == 2
        assert told["subject"] == "Your turn: Tortuga, with Ulysse"
        html = told.get_body(("html",))
        assert html is not None
        assert f"cid:{table['table']}@escale" in html.get_content()
        pictures = [part for part in told.walk() if part.get_content_type() == "image/png"]
        assert pictures[0].get_content().startswith(b"\x89PNG")
        assert told["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
        stop = urlsplit(told["list-unsubscribe"].strip("<>"))
        one_click = device(house).post(
            f"{stop.path}?{stop.query}", data={"List-Unsubscribe": "One-Click"}
        )
        assert one_click.status_code == 200
        move(house, table)
        move(house, table)
        deliver(house, now)
        assert len(inbox.got) == 2
        assert "ana@example.org" not in ana.get("/en/notebook").text


def test_a_stranger_gets_one_mail_at_most(tmp_path: Path, inbox: Inbox) -> None:
    now = Later()
    with mailing(tmp_path, now, inbox) as house:
        for _ in range(3):
            ana, _, table = seated(house)
            ask_for_mail(ana, "stranger@example.org")
            move(house, table)
            move(house, table)
            deliver(house, now)
        assert [mail["to"] for mail in inbox.got] == ["stranger@example.org"]


def test_one_address_of_the_internet_asks_for_few_mails(tmp_path: Path, inbox: Inbox) -> None:
    limits = Limits(codes=1e9, code_burst=10**9)
    with mailing(tmp_path, Later(), inbox, limits=limits) as house:
        ana, _, _ = seated(house)
        for number in range(12):
            ask_for_mail(ana, f"stranger{number}@example.org")
        assert len(inbox.got) == limits.mail_burst


@pytest.mark.parametrize("address", [
    "ana", "ana@", "@example.org", "ana@example", "a b@example.org",
    "ana@example.org\r\nBcc: x@y.z", "ana@example.org,bo@example.org",
    "<ana@example.org>", "é@example.org",
    "x" * 300 + "@example.org",
])
def test_what_is_no_address_for_mail_is_refused(address: str) -> None:
    with pytest.raises(Problem):
        check_mail_address(address)


def test_digests_gather_what_waits_until_the_readers_morning(tmp_path: Path, inbox: Inbox) -> None:
    now = Later()
    with mailing(tmp_path, now, inbox) as house:
        ana, _, first = seated(house)
        ask_for_mail(ana, pace="daily", zone="Asia/Tokyo")
        inbox.follow(house, "confirm")
        for _ in range(2):
            move(house, first)
        at = next_digest(now(), "daily", "Asia/Tokyo")
        assert datetime.fromtimestamp(at / 1000, UTC).hour == 23
        now.ahead += at - now() - 1_000
        told = cast(Any, house.app).state.notebooks.notice_service
        assert house.portal is not None
        house.portal.call(told.send_waiting)
        assert len(inbox.got) == 1
        now.ahead += 2_000
        house.portal.call(told.send_waiting)
        assert len(inbox.got) == 2


def test_mail_waits_for_a_server_that_is_down_and_gives_up_a_mailbox_that_is_gone(
    tmp_path: Path, inbox: Inbox
) -> None:
    now = Later()
    with mailing(tmp_path, now, inbox) as house:
        ana, _, table = seated(house)
        ask_for_mail(ana)
        inbox.follow(house, "confirm")
        inbox.down = True
        for _ in range(2):
            move(house, table)
        deliver(house, now)
        assert len(inbox.got) == 1
        inbox.down = False
        deliver(house, now)
        assert len(inbox.got) == 2                      # nothing was lost
        inbox.refused = "ana@example.org"
        for _ in range(2):
            move(house, table)
        deliver(house, now)
        assert "ana@example.org" not in ana.get("/en/notebook").text


def test_a_token_is_good_for_one_purpose_and_one_endpoint() -> None:
    made = token("key", "stop", "abc")
    assert read_token("key", "stop", made) == "abc"
    assert read_token("key", "confirm", made) is None
    assert read_token("other", "stop", made) is None
    assert read_token("key", "stop", made.replace("abc", "abd")) is None


# ---- push ----


class Browser:
    """A browser's half of web push: its keys, and what it decrypts."""

    def __init__(self) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.auth = b"0123456789abcdef"

    def wish(self, address: str) -> dict[str, Any]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": address, "keys": {"p256dh": b64(point), "auth": b64(self.auth)}}

    def read(self, body: bytes) -> dict[str, str]:
        plain = http_ece.decrypt(
            body, private_key=self.key, auth_secret=self.auth, version="aes128gcm"
        )
        return dict(json.loads(plain))


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check_signature(headers: dict[str, str], audience: str, key: str) -> None:
    """The message is signed by the house for this push service (RFC 8292)."""
    found = re.fullmatch(r"vapid t=([^,]+),\s*k=(\S+)", headers["authorization"])
    assert found is not None
    assert found[2] == key
    head, claims, signature = found[1].split(".")
    assert json.loads(unb64(claims))["aud"] == audience
    half = unb64(signature)
    r, s = int.from_bytes(half[:32], "big"), int.from_bytes(half[32:], "big")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(key))
    public.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))


def test_only_the_browser_can_read_what_is_pushed(tmp_path: Path) -> None:
    now, browser, service = Later(), Browser(), Sink(raw=True)
    with opened(tmp_path, now) as house:
        ana, _, table = seated(house)
        key = ana.get("/api/notebook/notices").json()["push_key"]
        answer = ana.post("/api/notebook/notices/push?lang=en", json=browser.wish(service.address))
        assert answer.status_code == 200, answer.text
        again = ana.post("/api/notebook/notices/push?lang=en", json=browser.wish(service.address))
        assert [one["kind"] for one in again.json()["endpoints"]] == ["push"]
        assert browser.read(service.bodies[0])["title"] == "Escale"
        for _ in range(2):
            move(house, table)
        deliver(house, now)
        deliver(house, now)
        assert len(service.bodies) == 2
        assert table["table"].encode() not in service.bodies[1]
        told = browser.read(service.bodies[1])
        assert told["title"] == "Your turn: Tortuga, with Ulysse"
        assert told["link"] == f"/en/t/{table['table']}"
        check_signature(service.headers[1], service.address.rsplit("/", 1)[0], key)
        assert service.headers[1]["content-encoding"] == "aes128gcm"
        assert int(service.headers[1]["ttl"]) > 0
        service.status = 410                            # the browser has unsubscribed
        for _ in range(2):
            move(house, table)
        deliver(house, now)
        assert ana.get("/api/notebook/notices").json()["endpoints"] == []
    service.close()


def test_nobody_lets_the_house_push_into_its_own_network(tmp_path: Path) -> None:
    service = Sink(raw=True)
    settings = Settings(
        database=f"sqlite:///{tmp_path}/escale.db", workers=1, limits=Limits.none()
    )
    with TestClient(create_app(settings), HERE, follow_redirects=False) as house:
        ana, _, _ = seated(house)
        secure = service.address.replace("http:", "https:")
        for address in (service.address, secure, "https://169.254.169.254/latest"):
            answer = ana.post("/api/notebook/notices/push", json=Browser().wish(address))
            assert answer.status_code == 422, answer.text
        keys = {"p256dh": "A" * 87, "auth": "B" * 22}      # no point of the curve
        bad = {"endpoint": "https://push.example.org/x", "keys": keys}
        assert ana.post("/api/notebook/notices/push", json=bad).status_code == 422
    assert service.bodies == []
    service.close()


# ---- feeds ----


def test_a_feed_and_a_calendar_follow_what_waits(tmp_path: Path) -> None:
    now = Later()
    with opened(tmp_path, now) as house:
        ana, _, table = seated(house, clock={"days": 3})
        page = ana.post("/notebook", data={"do": "notice", "kind": "feed", "lang": "en"}).text
        found = re.search(r'value="(\S+)\.atom"', page)
        assert found is not None
        feed = urlsplit(found[1]).path
        reader = device(house)
        atom = reader.get(f"{feed}.atom")
        assert atom.headers["content-type"].startswith("application/atom+xml")
        assert table["table"] in atom.text              # it is Ana's turn
        calendar = reader.get(f"{feed}.ics").text
        assert "BEGIN:VEVENT\r\n" in calendar
        assert "SUMMARY:Your turn: Tortuga" in calendar
        move(house, table)
        assert table["table"] not in reader.get(f"{feed}.atom").text
        assert feed.rsplit("/", 1)[1] not in ana.get("/en/notebook").text      # shown once
        assert reader.get("/feed/wrong.atom").status_code == 404
        endpoint = ana.get("/api/notebook/notices").json()["endpoints"][0]["id"]
        ana.post("/notebook", data={"do": "no-notice", "endpoint": endpoint})
        assert reader.get(f"{feed}.atom").status_code == 404


# ---- wishes ----


def test_a_table_can_be_quiet(tmp_path: Path, inbox: Inbox) -> None:
    now, sink = Later(), Sink()
    with opened(tmp_path, now) as house:
        ana, _, table = seated(house)
        ana.post("/notebook", data={"do": "notice", "kind": "hook", "address": sink.address})
        address = f"/api/notebook/notices/{table['table']}/quiet"
        assert ana.post(address, json={"quiet": True}).json() == {"quiet": True}
        for _ in range(2):
            move(house, table)
        deliver(house, now)
        assert len(sink.got) == 1                       # the test message
        ana.post(address, json={"quiet": False})
        for _ in range(2):
            move(house, table)
        deliver(house, now)
        assert len(sink.got) == 2
    sink.close()


def test_a_page_that_rings_hears_of_a_turn(tmp_path: Path) -> None:
    with opened(tmp_path, Later()) as house:
        _, ulysse, table = seated(house)
        before = ulysse.get("/api/notebook/turns?lang=en").json()
        assert before["waiting"] == 0
        move(house, table)
        after = ulysse.get(f"/api/notebook/turns?lang=en&since={before['version']}&wait=25").json()
        assert (after["waiting"], after["table"]) == (1, table["table"])
        assert after["title"] == "Your turn: Tortuga"


def test_erasing_leaves_no_address_and_no_wish_in_the_file(tmp_path: Path) -> None:
    now, browser, sink = Later(), Browser(), Sink(raw=True)
    with opened(tmp_path, now) as house:
        ana, _, table = seated(house)
        hook = f"{sink.address}?secret-of-ana"
        ana.post("/notebook", data={"do": "notice", "kind": "hook", "address": hook})
        wish = browser.wish(f"{sink.address}/push-of-ana")
        ana.post("/api/notebook/notices/push", json=wish)
        ana.post("/notebook", data={"do": "notice", "kind": "feed"})
        ana.post(f"/api/notebook/notices/{table['table']}/quiet", json={"quiet": True})
        ana.post("/notebook", data={"do": "rate", "yes": "yes"})
        ana.post("/notebook", data={"do": "holiday", "days": "3"})
        found = cast(Any, house.app).state.notebooks._rated
        [notebook] = found.values()
        there = (tmp_path / "escale.db").read_bytes() + (tmp_path / "escale.db-wal").read_bytes()
        gone = ("secret-of-ana", "push-of-ana", wish["keys"]["p256dh"], notebook)
        assert all(each.encode() in there for each in gone)
        assert ana.post("/notebook", data={"do": "erase", "sure": "yes"}).status_code == 303
        assert cast(Any, house.app).state.notebooks._rated == {}
        for name in ("escale.db", "escale.db-wal"):
            there = (tmp_path / name).read_bytes()
            assert not any(each.encode() in there for each in gone)
    sink.close()


def test_a_notebook_of_one_house_is_nothing_in_another(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    with opened(tmp_path / "one", Later()) as one, opened(tmp_path / "other", Later()) as other:
        ana, _, table = seated(one)
        page = ana.post("/notebook", data={"do": "notice", "kind": "feed"}).text
        feed = re.search(r'value="\S+(/feed/\S+)\.atom"', page)
        code = re.search(r'class="spoken"[^>]*>([^<]+)<', ana.post(
            "/notebook", data={"do": "add"}
        ).text)
        assert feed is not None
        assert code is not None
        stranger = device(other)
        for cookie in ana.cookies.jar:
            stranger.cookies.set(cookie.name, str(cookie.value))
        assert stranger.get("/api/notebook").json()["name"] == ""
        assert stranger.get("/api/notebook/games").json()["games"] == []
        assert stranger.post("/open", data={"code": code[1]}).status_code == 404
        assert stranger.get(f"{feed[1]}.atom").status_code == 404
        assert device(one).get(f"{feed[1]}.atom").status_code == 200
        assert table["table"] not in stranger.get("/en/mine").text


def test_the_mail_server_of_the_host_is_read_or_refused() -> None:
    found = MailServer.read("smtps://ana%40club:pass%2Fword@mail.example.org", "e@escale.example")
    assert found == MailServer(
        "mail.example.org", 465, "e@escale.example", "ana@club", "pass/word", secure=True
    )
    assert MailServer.read("smtp://localhost:25", "Escale <e@escale.example>").port == 25
    for url, sender in (
        ("https://mail.example.org", "e@escale.example"), ("smtp://", "e@escale.example"),
        ("smtp://mail.example.org:x", "e@escale.example"), ("smtp://mail.example.org", None),
        ("smtp://mail.example.org", "escale"),
    ):
        with pytest.raises(BadSetting):
            MailServer.read(url, sender)
