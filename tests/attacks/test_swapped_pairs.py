"""Two tables that differ only in what a seat cannot know send it the same bytes.

Pairs are made of random games, for every game that hides something. Where the seat is told less
than happened, something else happens at the other table that it would be told in the same words.
The game then goes on with the same moves, as far as the other table allows them.

What thinks for that seat, or answers for it, does the same at both tables: with equal seeds a hint,
a coach, a computer, a stand-in, an engine and the answer to an offer are the same, byte for byte.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs
from sqlalchemy import insert

import escale
from escale.game.errors import EscaleError
from escale.game.fair_random import FairRandom
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.viewer import SPECTATOR, Seat, Viewer
from escale.kernel import CHANCE
from escale.kernel import Random as KernelRandom
from escale.match.events import Drawn, Event, Played
from escale.match.match import Match, Player, redact
from escale.server.edge.limits import Limits
from escale.server.people.letters import Message, letter
from escale.server.tables.names import fingerprint
from escale.server.tables.people import NOTEBOOK
from escale.server.workers.engines import NamedEngine
from escale.store import Bot, NewTable, Store, Token
from escale.store.bots import PREFIX
from escale.store.database import open_database
from escale.store.records import Endpoint, Waiting
from escale.store.schema import bots as accounts
from tests.opponents.engines import written
from tests.server.bots.test_bots import following
from tests.server.hosting import Hosted, SetClock, Table, hosted

HIDING = [game for game in escale.games() if game.hides]
AT = SetClock().now - 1000
SECRET = "deep"
BOT = f"{PREFIX}walker"
"""A bot's token."""


def begun(start: escale.Position) -> Match:
    players = [Player(f"Person {seat}") for seat in range(start.seats)]
    return Match(start, players=players, fair_random=FairRandom(SECRET), waits=True, hints=True)


def played(start: escale.Position, plies: int, random: Random) -> Match:
    """A random game of some moves."""
    match = begun(start)
    match.begin(at=AT)
    while True:
        match.draw_chance(at=AT)
        if match.turn is None or plies == 0:
            return match
        seat = random.choice(match.choosing)
        match.play(seat, random.choice(match.position.with_turn(seat).moves()), at=AT)
        plies -= 1


def alike(
    match: Match, event: Played | Drawn, other: escale.Position, viewer: Viewer, random: Random
) -> Iterator[Event]:
    """What could happen in another position in the place of an event of a match.

    The viewer of the match would be told of it in the same words; all of it, mixed.
    """
    told = redact(match, event, viewer)
    seat = event.seat if isinstance(event, Played) else CHANCE
    if seat != other.turn and seat not in other.choosing:
        return
    moves = [Move(other, move.code).text for move in other.with_turn(seat).moves()]
    random.shuffle(moves)
    for text in moves:
        instead = structs.replace(event, move=text)
        if redact(match, instead, viewer) == told:
            yield instead


def swapped(match: Match, viewer: Viewer, random: Random, changes: int) -> Match | None:
    """A match of which the viewer is told the same; None if this way leads nowhere."""
    other = begun(match.start)
    wanted = changes
    for event in match.events:
        hidden = redact(match, event, viewer) != structs.replace(event, id=None)
        same: Event | None = event
        if isinstance(event, Played | Drawn) and hidden:
            options = list(alike(match, event, other.position, viewer, random))
            different = [one for one in options if one != event]
            if different and wanted and random.random() < 0.5:
                same, wanted = different[0], wanted - 1
            elif event not in options:
                same = options[0] if options else None
        if same is None:
            return None
        try:
            other.happen(same)
        except EscaleError:
            return None
    if wanted == changes or other.outcome is not None or match.outcome is not None:
        return None
    return other


def pairs(game: Game[Any], count: int, seed: int) -> Iterator[tuple[Match, Match, int | None]]:
    """Pairs of matches, each with the seat that cannot tell them apart; None is a spectator."""
    random = Random(seed)
    found = 0
    while found < count:
        seats = random.randint(*game.seats)
        start = game.start(seats=seats)
        match = played(start, random.randrange(40), random)
        seat = random.choice([*range(seats), None])
        viewer = SPECTATOR if seat is None else Seat(seat)
        other = swapped(match, viewer, random, random.choice((1, 2, 50)))
        if other is not None and other.position != match.position:
            found += 1
            yield match, other, seat


