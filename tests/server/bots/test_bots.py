"""Bot accounts: one token, many seats, one stream; by the bot of docs/bots.md, too."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed

from escale.cli import main
from escale.server.bots import accounts
from escale.server.bots.accounts import Bots
from escale.server.cluster.port import SingleProcess
from escale.server.edge.limits import Limits
from escale.server.tables.names import fingerprint
from escale.store import Bot, bots
from escale.store.backup import back_up, restore
from escale.store.bots import PREFIX, create_bot, list_bots, remove_bot
from escale.store.database import database_url, open_database
from escale.store.errors import StoreError
from tests.server.hosting import MOUSSE, OPEN, Hosted, Table, hosted, person
from tests.sizes import PATIENCE_SECONDS

PAGE = (Path(__file__).parents[3] / "docs/bots.md").read_text("utf-8")
FREE = Limits(tables=1e9, table_burst=10**9, requests=1e9, request_burst=10**9)
SOUTH = {"first": "south"}


def bot(name: str) -> dict[str, str]:
    return {"kind": "bot", "name": name}


class Stream:
    """A bot's stream, read in a thread."""

    def __init__(self, url: str, token: str) -> None:
        self.heard: list[dict[str, Any]] = []
        self._news = threading.Condition()
        self._client = httpx2.Client(base_url=url, timeout=PATIENCE_SECONDS)
        self._token = token
        self.status = 0
        threading.Thread(target=self._read, daemon=True).start()
        self.next("hello")

    def _read(self) -> None:
        headers = {"authorization": f"Bearer {self._token}"}
        try:
            with self._client.stream("GET", "/api/bots/me/events", headers=headers) as answer:
                for line in answer.iter_lines():
                    if line.strip():
                        with self._news:
                            self.heard.append(json.loads(line))
                            self._news.notify_all()
        except httpx2.HTTPError:
            return

    def next(self, kind: str, seconds: float = PATIENCE_SECONDS, **wanted: Any) -> dict[str, Any]:
        """The next line of a type, and with these fields; it is taken out."""
        until = time.monotonic() + seconds
        with self._news:
            while True:
                for line in self.heard:
                    if line["type"] == kind and wanted.items() <= line.items():
                        self.heard.remove(line)
                        return line
                assert self._news.wait(until - time.monotonic()), (kind, wanted, self.heard)

    def close(self) -> None:
        self._client.close()


@contextmanager
def following(url: str, token: str) -> Iterator[Stream]:
    stream = Stream(url, token)
    try:
        yield stream
    finally:
        stream.close()


async def until(true: Callable[[], bool]) -> None:
    for _ in range(100 * PATIENCE_SECONDS):
        if true():
            return
        await asyncio.sleep(0.01)
    raise AssertionError("it never was")


def database(folder: Path) -> str:
    return str(folder / "house.sqlite3")


def test_the_host_makes_and_removes_accounts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> tuple[object, str]:
        with pytest.raises(SystemExit) as done:
            main(["bot", *words, "--database", database(tmp_path)])
        return done.value.code, capsys.readouterr().out.strip()

    assert run("create", "Random Walker")[0] == 2           # there is no database
    open_database(database_url(database(tmp_path))).dispose()
    code, token = run("create", "Random Walker")
    assert code == 0
    assert re.fullmatch(r"bot-[\w-]{32}", token)
    assert run("create", "Random Walker")[0] == 2
    assert run("create", "a\u202eb")[0] == 2
    assert run("create", " ")[0] == 2
    assert run("create", "Other", "--games", "chess")[0] == 2
    assert run("create", "Canoer", "--about", "Paddles.", "--games", "canoe, tortuga")[0] == 0
    assert run("show")[1].splitlines()[0].endswith("  Canoer  canoe,tortuga  Paddles.")
    assert run("remove", "Canoer")[0] == 0
    assert run("show")[1].endswith("Random Walker")
    assert token not in Path(database(tmp_path)).read_bytes().decode("latin-1")
    assert run("remove", "Random Walker")[0] == 0
    assert run("remove", "Random Walker")[0] == 2
    assert list_bots(database_url(database(tmp_path))) == []


