"""Notebooks: they hold seats, open on other devices, and can be erased."""

from __future__ import annotations

import json
import re
import sqlite3
import zipfile
from collections.abc import Iterator
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from escale.match.verify import Verdict, verify
from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.people import notebooks
from escale.server.people.notebooks import CODE_LETTERS, Lesson, Progress, Puzzles
from escale.server.settings import Settings
from escale.server.tables import seat_tokens
from escale.store import notebooks as stored
from escale.store.housekeeping import Housekeeping
from escale.store.notebooks import NotebookStore
from tests.server.hosting import MOUSSE, OPEN, person

HERE = "http://localhost"
FORM = {"content-type": "application/x-www-form-urlencoded"}
PERSONS = [person("Zénobie"), person("Ulysse")]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("house") / "escale.db"


@pytest.fixture(scope="module")
def house(database: Path) -> Iterator[TestClient]:
    settings = Settings(database=f"sqlite:///{database}", workers=1, limits=Limits.none())
    with TestClient(create_app(settings), HERE, follow_redirects=False) as client:
        yield client


def device(house: TestClient) -> TestClient:
    """Another browser, which has no cookies yet."""
    client = TestClient(
        house.app, HERE, follow_redirects=False, headers={"accept-language": "en"}
    )
    client.portal = house.portal                    # one event loop, as the house has
    return client


