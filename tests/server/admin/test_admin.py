"""The host's page: only the host gets in, and the host's decisions hold."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import httpx2
import pytest

from escale.game.errors import BadOption
from escale.server.admin.figures import HEIGHT, WIDTH, lines
from escale.server.admin.routes import SESSION_SECONDS, Sessions
from escale.server.cluster.news import SessionEnded
from escale.server.cluster.port import SingleProcess, Subscriber
from escale.server.edge.limits import Limits
from escale.store.bots import create_bot
from escale.store.notices import Notice
from tests.server.hosting import MOUSSE, OPEN, Hosted, SetClock, hosted, person
from tests.server.pages.test_pages import HOSTILE, read
from tests.server.tables.test_tables import SOUTH, two_people

TOKEN = "correct-horse-battery-staple"


class Admin:
    """The host in a browser without scripts."""

    def __init__(self, house: Hosted) -> None:
        self.client = httpx2.Client(base_url=house.url, headers={"accept-language": "en"})

    def log_in(self, token: str = TOKEN) -> httpx2.Response:
        return self.client.post("/admin/login", data={"token": token, "lang": "en"})

    def open(self, path: str = "") -> str:
        answer = self.client.get(f"/en/admin{path}")
        assert answer.status_code == 200, answer.text
        return answer.text

    def send(self, path: str, **fields: str) -> httpx2.Response:
        """Send a form as the page has it."""
        found = re.search(r'name="key" value="(\w+)"', self.open())
        assert found is not None
        return self.client.post(f"/admin{path}", data={"key": found[1], "lang": "en", **fields})


@pytest.fixture
def admin(house: Hosted) -> Iterator[Admin]:
    admin = Admin(house)
    yield admin
    admin.client.close()


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Hosted]:
    with hosted(tmp_path, admin_token=TOKEN, now=SetClock(), limits=Limits(login_burst=3)) as house:
        yield house


def test_without_a_token_there_is_no_such_page(tmp_path: Path) -> None:
    with hosted(tmp_path) as house:
        for path in ("/admin", "/en/admin", "/admin/tables/x"):
            assert house.client.get(path, follow_redirects=True).status_code == 404
        for path in ("/admin/login", "/admin/logout", "/admin/tables/x/delete"):
            assert house.client.post(path).status_code in (404, 405)
    with pytest.raises(BadOption, match="16 letters or more"):
        Sessions("short")


def test_only_who_knows_the_token_gets_in(admin: Admin) -> None:
    assert 'type="password"' in admin.open()
    assert 'type="password"' in admin.open("/tables/any")
    wrong = admin.log_in("guess")
    assert (wrong.status_code, "not the right token" in wrong.text) == (403, True)
    made = admin.log_in()
    assert made.status_code == 303
    cookie = made.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert TOKEN not in cookie
    assert 'type="password"' not in admin.open()
    assert admin.client.get("/en/admin").headers["cache-control"] == "no-store"
    assert admin.send("/logout").status_code == 303
    assert 'type="password"' in admin.open()


def test_wrong_attempts_are_limited_and_lock_nobody_out(admin: Admin) -> None:
    assert [admin.log_in("guess").status_code for _ in range(4)] == [403] * 3 + [429]
    assert "wait a minute" in admin.log_in("guess").text
    assert admin.log_in().status_code == 303


def test_a_copy_of_the_cookie_is_worth_nothing_after_the_logout(admin: Admin) -> None:
    admin.log_in()
    copy = dict(admin.client.cookies)
    assert copy
    admin.send("/logout")
    admin.client.cookies.update(copy)
    assert 'type="password"' in admin.open()


def test_a_session_ends_in_all_processes_and_in_those_that_start_later() -> None:
    class Both(SingleProcess):
        def __init__(self) -> None:
            self.heard: list[Subscriber] = []

        def announce(self, news: Notice) -> None:
            assert isinstance(news, SessionEnded)
            for subscriber in self.heard:
                subscriber(7, news)

        def subscribe(self, subscriber: Subscriber) -> None:
            self.heard.append(subscriber)

    now = [1_000_000.0]
    one, other, cluster = Sessions(TOKEN, lambda: now[0]), Sessions(TOKEN, lambda: now[0]), Both()
    one.share(cluster)
    other.share(cluster)
    cookie, still = one.begin(), one.begin()
    assert other.knows(cookie)
    other.end(cookie)
    assert [one.knows(cookie), other.knows(cookie), other.knows(still)] == [False, False, True]
    now[0] += 1
    late = Sessions(TOKEN, lambda: now[0])
    assert not late.knows(cookie)
    assert late.knows(one.begin())


def test_a_session_ends_and_cannot_be_made_up() -> None:
    now = [1_000_000.0]
    sessions = Sessions(TOKEN, lambda: now[0])
    cookie = sessions.begin()
    assert sessions.knows(cookie)
    until, *rest = cookie.split(".")
    for wrong in ("", "x", "..", f"{int(until) + 9}.{'.'.join(rest)}", cookie[:-1] + "é"):
        assert not sessions.knows(wrong)
    assert not Sessions(TOKEN + "!", lambda: now[0]).knows(cookie)
    assert sessions.form_key(cookie) != sessions.form_key(sessions.begin())
    now[0] += SESSION_SECONDS
    assert not sessions.knows(cookie)


def test_no_other_site_can_send_a_form(house: Hosted, admin: Admin) -> None:
    table = house.create("tortuga", person("Ana"), OPEN, **SOUTH)
    admin.log_in()
    path = f"/admin/tables/{table.id}/delete"
    assert admin.client.post(path, data={"sure": "yes"}).status_code == 403
    assert admin.client.post(path, data={"sure": "yes", "key": "0" * 64}).status_code == 403
    elsewhere = admin.client.post(path, data={"sure": "yes"},
                                 headers={"origin": "https://elsewhere.example"})
    assert elsewhere.status_code == 403
    assert table.get()["n"] >= 0


def test_tables_are_listed_searched_and_paged_through(house: Hosted, admin: Admin) -> None:
    create_bot(house.house.store.url, "Walker")
    house.create("canoe", person(HOSTILE[:24]), {"kind": "bot", "name": "Walker"})
    for number in range(27):
        house.create("tortuga", person(f"Ana {number}"), OPEN)
    admin.log_in()
    rows = re.compile(r'<th scope="row">')
    first = admin.open()
    read(first)                                         # well-formed, and nothing gets through
    assert "<script>alert" not in first
    assert len(rows.findall(first)) == 25
    assert "28 tables" in first
    assert "Page 1 of 2" in first
    assert len(rows.findall(admin.open("?page=2"))) == 3
    assert len(rows.findall(admin.open("?q=Ana+13"))) == 1
    assert len(rows.findall(admin.open("?q=canoe"))) == 1
    assert ", Walker (bot)" in admin.open("?q=canoe")
    assert len(rows.findall(admin.open("?state=over"))) == 0
    for strange in ("?page=0", "?page=-1", "?page=99999999999", "?state=x", "?q=%25&page=x"):
        admin.open(strange)
    french = admin.client.get("/admin", headers={"accept-language": "fr"})
    assert "Les tables" in french.text
    assert "Parties en cours" in french.text


def test_a_closed_table_can_be_looked_at_and_opened_again(house: Hosted, admin: Admin) -> None:
    clock: Any = house.house.now
    south, _ = two_people(house, public=True, clock={"initial": 60, "increment": 0})
    south.play(0, "d2-d3")
    admin.log_in()
    with south.live() as ear:
        ear.next("state")
        assert admin.send(f"/tables/{south.id}/close").status_code == 303
    assert "closed" in admin.open(f"/tables/{south.id}")
    state = south.get()
    assert (state["closed"], state["ply"]) == (True, 1)
    n = state["n"]
    refused = south.act("play", 1, status=409, n=n, move="d6-d5")
    assert refused["code"] == "closed"
    assert "host" in refused["message"]
    assert house.client.get("/api/tables").json() == []
    clock.now += 1_000_000                              # far more than the clock has
    house.run(house.house.tables[south.id].duties.look_at_clock())
    house.house.loop.call_soon_threadsafe(house.house.forget_table, house.house.tables[south.id])
    assert south.get()["outcome"] is None               # read again, it is still closed
    assert south.get()["closed"]
    admin.send(f"/tables/{south.id}/open")
    state = south.get()
    assert (state["closed"], state["outcome"]) == (False, None)
    assert state["clock"]["remaining"][1] > 50_000
    # The computer goes on by itself.
    table = house.create("tortuga", person("Ana"), MOUSSE, **SOUTH)
    admin.send(f"/tables/{table.id}/close")
    table.act("play", 0, status=409, n=table.get()["n"], move="d2-d3")
    admin.send(f"/tables/{table.id}/open")
    table.act("play", 0, n=table.get()["n"], move="d2-d3")
    table.wait_for(turn=0)


def test_a_muted_chat_says_so_to_those_who_try(house: Hosted, admin: Admin) -> None:
    south, north = two_people(house)
    south.act("say", 0, text="a word")
    admin.log_in()
    admin.send(f"/tables/{south.id}/mute")
    for table, seat in ((south, 0), (north, 1)):
        refused = table.act("say", seat, status=409, text="another")
        assert refused["code"] == "muted"
        assert refused["message"].startswith("The host of the house has closed the chat")
    south.act("play", 0, n=south.get()["n"], move="d2-d3")
    assert "chat closed" in admin.open(f"/tables/{south.id}")
    admin.send(f"/tables/{south.id}/unmute")
    south.act("say", 0, text="another")


def test_a_player_reports_a_table_and_the_host_settles_it(house: Hosted, admin: Admin) -> None:
    south, north = two_people(house)
    north.act("say", 1, text="a bad word")
    path = f"/api/tables/{south.id}/report"
    assert house.client.post(path, json={}).json()["code"] == "no-seat"    # no stranger can
    for _ in range(2):
        assert house.client.post(path, json={}, headers=south.headers).status_code == 202
    assert 'id="report" class="plain-button small">' in \
        house.client.get(f"/en/t/{south.id}").text
    admin.log_in()
    assert "/admin/tables/" + south.id in admin.open("?state=reported")
    assert "A player has reported this table" in admin.open(f"/tables/{south.id}")
    admin.send(f"/tables/{south.id}/settle")
    assert "/admin/tables/" + south.id not in admin.open("?state=reported")
    assert "A player has reported" not in admin.open(f"/tables/{south.id}")


def test_a_deleted_table_is_gone_also_one_that_is_damaged(
    house: Hosted, admin: Admin, tmp_path: Path
) -> None:
    south, _ = two_people(house)
    south.act("say", 0, text="Nobody-reads-this-again")
    spoilt, _ = two_people(house)
    with closing(sqlite3.connect(tmp_path / "house.sqlite3")) as file, file:
        file.execute("UPDATE events SET entry = 'garbage' WHERE table_id = ?", (spoilt.id,))
    house.house.loop.call_soon_threadsafe(house.house.forget_table, house.house.tables[spoilt.id])
    assert house.client.get(f"/api/tables/{spoilt.id}").json()["code"] == "damaged"
    admin.log_in()
    unsure = admin.send(f"/tables/{south.id}/delete")
    assert (unsure.status_code, "nothing was deleted" in unsure.text) == (422, True)
    with south.live() as ear:
        ear.next("state")
        assert admin.send(f"/tables/{south.id}/delete", sure="yes").status_code == 303
    assert admin.send(f"/tables/{spoilt.id}/delete", sure="yes").status_code == 303
    for table in (south, spoilt):
        answer = house.client.get(f"/en/t/{table.id}")
        assert answer.status_code == 404
        assert "the table has been deleted" in answer.text
        assert admin.client.get(f"/en/admin/tables/{table.id}").status_code == 404
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"Nobody-reads-this-again" not in kept


def test_a_plot_shows_values_gaps_and_their_height() -> None:
    drawing, most = lines([[0, 4, None, 2], [8]], room=5)
    assert most == 8
    root = ET.fromstring(drawing)
    paths = [(path.get("class"), path.get("d")) for path in root]
    step = WIDTH / 4
    assert paths[1:] == [
        ("line-0", f"M{step:.1f} {HEIGHT:.1f}L{2 * step:.1f} {HEIGHT - 30:.1f}"),
        ("line-0", "M240.0 49.0L240.0 49.0"), ("line-1", "M240.0 4.0L240.0 4.0"),
    ]
    assert lines([[]], room=5)[1] == 0