def test_a_bot_is_challenged_accepts_declines_and_plays(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=FREE) as house:
        url = database_url(database(tmp_path))
        token, rival = create_bot(url, "Walker"), create_bot(url, "Rival")
        names = [one["name"] for one in house.client.get("/api/bots").json()]
        assert names == ["Rival", "Walker"]
        refused = house.client.get("/api/bots/me", headers={"authorization": "Bearer bot-x"})
        assert (refused.status_code, refused.json()["code"]) == (401, "no-bot")
        assert house.client.get("/api/bots/me/events").status_code == 401

        with following(house.url, token) as stream:
            table = house.create("tortuga", person("Ana"), bot("Walker"), options=SOUTH)
            asked = stream.next("challenge", table=table.id)
            assert asked["seats"] == [1]
            assert asked["names"] == ["Ana", "Walker"]
            assert asked["options"]["first"] == "south"
            assert table.get()["seats"][1]["awaited"]
            assert not table.get()["begun"]
            table.act("sit", 1, 403)                    # nobody else accepts
            refused = house.client.post(f"/api/tables/{table.id}/seats/1", json={"name": "Eve"})
            assert refused.json()["code"] == "seat-taken"
            mine = table.holding(token)
            mine.act("sit", 1)
            stream.next("events", table=table.id)
            assert table.get()["seats"][1]["name"] == "Walker"
            table.play(0, "d2-d3")
            turn = stream.next("turn", table=table.id)
            assert turn["seat"] == 1
            table.act("say", 0, text="good luck")
            mine.play(1, "d6-d5")
            table.play(0, "d3-d4")
            again = stream.next("turn", table=table.id)
            assert again["n"] > turn["n"] + 2           # one turn is told once, whatever is said
            assert [line for line in stream.heard if line["type"] == "turn"] == []
            table.act("offer", 0, what="takeback")
            mine.act("answer", 1, yes=True)
            table.play(0, "d3-d4")
            stream.next("turn", table=table.id)

            # Several seats of one token, also by joining and by being asked twice.
            both = house.create("canyon-1997", person("Ana"), bot("Walker"), OPEN)
            stream.next("challenge", table=both.id, seats=[1])
            for seat in (1, 2):
                answer = house.client.post(
                    f"/api/tables/{both.id}/seats/{seat}", json={"name": "Somebody"},
                    headers={"authorization": f"Bearer {token}"},
                )
                assert answer.json() == {"token": token}
            stream.next("table", table=both.id, seats=[1, 2])
            assert [seat["name"] for seat in both.get()["seats"]][1:] == ["Walker", "Walker"]

            # Declined, the seat is free for all, and the bot's no longer.
            third = house.create("tortuga", person("Ana"), bot("Walker"))
            n = stream.next("challenge", table=third.id)["n"]
            third.holding(token).act("decline", 1, 400, n=n, reason="whim")
            third.holding(token).act("decline", 1, n=n, reason="clock")
            left = third.get()["seats"][1]
            assert (left["status"], left["name"], "bot" in left) == ("open", "", False)
            third.holding(token).act("sit", 1, 401)
            assert third.get()["log"][-1]["sentence"] == \
                "Walker declines, as this clock does not suit it: the seat North is open."
            third.sit(1, name="Eve").act("decline", 1, 409, id="too late")
            stream.next("events", table=third.id)
            house.run(until(lambda: third.id not in house.app.state.bots._streams[0]._followed))

            # Bots challenge, too: each other, and the computer.
            body = {"game": "tortuga", "seats": [person("ignored"), bot("Rival")],
                    "options": SOUTH}
            made = house.client.post(
                "/api/tables", json=body, headers={"authorization": f"Bearer {token}"}
            ).json()
            assert made["token"] == token
            stream.next("table", table=made["table"], begun=False)
            with following(house.url, rival) as other:
                other.next("challenge", table=made["table"])
                Table(house, made["table"], rival).act("sit", 1)
                stream.next("turn", table=made["table"])
                assert house.client.get(
                    "/api/bots/me", headers={"authorization": f"Bearer {rival}"}
                ).json() == {
                    "name": "Rival", "about": "", "games": [], "tables": [made["table"]],
                }

            unknown = {"game": "tortuga", "seats": [person(), bot("Nobody")]}
            assert house.client.post("/api/tables", json=unknown).status_code == 422

        # A bot that comes back is sent everything that waits.
        with following(house.url, token) as stream:
            assert stream.next("turn", table=table.id)["seat"] == 1
            stream.next("turn", table=made["table"])
            mine.act("resign", 1)
            ended = stream.next("events", table=table.id)
            assert any(event["do"] == "end" for event in ended["events"])
            table.act("offer", 0, what="rematch")
            mine.act("answer", 1, yes=True)
            rematch = stream.next("turn", seat=0)["table"]      # the seats have changed
            assert table.wait_for(next=rematch)



