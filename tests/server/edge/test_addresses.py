"""Where others find the house: what a table's page is told, and what is accepted from there."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from escale.server.app import create_app
from escale.server.edge import addresses
from escale.server.edge.addresses import machine_addresses, network_addresses
from escale.server.settings import Settings
from tests.server.pages.test_pages import read

MACHINE = ("192.0.2.7", "198.51.100.7", "fd00::7")
LOCAL = ("127.0.0.1", 50_000)
GUEST = ("192.0.2.99", 50_000)


def offered(
    folder: Path, *, reached: str = "http://127.0.0.1:8123", client: tuple[str, int] = LOCAL,
    machine: tuple[str, ...] = MACHINE, host: str = "127.0.0.1", origins: tuple[str, ...] = (),
) -> tuple[list[str], list[str]]:
    """The origins that the house was told, and those of the network, as a page has them."""
    settings = Settings(
        database=str(folder / "house.sqlite3"), workers=1, host=host, origins=origins,
        machine=lambda: machine,
    )
    with TestClient(create_app(settings), base_url=reached, client=client) as asking:
        table = asking.post("/api/tables", json={"game": "canoe", "seats": [
            {"kind": "person"}, {"kind": "open"},
        ]}).json()["table"]
        main = read(asking.get(f"/t/{table}").text).find(".//main[@id='table']")
        assert main is not None
        return main.get("data-origins", "?").split(), main.get("data-network", "?").split()


@pytest.mark.parametrize("reached", [
    "http://127.0.0.1:8123", "http://localhost:8123", "http://[::1]:8123",
])
def test_a_page_at_localhost_learns_the_addresses_of_the_network(
    tmp_path: Path, reached: str
) -> None:
    four = ["http://192.0.2.7:8123", "http://198.51.100.7:8123"]
    assert offered(tmp_path, host="0.0.0.0", reached=reached) == ([], four)
    both = [*four, "http://[fd00::7]:8123"]
    assert offered(tmp_path, host="::", reached=reached) == ([], both)


def test_a_house_that_listens_only_here_offers_no_address(tmp_path: Path) -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        assert offered(tmp_path, host=host) == ([], [])


def test_without_a_network_there_is_no_address(tmp_path: Path) -> None:
    assert offered(tmp_path, host="0.0.0.0", machine=()) == ([], [])


def test_a_house_at_one_address_offers_that_one(tmp_path: Path) -> None:
    assert offered(tmp_path, host="192.0.2.7") == ([], ["http://192.0.2.7:8123"])


def test_an_origin_that_the_house_was_told_is_offered_to_everybody(tmp_path: Path) -> None:
    told = ("https://club.example", "https://club.test")
    for client, reached in ((LOCAL, "http://127.0.0.1:8123"), (GUEST, "http://192.0.2.7:8123")):
        assert offered(tmp_path, origins=told, client=client, reached=reached)[0] == list(told)


@pytest.mark.parametrize(("client", "reached"), [
    (GUEST, "http://192.0.2.7:8123"),
    (GUEST, "http://127.0.0.1:8123"),           # a forged Host header
    (LOCAL, "https://203.0.113.7"),             # a proxy on the same machine
])
def test_guests_do_not_learn_how_the_network_is_built(
    tmp_path: Path, client: tuple[str, int], reached: str
) -> None:
    assert offered(tmp_path, host="0.0.0.0", client=client, reached=reached) == ([], [])


@pytest.mark.parametrize("host", ["0.0.0.0", "::"])
def test_what_is_sent_from_a_page_at_an_address_of_the_network_is_accepted(
    tmp_path: Path, host: str
) -> None:
    settings = Settings(
        database=str(tmp_path / "house.sqlite3"), workers=1, host=host, machine=lambda: MACHINE
    )
    found = network_addresses(host, 8123, settings.machine)
    assert found
    for origin in found:
        with TestClient(create_app(settings), base_url=origin) as guest:
            form = {"game": "canoe", "way": "link"}
            answer = guest.post("/tables", data=form, headers={"origin": origin})
            table = answer.url.path.removeprefix("/t/")
            live = f"{origin.replace('http', 'ws')}/api/tables/{table}/live"
            with guest.websocket_connect(live, headers={"origin": origin}) as ear:
                ear.send_json({"do": "hello"})
                assert ear.receive_json()["type"] == "state"
            elsewhere = guest.post("/tables", data=form, headers={"origin": "http://192.0.2.66"})
            assert elsewhere.status_code == 403


def test_addresses_of_the_machine_can_be_opened_by_others() -> None:
    for address in machine_addresses():
        assert not address.startswith(("127.", "169.254.", "fe80:", "0.0.0.0"))
        assert address != "::1"
        with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as listening:
            listening.bind((address, 0))


def test_the_address_that_packets_leave_from_is_first_and_none_is_said_twice(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    known = ["127.0.0.1", "172.17.0.1", "192.0.2.7", "169.254.1.1", "::1", "fe80::7", "fd00::7",
             "fe80::7%eth0", ""]
    monkeypatch.setattr(addresses, "_outward", lambda: ["192.0.2.7"])
    for name in ("_linux", "_by_name"):
        monkeypatch.setattr(addresses, name, lambda: known)
    assert machine_addresses() == ("192.0.2.7", "172.17.0.1", "fd00::7")


def test_no_network_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(*_: object) -> None:
        raise OSError("Network is unreachable")

    monkeypatch.setattr(socket.socket, "connect", nothing)
    monkeypatch.setattr(socket, "if_nameindex", list)
    monkeypatch.setattr(socket, "getaddrinfo", nothing)
    monkeypatch.setattr(Path, "read_text", nothing)
    for platform in ("linux", "darwin"):
        monkeypatch.setattr("sys.platform", platform)
        assert machine_addresses() == ()
