"""The proxies that are trusted about addresses, and the names under which the house answers."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from escale.game.errors import BadOption
from escale.server.edge.limits import Limits
from escale.server.edge.middleware import Proxies
from tests.server.hosting import Hosted, hosted

FEW = Limits(requests=0.001, request_burst=5)


def statuses(house: Hosted, *forwarded: str) -> list[int]:
    return [
        house.client.get("/api/games", headers={"x-forwarded-for": one}).status_code
        for one in forwarded
    ]


def test_nobody_escapes_the_limits_by_saying_another_address(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with hosted(tmp_path, limits=FEW) as house:
        told = statuses(house, *(f"192.0.2.{number}" for number in range(7)))
        assert told == [200] * 5 + [429] * 2
    assert "--trusted-proxy 127.0.0.1" in caplog.text


def test_a_proxy_that_was_named_is_believed_about_the_last_address_only(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=FEW, trusted_proxies=("127.0.0.0/8",)) as house:
        visitors = [f"192.0.2.{number}" for number in range(7)]
        assert statuses(house, *visitors) == [200] * 7
        told = statuses(house, *(f"{one}, 198.51.100.7" for one in visitors))
        assert told == [200] * 5 + [429] * 2                # what the client wrote does not count
        assert statuses(house, *["nonsense"] * 7) == [200] * 5 + [429] * 2


def test_a_proxy_tells_how_it_was_reached(tmp_path: Path) -> None:
    with hosted(tmp_path, trusted_proxies=("127.0.0.1",)) as house:
        headers = {"x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https"}
        page = house.client.get("/en/about", headers=headers).text
        assert 'href="https://127.0.0.1' in page
    with hosted(tmp_path) as house:
        assert 'href="https://127.0.0.1' not in house.client.get("/en/about", headers=headers).text


def test_proxies_are_addresses_or_networks() -> None:
    known = Proxies(["192.0.2.7", "2001:db8::/32"])
    assert all(peer in known for peer in ("192.0.2.7", "::ffff:192.0.2.7", "2001:db8::9"))
    assert not any(peer in known for peer in ("192.0.2.8", "", "pipe", "127.0.0.1"))
    with pytest.raises(BadOption, match="Expected a proxy"):
        Proxies(["club.example"])


def test_a_house_with_an_origin_answers_under_its_own_names_only(tmp_path: Path) -> None:
    with hosted(tmp_path, origins=("https://club.example",)) as house:
        for name in ("club.example", "club.example:443", "CLUB.example", "127.0.0.1:80",
                     "localhost", "[::1]:8000"):
            answer = house.client.get("/en/about", headers={"host": name})
            assert answer.status_code == 200, name
        for name in ("evil.example", "club.example.evil.example", "192.0.2.99", "[bad", ""):
            for path in ("/en/about", "/api/games", "/nothing"):
                answer = house.client.get(path, headers={"host": name})
                assert answer.status_code == 421, name
                assert "evil" not in answer.text
        table = house.client.post("/api/tables", json={
            "game": "tortuga", "seats": [{"kind": "person"}, {"kind": "open"}]}).json()["table"]
        port = int(house.url.rpartition(":")[2])
        for name, more in (("evil.example", {}), ("127.0.0.1", {"Host": "evil.example"})):
            with socket.create_connection(("127.0.0.1", port)) as line, \
                    pytest.raises(InvalidStatus, match="421"):
                connect(f"ws://{name}/api/tables/{table}/live", sock=line, additional_headers=more)


@pytest.mark.parametrize("machine", ["laptop", "Laptop.club.example"])
def test_without_an_origin_the_machines_own_names_and_all_addresses_are_good(
    tmp_path: Path, machine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: machine)
    with hosted(tmp_path) as house:
        for name in (f"{machine}:8000", "laptop", "laptop.local", "localhost", "192.0.2.99:80",
                     "[2001:db8::7]"):
            answer = house.client.get("/en/about", headers={"host": name})
            assert answer.status_code == 200, name
        for name in ("evil.example", "laptop.evil.example", "192.0.2.99.evil.example", "[bad"):
            answer = house.client.get("/en/about", headers={"host": name})
            assert (answer.status_code, "name" in answer.text) == (421, True), name
            answer = house.client.get("/api/games", headers={"host": name})
            assert (answer.status_code, answer.json()["code"]) == (421, "unknown-host"), name