def test_a_bot_is_told_from_persons_everywhere(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=FREE) as house:
        token = create_bot(database_url(database(tmp_path)), "Walker")
        bearer = {"authorization": f"Bearer {token}"}
        table = house.create("tortuga", person("Ana"), bot("Walker"), options=SOUTH)
        mine = table.holding(token)
        assert [seat.get("bot") for seat in table.get()["seats"]] == [None, True]
        mine.act("sit", 1)
        assert table.get()["log"][0]["sentence"] == "The bot Walker sits down as North."
        mine.act("say", 1, text="hello")
        assert table.get()["log"][-1]["sentence"] == "Walker (bot): hello"
        mine.act("rename", 1, 409, name="Ana")              # it stays what it is
        mine.act("hand", 1, level="mousse")
        assert "bot" not in table.get()["seats"][1]         # now the computer plays
        mine.act("take", 1)
        assert table.get()["seats"][1]["bot"]
        told = house.client.get(f"/en/t/{table.id}").text
        assert "Ana – Walker (bot)" in told
        assert "Walker (robot)" in house.client.get(f"/t/{table.id}/score?lang=fr", headers={
            "accept-language": "fr"}).text
        table.act("resign", 0)
        table.act("offer", 0, what="rematch")
        mine.act("answer", 1, yes=True)
        while not (where := table.get()["next"]):
            table.get("/events", since=table.get()["n"], wait=1)
        rematch = Table(house, where, None)
        assert [seat.get("bot") for seat in rematch.get()["seats"]] == [True, None]

        # A client that opens a table, or joins one, with a bot's token is a bot there; no other is.
        made = house.client.post("/api/tables", headers=bearer, json={
            "game": "canyon-1997", "seats": [person("Ana"), OPEN, OPEN]}).json()
        joined = Table(house, made["table"], None)
        house.client.post(f"/api/tables/{joined.id}/seats/1", json={}, headers=bearer)
        joined.sit(2, name="Walker")
        assert [seat.get("bot") for seat in joined.get()["seats"]] == [True, True, None]


def test_a_challenge_that_is_not_answered_is_withdrawn(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=FREE) as house:
        token = create_bot(database_url(database(tmp_path)), "Walker")
        with following(house.url, token) as stream:
            clock = {"initial": 60, "increment": 0}
            table = house.create(
                "tortuga", {**person("Ana"), "later": True}, bot("Walker"), clock=clock
            )
            stream.next("challenge", table=table.id)
            assert table.get()["seats"][1]["present"]       # it listens, and says nothing
            table.act("hand", 1, 403)
            table.act("withdraw", 0, 409, whom=0)
            table.act("withdraw", 0, 409, whom=5)
            table.holding(None).act("withdraw", 0, 401, whom=1)
            done = {"do": "withdraw", "seat": 0, "id": "once", "whom": 1}
            address = f"/api/tables/{table.id}/events"
            numbers = [house.client.post(address, json=done, headers=table.headers).json()
                       for _ in range(2)]
            assert numbers[0] == numbers[1] == {"n": 1}     # sent twice, done once
            assert table.get()["log"][-1]["sentence"] == \
                "Ana withdraws the challenge to Walker: the seat is open."
            table.holding(token).act("sit", 1, 401)
            table.act("hand", 1, level="mousse")
            assert table.get()["seats"][1]["status"] == "computer"


def test_strangers_cannot_fill_a_bots_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accounts, "TABLES_PER_BOT", 5)
    monkeypatch.setattr(accounts, "TABLES_PER_ADDRESS", 3)
    with hosted(tmp_path, limits=FREE, trusted_proxies=("127.0.0.1",)) as house:
        token = create_bot(database_url(database(tmp_path)), "Walker")
        order = {"game": "tortuga", "seats": [person("Ana"), bot("Walker")], "options": SOUTH}
        made: list[Table] = []

        def challenge(address: str) -> int:
            answer = house.client.post("/api/tables", json=order,
                                       headers={"x-forwarded-for": address})
            if answer.status_code == 201:
                made.append(Table(house, answer.json()["table"], answer.json()["token"]))
            return answer.status_code

        assert [challenge("192.0.2.1") for _ in range(5)] == [201] * 3 + [429] * 2
        assert [challenge("192.0.2.2") for _ in range(3)] == [201] * 2 + [429]
        made[0].holding(token).act("decline", 1)
        assert [challenge("192.0.2.1"), challenge("192.0.2.2")] == [201, 429]
        made[1].holding(token).act("sit", 1)
        # What the bot does not answer is forgotten; where it plays, it still has a seat.
        monkeypatch.setattr(bots, "WAITING_MILLISECONDS", -60_000)
        facts = house.client.get("/api/bots/me", headers={"authorization": f"Bearer {token}"})
        assert facts.json()["tables"] == [made[1].id]
        assert challenge("192.0.2.1") == 201