def keep(folder: Path, matches: list[Match], bots: Sequence[int] = ()) -> None:
    """A database with these matches; each seat has a token of its own, or it is a bot's."""

    async def write() -> None:
        store = Store(str(folder / "house.sqlite3"))
        if bots:
            with open_database(store.url).begin() as connection:
                connection.execute(insert(accounts), [Bot("Walker", fingerprint(BOT), AT).row()])
        for number, match in enumerate(matches):
            tokens = [
                (fingerprint(BOT if bots and bots[number] == seat else f"seat {seat}"), [seat])
                for seat in range(match.start.seats)
            ]
            table = NewTable(f"table{number}", match.header, SECRET, True, tokens)
            await store.create(table, match.events)
        store.close()

    folder.mkdir()
    asyncio.run(write())


REQUEST = re.compile(rb',"request":"[0-9a-f]+"')
"""Each request has a name of its own."""


def told(house: Hosted, number: int, match: Match, seat: int | None) -> dict[str, bytes]:
    """Every answer that the house gives about a table to who holds a seat."""
    headers = {} if seat is None else {"authorization": f"Bearer seat {seat}"}
    n = len(match.events)
    paths = ["", "/text", "/moves", "/transcript", "/choices", f"/plies/{match.ply}",
             f"/plies/{match.ply // 2}", f"/plies/{max(0, match.ply - 1)}",
             *(f"/events?since={since}" for since in (0, n // 2, n - 3, n - 1))]
    others = [f"?as={other}" for other in range(match.start.seats)]
    pages = {
        page: house.client.get(page, headers=headers).content.replace(house.url.encode(), b"")
        for page in (f"/en/t/table{number}", f"/t/table{number}/score?as={seat}",
                     f"/picture/table/table{number}.svg", f"/api/tables/table{number}/review")
    }
    assert house.client.get(f"/picture/table/table{number}/game.png").status_code == 409
    return {key: REQUEST.sub(b"", page) for key, page in pages.items()} | {
        path: REQUEST.sub(
            b"", house.client.get(f"/api/tables/table{number}{path}", headers=headers).content
        )
        for path in [*paths, *others]
    }


def common(house: Hosted, path: str) -> bytes:
    """A page or a picture that is the same for everyone."""
    answer = house.client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.content


def heard(house: Hosted, number: int, match: Match, seat: int | None, move: str) -> list[str]:
    """All that is said over a live connection while the seat to move plays."""
    table = Table(house, f"table{number}", None if seat is None else f"seat {seat}")
    mover = Table(house, f"table{number}", f"seat {match.turn}")
    with table.live() as ear:
        ear.next("state")
        ear.next("presence")
        assert match.turn is not None
        mover.act("play", match.turn, n=len(match.events), move=move)
        ear.next("events")
        return ear.heard


def a_move_of_both(one: Match, other: Match) -> str | None:
    """A move that is possible at both tables, shows nothing, and leaves nothing to chance."""
    known = {move.text for move in other.position.moves()}
    for move in one.position.moves():
        after = one.position.play(move)
        if move.text in known and CHANCE not in (after.turn, other.position.play(move.text).turn) \
                and after.outcome is None and after.unshown >= one.position.unshown:
            return move.text
    return None


@pytest.mark.parametrize("count", [15, pytest.param(400, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("game", HIDING, ids=lambda game: str(game.slug))
def test_swapped_pairs_are_told_the_same(tmp_path: Path, game: Game[Any], count: int) -> None:
    found = list(pairs(game, count, seed=count))
    keep(tmp_path / "one", [one for one, _, _ in found])
    keep(tmp_path / "other", [other for _, other, _ in found])
    live = 0
    limits = Limits.none()
    with hosted(tmp_path / "one", now=SetClock(), limits=limits) as here, \
            hosted(tmp_path / "other", now=SetClock(), limits=limits) as there:
        for number, (one, other, seat) in enumerate(found):
            assert told(here, number, one, seat) == told(there, number, other, seat)
            move = a_move_of_both(one, other)
            if move is not None:
                live += 1
                assert heard(here, number, one, seat, move) == heard(there, number, other, seat,
                                                                     move)
        # Lists and cards show what spectators see, whoever asks.
        alone = [number for number, (one, _, seat) in enumerate(found) if seat is None]
        for number in alone[:2]:
            assert common(here, f"/picture/table/table{number}/en.png") \
                == common(there, f"/picture/table/table{number}/en.png")
        # The test can fail: viewers who may see everything get different bytes.
        one, other, _ = found[0]
        differ = [
            seat for seat in range(one.start.seats)
            if told(here, 0, one, seat)[""] != told(there, 0, other, seat)[""]
        ]
        assert differ
    assert live >= count // 4


ENGINE = """
import zlib
seen = json.dumps([line, request["seed"]], sort_keys=True).replace(str(line["id"]), "")
move = line["legal"][zlib.crc32(seen.encode()) % len(line["legal"])]
say(request, {"move": move})
"""
"""An engine whose choice depends on every byte that it is sent."""

THINKERS = {"computer": "bosco", "engine": "Moulin"}


def advised(house: Hosted, number: int, match: Match, seat: int) -> list[bytes]:
    """What the house advises a seat that has to choose: a hint, and the coach's remarks."""
    headers = {"authorization": f"Bearer seat {seat}"}
    moves = [move.text for move in match.position.with_turn(seat).moves()]
    asked = [("hint", {"as": seat}), *(
        ("judge", {"as": seat, "move": move}) for move in (moves[0], moves[-1])
    )]
    answers = [
        house.client.post(f"/api/tables/table{number}/{what}", headers=headers, json=body)
        for what, body in asked
    ]
    assert [answer.status_code for answer in answers] == [200] * len(asked), answers[0].text
    return [answer.content for answer in answers]


def stood_in(match: Match, seat: int, level: str) -> Match:
    """A copy of the match, in which something that thinks has taken a seat."""
    match = Match.resume([match.header, *match.events], FairRandom(SECRET))
    match.sit(seat, Player(match.players[seat].name, level), at=AT)
    return match


def thought(house: Hosted, number: int, match: Match, seat: int) -> list[str]:
    """All that others hear while the computer moves on its seat, or answers an offer of a draw.

    In games of several seats nobody else needs to move before it answers.
    """
    moves = seat in match.choosing
    house.house.thinkers.random.seed(number)
    asking = next(other for other in range(match.start.seats) if other != seat)
    table = Table(house, f"table{number}", f"seat {asking}")
    if moves:                       # reading the table wakes the computer
        table.get("/events", since=len(match.events), wait=20)
        return [item["move"] for item in table.get("/events", since=len(match.events))["events"]
                if item["do"] == "play"][:1]
    table.act("offer", asking, what="draw")
    n = len(match.events) + 1
    table.get("/events", since=n, wait=20)
    answers = table.get("/events", since=n)["events"]
    return [repr(item["yes"]) for item in answers[:1]]


@pytest.mark.parametrize("count", [4, pytest.param(100, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("game", HIDING, ids=lambda game: str(game.slug))
def test_what_thinks_for_a_seat_knows_what_the_seat_knows(
    tmp_path: Path, game: Game[Any], count: int
) -> None:
    choosing: list[tuple[Match, Match, int]] = []
    waiting: list[tuple[Match, Match, int]] = []
    for one, other, seat in pairs(game, 1000 * count, seed=count + 1):
        if seat is None:
            continue
        pair = one, other, seat
        if seat in one.choosing and seat in other.choosing:
            choosing.append(pair)
        elif seat not in one.choosing and one.turn == other.turn != CHANCE:
            waiting.append(pair)
        if len(choosing) >= count and len(waiting) >= 4 * count:
            break
    advice, turns, offers = choosing[:count], choosing[:count], waiting[: 4 * count]
    kinds = [(level, found) for level in THINKERS.values() for found in turns]
    kinds += [("bosco", found) for found in offers]
    copies = [
        (stood_in(one, seat, level), stood_in(other, seat, level))
        for level, (one, other, seat) in kinds
    ]
    keep(tmp_path / "one", [one for one, _, _ in advice] + [one for one, _ in copies])
    keep(tmp_path / "other", [other for _, other, _ in advice] + [other for _, other in copies])
    engines = (NamedEngine(tuple(written(tmp_path, "mill", ENGINE)), "Moulin"),)
    settings: dict[str, Any] = {"now": SetClock(), "limits": Limits.none(), "engines": engines}
    given = []
    with hosted(tmp_path / "one", **settings) as here, \
            hosted(tmp_path / "other", **settings) as there:
        for number, (one, other, seat) in enumerate(advice):
            assert advised(here, number, one, seat) == advised(there, number, other, seat)
        for number, (kind, copy) in enumerate(zip(kinds, copies, strict=True), len(advice)):
            seat = kind[1][2]
            said = thought(here, number, copy[0], seat)
            assert said
            assert said == thought(there, number, copy[1], seat), kind[0]
            given += said
    assert {"True", "False"} <= set(given)


@pytest.mark.parametrize("count", [3, pytest.param(60, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("game", HIDING, ids=lambda game: str(game.slug))
def test_a_bot_is_told_what_its_seat_knows(tmp_path: Path, game: Game[Any], count: int) -> None:
    found: list[tuple[Match, Match, int]] = []
    for one, other, seat in pairs(game, 1000 * count, seed=count + 2):
        if seat is not None and seat in one.choosing and seat in other.choosing:
            found.append((one, other, seat))
        if len(found) == count:
            break
    seats = [seat for _, _, seat in found]
    said = []
    for name, matches in (("one", [one for one, _, _ in found]),
                          ("other", [other for _, other, _ in found])):
        keep(tmp_path / name, matches, seats)
        with hosted(tmp_path / name, now=SetClock(), limits=Limits.none()) as house, \
                following(house.url, BOT) as stream:
            said.append([
                (stream.next("table", table=f"table{number}"),
                 stream.next("turn", table=f"table{number}")) for number in range(count)
            ])
    assert said[0] == said[1]


@pytest.mark.parametrize("game", HIDING, ids=lambda game: str(game.slug))
def test_an_imagined_table_looks_like_the_real_one(game: Game[Any]) -> None:
    random = Random(11)
    different = 0
    for number in range(60):
        start = game.start(seats=random.randint(*game.seats))
        position = played(start, random.randrange(40), random).position
        if position.turn is None:
            continue
        for seat in range(position.seats):
            imagined = position.imagine(seat, KernelRandom(number))
            different += imagined != position
            assert imagined.text_for(Seat(seat)) == position.text_for(Seat(seat))
            tables = [begun(game.position(one.text)) for one in (position, imagined)]
            headers = [redact(table, table.header, Seat(seat)) for table in tables]
            assert headers[0] == headers[1]
            scenes = [table.position.scene(Seat(seat)).as_json() for table in tables]
            assert scenes[0] == scenes[1]
    assert different > 20


def letters_to(house: Hosted, number: int, match: Match, seat: int) -> bytes:
    """The mail and the message of a push about a table to who holds a seat, picture and all."""
    notices = house.app.state.notebooks.notice_service

    async def paint(svg: str) -> bytes:
        return svg.encode()

    async def message(kind: str) -> Message:
        table = await house.house.table(f"table{number}")
        assert table is not None
        holder = fingerprint(f"{NOTEBOOK}walker")
        table._tokens.all = [*table._tokens.all, Token(holder, (seat,))]
        notices.paint = paint
        endpoint = Endpoint("e", "walker", kind, "walker@example.org", 0)
        waiting = Waiting("e", table.id, len(match.events), 0, "turn")
        made: Message = await notices._message(endpoint, "en", [(waiting, table)])
        return made

    mail, pushed = (house.run(message(kind)) for kind in ("mail", "push"))
    assert mail.lines[0].picture is not None
    assert pushed.lines[0].picture is None
    sent = letter(mail, "walker@example.org", "https://stop", "https://house.example", 0)
    body = mail.lines[0].picture + repr(pushed).encode()
    for part in sent.walk():
        body += part.get_content_type().encode()
        if not part.is_multipart():
            content = part.get_content()
            body += content if isinstance(content, bytes) else content.encode()
    return PORT.sub(b"", body)


PORT = re.compile(rb":\d{4,5}\b")
"""Each house listens at a port of its own."""


@pytest.mark.parametrize("game", HIDING, ids=lambda game: str(game.slug))
def test_notices_of_swapped_pairs_are_the_same(tmp_path: Path, game: Game[Any]) -> None:
    found = [pair for pair in pairs(game, 6, seed=6) if pair[2] is not None]
    assert found
    keep(tmp_path / "one", [one for one, _, _ in found])
    keep(tmp_path / "other", [other for _, other, _ in found])
    limits = Limits.none()
    with hosted(tmp_path / "one", now=SetClock(), limits=limits) as here, \
            hosted(tmp_path / "other", now=SetClock(), limits=limits) as there:
        differ = 0
        for number, (one, other, seat) in enumerate(found):
            assert seat is not None
            assert letters_to(here, number, one, seat) == letters_to(there, number, other, seat)
            differ += any(
                letters_to(here, number, one, each) != letters_to(there, number, other, each)
                for each in range(one.start.seats) if each != seat
            )
        assert differ, "seats that may know more are told more"