def create(client: TestClient, *seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    order = {"game": "tortuga", "seats": list(seats or PERSONS), **more}
    answer = client.post("/api/tables", json=order)
    assert answer.status_code == 201, answer.text
    return dict(answer.json())


def keep(client: TestClient, table: dict[str, Any]) -> None:
    answer = client.post(
        "/api/notebook/seats", json={"table": table["table"], "token": table["token"]}
    )
    assert answer.status_code == 200, answer.text


def seats(client: TestClient, table: dict[str, Any]) -> list[int]:
    return list(client.get(f"/api/tables/{table['table']}").json()["you"]["seats"])


def act(client: TestClient, table: dict[str, Any], do: str, seat: int, **more: Any) -> None:
    state = client.get(f"/api/tables/{table['table']}").json()
    body = {"do": do, "seat": seat, "id": f"{do}-{state['n']}", **more}
    answer = client.post(f"/api/tables/{table['table']}/events", json=body)
    assert answer.status_code == 200, answer.text


def opening(client: TestClient) -> tuple[str, str]:
    """The code and the secret of the link that the page of the notebook shows."""
    page = client.post("/notebook", data={"do": "add"})
    assert page.status_code == 200
    assert page.headers["cache-control"] == "no-store"
    code = re.search(r'class="spoken"[^>]*>([^<]+)<', page.text)
    link = re.search(r'/open#([\w-]+)"', page.text)
    assert code is not None
    assert link is not None
    return code[1], link[1]


def use(client: TestClient, code: str) -> int:
    return client.post("/open", data={"code": code}).status_code


# ---- seats ----


def test_a_notebook_makes_itself_and_holds_a_seat(house: TestClient) -> None:
    ana = device(house)
    table = create(ana)
    assert not ana.cookies                          # programs get no cookie
    keep(ana, table)
    assert seats(ana, table) == [0, 1]              # without the token
    assert seats(device(house), table) == []
    cookie = ana.post("/api/notebook", json={}).headers.get("set-cookie", "")
    assert cookie == ""                             # it is not renewed with every request
    act(ana, table, "say", 0, text="hello")


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(house: TestClient) -> None:
    ana = device(house)
    cookie = ana.post("/api/notebook", json={"name": "Ana"}).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie                   # http on a local network
    answer = ana.post("/api/notebook", json={}, headers={
        "origin": "https://elsewhere.example", "sec-fetch-site": "cross-site",
    })
    assert answer.status_code == 403


def test_only_hashes_of_secrets_are_in_the_database(house: TestClient, database: Path) -> None:
    ana = device(house)
    keep(ana, create(ana))
    code, link = opening(ana)
    secrets = [*ana.cookies.values(), code.replace(" ", ""), link]
    with closing(sqlite3.connect(database)) as connection:
        dump = "\n".join(connection.iterdump())
    assert all(secret not in dump for secret in secrets)
    assert len(re.findall(r'INSERT INTO "?devices"?', dump)) >= 1


def test_what_is_in_the_database_is_no_token(house: TestClient, database: Path) -> None:
    ana = device(house)
    table = create(ana)
    keep(ana, table)
    with closing(sqlite3.connect(database)) as connection:
        rows = connection.execute("SELECT id, holder FROM notebooks").fetchall()
    stranger = device(house)
    for id, holder in rows:
        for token in (id, holder, f"notebook:{id}"):
            answer = stranger.get(
                f"/api/tables/{table['table']}", headers={"authorization": f"Bearer {token}"}
            )
            assert answer.json()["you"]["seats"] == []
            answer = stranger.post(
                "/api/notebook/seats", json={"table": table["table"], "token": token}
            )
            assert answer.status_code == 401


def test_a_rematch_is_held_by_the_notebook_too(house: TestClient) -> None:
    ana = device(house)
    table = create(ana, person("Ana"), MOUSSE)
    keep(ana, table)
    act(ana, table, "resign", 0)
    act(ana, table, "offer", 0, what="rematch")
    address = f"/api/tables/{table['table']}"
    state = ana.get(address).json()
    for _ in range(20):
        if state["next"] is not None:
            break
        ana.get(f"{address}/events?since={state['n']}&wait=5")
        state = ana.get(address).json()
    assert seats(ana, {"table": state["next"]}) == [1]


def test_the_notebook_of_one_house_is_nothing_in_another(
    house: TestClient, tmp_path: Path
) -> None:
    ana = device(house)
    keep(ana, create(ana))
    settings = Settings(database=f"sqlite:///{tmp_path}/other.db", limits=Limits.none())
    with TestClient(create_app(settings), HERE, follow_redirects=False) as other:
        other.cookies.update(ana.cookies)
        assert other.get("/api/notebook/games").json()["games"] == []
        other.post("/api/notebook", json={"name": "Ana"})
        assert len(other.cookies) == 2              # neither house overwrites the other's


def test_a_seat_is_shared_by_a_limited_number_of_notebooks(
    house: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seat_tokens, "MOST_HOLDERS", 3)
    table = create(house)
    answers = [
        device(house).post(
            "/api/notebook/seats", json={"table": table["table"], "token": table["token"]}
        ).status_code for _ in range(4)
    ]
    assert answers == [200, 200, 429, 429]


# ---- devices ----


def test_a_second_device_opens_it_by_the_code_once(house: TestClient) -> None:
    ana, phone, stranger = device(house), device(house), device(house)
    table = create(ana)
    keep(ana, table)
    code, _ = opening(ana)
    assert len(code.replace(" ", "")) == CODE_LETTERS
    assert use(phone, f" {code.lower()} ") == 303
    assert seats(phone, table) == [0, 1]
    assert use(stranger, code) == 404
    assert seats(stranger, table) == []


def test_a_link_opens_it_and_voids_the_code(house: TestClient) -> None:
    ana, phone = device(house), device(house)
    table = create(ana)
    keep(ana, table)
    code, link = opening(ana)
    assert use(phone, link) == 303
    assert seats(phone, table) == [0, 1]
    assert use(device(house), code) == 404


def test_a_code_is_void_after_ten_minutes_and_after_the_next_one(tmp_path: Path) -> None:
    time = [1_000_000_000_000]
    settings = Settings(database=f"sqlite:///{tmp_path}/escale.db", limits=Limits.none())
    app = create_app(settings, now=lambda: time[0])
    with TestClient(app, HERE, follow_redirects=False) as house:
        ana = device(house)
        keep(ana, create(ana))
        earlier, _ = opening(ana)
        code, _ = opening(ana)
        assert use(device(house), earlier) == 404
        time[0] += 11 * 60_000
        assert use(device(house), code) == 404


def test_guesses_are_few(tmp_path: Path) -> None:
    settings = Settings(database=f"sqlite:///{tmp_path}/escale.db")
    with TestClient(create_app(settings), HERE, follow_redirects=False) as house:
        answers = [use(device(house), f"AAAA{one:02}") for one in range(12)]
        assert answers[:10] == [404] * 10
        assert answers[-1] == 429


def test_a_device_can_be_signed_out_from_another(house: TestClient) -> None:
    ana, phone = device(house), device(house)
    table = create(ana)
    keep(ana, table)
    use(phone, opening(ana)[0])
    shown = re.findall(r'name="device" value="(\w+)"', ana.get("/en/notebook").text)
    assert len(shown) == 2
    theirs = re.search(
        r'name="device" value="(\w+)"', phone.get("/en/notebook").text.split("(this one)")[1]
    )
    assert theirs is not None
    with phone.websocket_connect(f"ws://localhost/api/tables/{table['table']}/live") as socket:
        socket.send_json({"do": "hello"})
        assert socket.receive_json()["you"]["seats"] == [0, 1]
        assert ana.post(
            "/notebook", data={"do": "sign-out", "device": theirs[1]}
        ).status_code == 303
        kinds = [socket.receive()["type"]]
        while kinds[-1] != "websocket.close":       # and comes back as a spectator
            kinds.append(socket.receive()["type"])
    assert seats(phone, table) == []
    assert seats(ana, table) == [0, 1]


def test_what_a_device_had_already_goes_into_the_notebook_it_opens(house: TestClient) -> None:
    ana, phone = device(house), device(house)
    here, there = create(ana), create(phone)
    keep(ana, here)
    keep(phone, there)
    phone.post("/api/notebook", json={
        "puzzles": {"solved": {"tortuga/1": 5}, "run": 1, "best": 3},
        "lessons": {"tortuga": {"at": "b", "done": ["a"], "of": 3}},
    })
    assert use(phone, opening(ana)[0]) == 303
    for one in (ana, phone):
        assert seats(one, here) == seats(one, there) == [0, 1]
        progress = one.get("/api/notebook").json()["progress"]
        assert progress["puzzles"] == {"solved": {"tortuga/1": 5}, "run": 1, "best": 3}
        assert progress["lessons"]["tortuga"]["done"] == ["a"]


def test_progress_of_two_devices_is_joined_and_nothing_is_lost() -> None:
    one = Progress(Puzzles({"a": 1, "b": 9}, 2, 5), {"canoe": Lesson("x", ["u"], 4)})
    both = one.joined(Puzzles({"c": 4}, 7, 7), {"canoe": Lesson("y", ["v"], 4)})
    assert both.puzzles == Puzzles({"c": 4, "a": 1, "b": 9}, 2, 7)
    assert both.lessons["canoe"] == Lesson("y", ["u", "v"], 4)


# ---- my games ----


def test_my_games_say_what_waits_what_goes_on_and_how_it_ended(house: TestClient) -> None:
    ana, ulysse = device(house), device(house)
    waiting = create(ana, {"kind": "person", "name": "Ana"}, OPEN)
    sat = ulysse.post(f"/api/tables/{waiting['table']}/seats/1", json={"name": "Ulysse"}).json()
    keep(ana, waiting)
    keep(ulysse, {"table": waiting["table"], "token": sat["token"]})
    lost = create(ana, person("Ana"), MOUSSE, game="canoe")
    keep(ana, lost)
    act(ana, lost, "resign", 0)
    found = ana.get("/api/notebook/games", headers={"accept-language": "en"}).json()
    turn = ana.get(f"/api/tables/{waiting['table']}").json()["turn"]
    mine, theirs = (ana, ulysse) if turn == 0 else (ulysse, ana)
    assert [game["table"] for game in found["games"]] == [waiting["table"]]
    assert mine.get("/api/notebook/games").json()["waiting"] == 1
    assert theirs.get("/api/notebook/games").json()["waiting"] == 0
    page = ana.get("/en/mine").text
    assert "with Ulysse" in page
    assert re.search(
        r'class="my-table lost".*?<span class="status">you lost</span>', page, re.DOTALL
    )
    assert mine.get("/en/mine/next").headers["location"] == f"/en/t/{waiting['table']}"
    assert theirs.get("/en/mine/next").headers["location"] == "/en/mine"
    # Filters and search.
    assert waiting["table"] not in ana.get("/en/mine?game=canoe").text
    assert lost["table"] in ana.get("/en/mine?game=canoe").text
    assert waiting["table"] in ana.get("/en/mine?q=ulysse").text
    assert lost["table"] not in ana.get("/en/mine?q=ulysse").text
    assert waiting["table"] not in ana.get("/en/mine?show=over").text
    # Off the list, and on it again.
    ana.post("/mine/list", data={"table": lost["table"]})
    assert f"/t/{lost['table']}" not in ana.get("/en/mine").text
    ana.post("/mine/list", data={"table": lost["table"], "listed": "yes"})
    assert f"/t/{lost['table']}" in ana.get("/en/mine").text
    # All of them in a file.
    answer = ana.get("/mine/transcripts.zip")
    with zipfile.ZipFile(BytesIO(answer.content)) as packed:
        assert set(packed.namelist()) == {
            f"tortuga-{waiting['table']}.jsonl", f"canoe-{lost['table']}.jsonl",
        }
        for name in packed.namelist():
            findings = verify(packed.read(name).decode())
            assert all(one.verdict is not Verdict.WRONG for one in findings)


def test_lists_are_read_in_turn_and_searches_end(
    house: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = device(house)
    tables = [create(ana), create(ana)]
    for table in tables:
        keep(ana, table)
    found = [table["table"] in ana.get("/en/mine?q=ulysse").text for table in tables]
    assert found == [True, True]
    monkeypatch.setattr(stored, "SEARCHED_TABLES", 1)
    found = [table["table"] in ana.get("/en/mine?q=ulysse").text for table in tables]
    assert sum(found) == 1
    assert all(table["table"] in ana.get("/en/mine").text for table in tables)
    turns = house.app.state.notebooks._turns                # type: ignore[attr-defined]
    monkeypatch.setattr(turns, "waiting", lambda address: notebooks.MOST_WAITING)
    assert ana.get("/en/mine").status_code == 429
    assert ana.get("/api/notebook").status_code == 200


def test_a_game_of_days_says_until_when_to_play(house: TestClient) -> None:
    ana = device(house)
    table = create(ana, person("Ana"), OPEN, clock={"days": 3})
    house.post(f"/api/tables/{table['table']}/seats/1", json={"name": "Bo"})
    keep(ana, table)
    [game] = ana.get("/api/notebook/games").json()["games"]
    assert 2 * 86_400_000 < game["until"] - game["at"] <= 3 * 86_400_000 + 60_000
    assert "2 days left" in game["left"] or "3 days left" in game["left"]
    assert 'data-until="' in ana.get("/en/mine").text


def test_a_browser_without_a_notebook_has_no_games(house: TestClient) -> None:
    stranger = device(house)
    assert stranger.get("/en/mine").status_code == 200
    assert stranger.get("/api/notebook/games").json() == {"games": [], "waiting": 0}
    assert stranger.get("/mine/transcripts.zip").status_code == 303
    assert stranger.post("/api/notebook/games/abc", json={"listed": False}).status_code == 401


# ---- erasing ----


def test_erasing_leaves_no_trace_in_the_file_and_valid_transcripts(
    house: TestClient, database: Path
) -> None:
    ana, other = device(house), device(house)
    table = create(ana, person("Cunégonde"), OPEN)
    sat = other.post(f"/api/tables/{table['table']}/seats/1", json={"name": "Ulysse"}).json()
    keep(ana, table)
    theirs = {"authorization": f"Bearer {sat['token']}"}
    act(ana, table, "say", 0, text="un secret de Polichinelle")
    act(ana, table, "rename", 0, name="Cunégonde la Belle")
    ana.post("/api/notebook", json={
        "name": "Cunégonde", "lessons": {"tortuga": {"at": "ineffable", "done": [], "of": 3}},
    })
    state = ana.get(f"/api/tables/{table['table']}").json()
    other.post(f"/api/tables/{table['table']}/events", headers=theirs,
               json={"do": "say", "seat": 1, "id": "x", "text": "a message that stays"})
    assert ana.post("/notebook", data={"do": "erase"}).status_code == 422   # not sure
    answer = ana.post("/notebook", data={"do": "erase", "sure": "yes", "lang": "fr"})
    assert answer.headers["location"] == "/notebook/erased"
    assert seats(ana, table) == []
    told = other.get(f"/api/tables/{table['table']}", headers=theirs).json()
    assert [seat["name"] for seat in told["seats"]] == ["Guest", "Ulysse"]
    assert told["n"] == state["n"] + 1
    text = other.get(f"/api/tables/{table['table']}/transcript", headers=theirs).text
    assert all(one.verdict is not Verdict.WRONG for one in verify(text))
    assert json.loads(text.splitlines()[0])["seats"][0]["name"] == "Invité"
    for path in (database, database.with_name(f"{database.name}-wal")):
        there = path.read_bytes()
        for gone in ("Cunégonde", "Polichinelle", "ineffable"):
            assert gone.encode() not in there
    assert b"a message that stays" in database.read_bytes()
    # The raw token of the same seat is worth nothing either.
    stranger = device(house)
    stranger.headers["authorization"] = f"Bearer {table['token']}"
    assert seats(stranger, table) == []


def test_players_write_between_the_parts_of_an_erasure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One transaction for everything would keep all players of the house waiting."""
    monkeypatch.setattr(stored, "ERASED_AT_ONCE", 4)
    monkeypatch.setattr(stored, "MOVED_AT_ONCE", 1)
    parts, scrubbed = [0], [0]
    write = NotebookStore.write

    async def counted(store: NotebookStore, work: Any) -> Any:
        parts[0] += 1
        return await write(store, work)

    async def scrub(*_: Any, **__: Any) -> bool:
        scrubbed[0] += 1
        return True

    monkeypatch.setattr(NotebookStore, "write", counted)
    monkeypatch.setattr(Housekeeping, "scrub", scrub)
    settings = Settings(database=f"sqlite:///{tmp_path}/escale.db", limits=Limits.none())
    with TestClient(create_app(settings), HERE, follow_redirects=False) as house:
        ana, phone = device(house), device(house)
        tables = [create(ana), create(ana)]
        for table in tables:
            keep(phone, table)
            for number in range(9):
                act(phone, table, "say", 0, text=f"message {number}")
        parts[0] = 0
        assert use(phone, opening(ana)[0]) == 303       # the phone's notebook goes into Ana's
        assert parts[0] >= len(tables) + 2
        assert [seats(ana, table) for table in tables] == [[0, 1]] * 2
        parts[0] = 0
        ana.post("/notebook", data={"do": "erase", "sure": "yes", "lang": "en"})
        assert parts[0] >= len(tables) * 3
        for table in tables:
            address = f"/api/tables/{table['table']}/transcript"
            assert "message" not in house.get(address).text
            assert "Ulysse" not in house.get(address).text
        # The file is rewritten once for all who erase their notebooks within a minute.
        for _ in range(3):
            other = device(house)
            other.post("/api/notebook", json={"name": "Bo"})
            other.post("/notebook", data={"do": "erase", "sure": "yes", "lang": "en"})
        assert scrubbed[0] == 1


def test_a_notebook_has_a_bound_in_bytes_and_so_have_all_that_are_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notebooks, "REMEMBERED_BYTES", 130_000)
    settings = Settings(database=f"sqlite:///{tmp_path}/escale.db", limits=Limits.none())
    app = create_app(settings)
    with TestClient(app, HERE, follow_redirects=False) as house:
        devices = [device(house) for _ in range(6)]

        def solve(client: TestClient, part: int) -> int:
            solved = {f"{'x' * 50}{part:04}{number:04}": 1 for number in range(200)}
            return client.post("/api/notebook", json={"puzzles": {"solved": solved}}).status_code

        for client in devices:
            answers = [solve(client, part) for part in range(8)]
            assert answers == [200] * 4 + [413] * 4
        kept = app.state.notebooks
        assert 0 < kept._bytes <= 130_000
        assert kept._bytes == sum(
            notebooks.DEVICE_BYTES + len(known[0].progress) for known, _ in kept._devices.values()
        )
        for client in devices:
            solved = client.get("/api/notebook").json()["progress"]["puzzles"]["solved"]
            assert len(solved) == 800
        # Two full notebooks that become one keep the progress of the one that is opened.
        assert use(devices[0], opening(devices[1])[0]) == 303
        assert len(devices[0].get("/api/notebook").json()["progress"]["puzzles"]["solved"]) == 800


HOSTILE = ("\0", "a\0b", "\ud800", "%", "'; --", "\x1b[31m", "x" * 3000, "\u202e", "[", "²", "a..b")


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_hostile_words_are_no_error_of_the_house(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"sqlite:///{tmp_path}/escale.db" if kind == "sqlite" \
        else request.getfixturevalue("postgres_database")
    with TestClient(
        create_app(Settings(database=url, limits=Limits.none())), HERE, follow_redirects=False
    ) as house:
        ana = device(house)
        keep(ana, create(ana))
        for word in HOSTILE:
            sent = quote(word, errors="surrogatepass")
            for path in (
                f"/en/mine?q={sent}&game={sent}&show={sent}&page={sent}&off={sent}",
                f"/mine/next?after={sent}", f"/open?to={sent}", f"/api/lobby?since={sent[:16]}",
                f"/picture/table/{sent}.svg", f"/picture/table/{sent}/game.png",
                f"/g/tortuga/print/fr.pdf?paper={sent}&part={sent}",
                f"/en/t/{sent}", f"/t/{sent}/score?as={sent}", f"/api/tables/{sent}",
            ):
                assert ana.get(path).status_code < 500, (path, word)
            for path, names in (
                ("/lobby/sit", ("table", "name", "lang")), ("/mine/list", ("table", "listed")),
                ("/lobby/seek", ("game", "clock", "strength", "name")),
                ("/notebook", ("do", "kind", "address", "endpoint", "device", "name")),
                ("/open", ("code", "to")),
            ):
                given = [(name, "name" if name == "do" else sent) for name in names]
                body = "&".join(f"{name}={value}" for name, value in given)
                for fields in (body, body.replace("game=", "game=tortuga&x="),
                               body.replace("do=name", "do=notice&kind=hook&x="),
                               body.replace("do=name", "do=no-notice"),
                               body.replace("do=name", "do=sign-out")):
                    answer = ana.post(path, content=fields, headers=FORM)
                    assert answer.status_code < 500, (path, word)
    assert "Traceback" not in caplog.text