def test_bots_say_what_they_are_and_how_they_have_done(tmp_path: Path) -> None:
    with hosted(tmp_path, limits=FREE) as house:
        url = database_url(database(tmp_path))
        token = create_bot(url, "Walker", about="Walks at random.", games=["tortuga"])
        bearer = {"authorization": f"Bearer {token}"}
        [listed] = house.client.get("/api/bots").json()
        assert listed == {
            "name": "Walker", "about": "Walks at random.", "games": ["tortuga"],
            "listening": False, "won": 0, "drawn": 0, "lost": 0,
        }
        asked = {"game": "canoe", "seats": [person(), bot("Walker")]}
        refused = house.client.post("/api/tables", json=asked)
        assert refused.json()["message"] == "The bot “Walker” does not play this game."
        for wrong in ({"games": ["chess"]}, {"about": "a\u202eb"}, {"about": "x" * 201}, {"n": 1}):
            assert house.client.post(
                "/api/bots/me", json=wrong, headers=bearer
            ).status_code in (400, 404, 422)
        assert house.client.post("/api/bots/me", json={"about": "x"}).status_code == 401
        said = house.client.post("/api/bots/me", json={"games": []}, headers=bearer).json()
        assert said == {"name": "Walker", "about": "Walks at random.", "games": [], "tables": []}
        assert house.client.post("/api/tables", json=asked).status_code == 201
        with following(house.url, token):
            assert house.client.get("/api/bots").json()[0]["listening"]
        house.run(until(lambda: not house.app.state.bots._streams))
        assert not house.client.get("/api/bots").json()[0]["listening"]

        # Games that count: those in which both have moved, against another player.
        def begin(*seats: dict[str, Any]) -> Table:
            table = house.create("tortuga", *seats, options=SOUTH)
            table.holding(token).act("sit", 1)
            return table

        begin(person("Ana"), bot("Walker")).act("resign", 0)
        for loser in (0, 1, 1):
            table = begin(person("Ana"), bot("Walker"))
            table.play(0, "d2-d3")
            table.holding(token).play(1, "d6-d5")
            (table.holding(token) if loser else table).act("resign", loser)
        table = begin(person("Ana"), bot("Walker"))
        table.play(0, "d2-d3")
        table.holding(token).play(1, "d6-d5")
        table.act("offer", 0, what="draw")
        table.holding(token).act("answer", 1, yes=True)
        house.app.state.bots._read_at = -1e9
        listed = house.client.get("/api/bots").json()[0]
        assert [listed[name] for name in ("won", "drawn", "lost")] == [1, 1, 2]
        back_up(url, tmp_path / "backup")
    copy = database_url(str(tmp_path / "copy.sqlite3"))
    restore(copy, tmp_path / "backup")
    [kept] = list_bots(copy)
    assert (kept.about, kept.games, kept.won, kept.drawn, kept.lost) == (
        "Walks at random.", (), 1, 1, 2
    )


def test_a_removed_bot_is_nobody_at_once(tmp_path: Path) -> None:
    """While the house is open, though another program removes it, and though nobody asks."""
    with hosted(tmp_path, limits=FREE) as house:
        url = database_url(database(tmp_path))
        token = create_bot(url, "Walker")
        bearer = {"authorization": f"Bearer {token}"}
        table = house.create("canyon-1997", person("Ana"), bot("Walker"), OPEN)
        mine = table.holding(token)
        mine.act("sit", 1)
        with following(house.url, token), mine.live() as ear:
            assert ear.next("state")["you"]["seats"] == [1]
            remove_bot(url, "Walker")
            house.run(until(lambda: not house.app.state.bots._streams))
            with pytest.raises(ConnectionClosed):           # asked to come back
                ear.next("never")
        with mine.live() as ear:
            assert ear.next("state")["you"]["seats"] == []
        mine.act("say", 1, 401, text="I am still here")
        assert house.client.get("/api/bots/me", headers=bearer).status_code == 401
        assert house.client.get("/api/bots/me/events", headers=bearer).status_code == 401
        assert house.client.get("/api/bots").json() == []
        seat = table.get()["seats"][1]
        assert (seat["name"], seat["bot"]) == ("Walker", True)      # what was, stays told


def test_a_bot_has_limits_of_its_own(tmp_path: Path) -> None:
    few = Limits(request_burst=20, requests=0.001, bot_request_burst=60, bot_requests=0.001,
                 bot_table_burst=3, bot_tables=0.001)
    with hosted(tmp_path, limits=few) as house:
        token = create_bot(database_url(database(tmp_path)), "Walker")
        headers = {"authorization": f"Bearer {token}"}
        for _ in range(21):
            last = house.client.get("/api/bots/me", headers=headers)
        assert last.status_code == 200                  # only the first counted for the address
        body = {"game": "tortuga", "seats": [person(), MOUSSE]}
        made = [house.client.post("/api/tables", json=body, headers=headers).status_code
                for _ in range(4)]
        assert made == [201, 201, 201, 429]
        asked = [house.client.get("/api/bots/me", headers=headers).status_code for _ in range(60)]
        assert asked.count(429) >= 20
        assert house.client.get("/api/bots").status_code == 200


def test_twenty_tables_on_one_stream(tmp_path: Path) -> None:
    """The bot of the documentation, exactly as it stands there."""
    [code] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(code.splitlines()) <= 40
    (tmp_path / "bot.py").write_text(code, "utf-8")
    with hosted(tmp_path, limits=FREE) as house:
        token = create_bot(database_url(database(tmp_path)), "Walker")
        program = subprocess.Popen(
            [sys.executable, str(tmp_path / "bot.py"), house.url, token],
            stderr=subprocess.PIPE, text=True,
        )
        try:
            play_out(house)
        finally:
            program.kill()
            _, told = program.communicate()
        assert told == ""


def play_out(house: Hosted) -> None:
    """Twenty games against the bot, a few moves in each; then one to its end."""
    tables = [
        house.create("tortuga", *(person("Ana"), bot("Walker"))[:: 1 if number % 2 else -1],
                     options=SOUTH)
        for number in range(20)
    ]
    for table, number in zip(tables, range(20), strict=True):
        table.wait_for(turn=0 if number % 2 else 1)
    for _ in range(3):
        for number, table in enumerate(tables):
            seat = 0 if number % 2 else 1
            table.wait_for(turn=seat)
            table.play(seat, table.get("/moves")["moves"][0]["text"])
    last = tables[0]
    while not (here := last.get("/moves"))["over"]:
        if here["moves"]:
            last.play(1, here["moves"][0]["text"])
        else:
            last.get("/events", since=here["n"], wait=5)
    for number, table in enumerate(tables[1:], 1):
        assert table.wait_for(turn=0 if number % 2 else 1)["moves"] >= 6


def test_every_type_of_line_is_documented() -> None:
    source = (Path(__file__).parents[3] / "src/escale/server/bots/accounts.py").read_text("utf-8")
    kinds = set(re.findall(r'_say\("(\w+)"', source)) | {"hello", "events"}
    assert kinds == set(re.findall(r"^\| `(\w+)` \| `", PAGE, re.MULTILINE))


def test_a_name_is_taken_once(tmp_path: Path) -> None:
    url = database_url(database(tmp_path))
    create_bot(url, "Walker")
    with pytest.raises(StoreError, match="already"):
        create_bot(url, "Walker")


def test_a_backup_has_the_accounts(tmp_path: Path) -> None:
    url, copy = (database_url(str(tmp_path / name)) for name in ("house.sqlite3", "copy.sqlite3"))
    create_bot(url, "Walker")
    back_up(url, tmp_path / "backup")
    restore(copy, tmp_path / "backup")
    assert list_bots(copy) == list_bots(url) != []


def test_who_asks_while_the_accounts_are_read_is_not_unknown() -> None:
    token = f"{PREFIX}secret"

    class SlowStore:
        async def bots(self) -> list[Bot]:
            await asyncio.sleep(0.05)
            return [Bot("Walker", fingerprint(token), 0)]

    async def ask() -> tuple[Bot | None, Bot | None]:
        bots = Bots(cast(Any, SimpleNamespace(
            store=SlowStore(), cluster=SingleProcess(), tables={}, table=None, now=lambda: 0,
            register_accounts=lambda accounts: None,
        )))
        return await asyncio.gather(bots.named("Walker"), bots.of(token))

    assert [bot and bot.name for bot in asyncio.run(ask())] == ["Walker", "Walker"]
