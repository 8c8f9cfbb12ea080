"""Secret bids: what a seat has chosen nobody else knows, not even the computer, until all have.

Twin tables differ in nothing but what a viewer may not know: the same bytes leave for that viewer,
and a computer on that seat chooses the same.
"""

from __future__ import annotations

import itertools
import json
import random
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.game.fair_random import FairRandom
from escale.game.viewer import ALL, HIDDEN, SPECTATOR, Seat, Viewer
from escale.games.canyon_1997.cards import SEATS
from escale.games.canyon_1997.rules import BID, CanyonState
from escale.kernel import Random
from escale.match.events import Played
from escale.match.match import Match, redact
from escale.match.reading import encode
from escale.opponents import think
from escale.opponents.engine import Session
from escale.opponents.levels import Way
from escale.render.text import text_board
from escale.server.tables.views import Sight, Views
from tests.games.canyon_1997 import witness
from tests.sizes import sized

GAME = escale.game("canyon-1997")
MANY = bool(escale.COMPILED)

with Path(__file__).with_name("expected.toml").open("rb") as file:
    EXPECTED: list[dict[str, Any]] = tomllib.load(file)["bids"]

TO_BID = "r6.dB.tg4/Oc1.hb7r2y9/Hd1.hg29y5/Be1.hp19b2"
"""Three cards each; Otter is the first player."""


def to_bid(seats: int, seed: str, **options: str) -> Match:
    """A match in which the first seat has to bid."""
    match = Match(GAME.start(seats=seats, **options), fair_random=FairRandom(seed))
    while True:
        match.draw_chance()
        assert match.turn is not None
        if phase(match) == BID:
            return match
        match.play(match.turn, match.position.moves()[0])


def phase(match: Match) -> int:
    state = match.position.kernel()
    assert isinstance(state, CanyonState)
    return int(state.phase)


def bid(match: Match, number: int) -> Played:
    """The seat to move bids."""
    assert match.turn is not None
    event = match.play(match.turn, f"bid{number}")
    assert isinstance(event, Played)
    return event


def move_told(match: Match, event: Played, viewer: Viewer) -> str:
    """The move of an event as a viewer reads it."""
    told = redact(match, event, viewer)
    assert isinstance(told, Played)
    return told.move


def everything(match: Match, viewer: Viewer) -> Iterator[str]:
    """All that leaves a table for a viewer, in either language."""
    yield match.transcript(viewer)
    view = match.position.seen_by(viewer)
    yield json.dumps([view.text, view.cells, view.scene.as_json(), repr(view.outcome), view.turn])
    yield text_board(view.scene)
    for position in match.positions[1:]:
        assert position.last is not None
        yield json.dumps([change.as_json() for change in position.last.seen_by(viewer)])
        yield json.dumps([look.scene.as_json() for look in position.last.pauses(viewer)])
    seats = (viewer.number,) if isinstance(viewer, Seat) else ()
    for lang, lean in itertools.product(("fr", "en"), (False, True)):
        sight = Sight(seats, viewer, lang, lean)
        views = Views(match)
        yield encode(views.common(
            sight, table="t", public=False, present=[True] * match.start.seats, now=0, away=0
        )).decode()
        yield encode(views.news(sight, 0)).decode()
        yield encode(views.choices(sight)).decode()
        yield views.transcript(sight)
        for ply in range(len(match.positions)):
            yield encode(views.ply(ply, sight)).decode()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in EXPECTED])
def test_expected_knowledge_of_bids(case: dict[str, Any]) -> None:
    letters = "ABCDEF"
    seats, first = len(case["seen"]["A"]), letters.index(case["first"])
    match = to_bid(seats, "expected", bids="secret" if case["secret"] else "open")
    state = match.position.kernel()
    assert isinstance(state, CanyonState)
    state.lay({**state.table(), "dealer": (first - 1) % seats, "turn": first})
    text = GAME.write(GAME.cells(state), state, match.start.options)
    position = GAME.position(text)
    for number in case["chosen"]:
        position = position.play(f"bid{number}")
    for who, seen in case["seen"].items():
        viewer = SPECTATOR if who == "spectator" else Seat(letters.index(who))
        cells = position.seen_by(viewer).cells
        found = [cells.get(f"{seat} bid", cells.get(f"{seat} chosen", witness.HAS_NOT_BID))
                 for seat in SEATS[:seats]]
        assert [witness.HAS_BID if one == HIDDEN else one for one in found] == seen
    if "next" in case:
        assert position.turn == letters.index(case["next"])


@pytest.mark.parametrize("seats", [3, 5])
def test_twins_look_alike(seats: int) -> None:
    """Whatever others have bid in secret, the same bytes leave for a viewer until all have bid."""
    chance = random.Random(seats)
    for number in range(sized(1, 3, 1)):
        ours, twin = (to_bid(seats, f"twins {number}") for _ in range(2))
        seat = chance.randrange(seats)
        while phase(ours) == BID:
            for viewer in (Seat(seat), SPECTATOR):
                assert list(everything(ours, viewer)) == list(everything(twin, viewer))
            mine = ours.turn == seat
            bids = chance.sample(range(9), 2)
            bid(ours, bids[0])
            bid(twin, bids[0] if mine else bids[1])
        assert list(everything(ours, Seat(seat))) != list(everything(twin, Seat(seat)))


def test_a_seat_knows_its_own_bid() -> None:
    match = to_bid(3, "own")
    seat = match.turn
    assert seat is not None
    event = bid(match, 5)
    assert redact(match, event, Seat(seat)) == event
    assert "bid5" in match.transcript(Seat(seat))
    sight = Sight((seat,), Seat(seat), "en")
    [item] = Views(match).log(sight, len(match.events) - 1)
    assert item["label"] == "5 tricks"
    assert item["sentence"] == f"{GAME.seat_name(seat, 'en')} chooses 5 tricks, in secret."


def test_a_spectator_is_told_that_a_seat_has_bid() -> None:
    match = to_bid(3, "watched")
    seat = match.turn
    assert seat is not None
    event = bid(match, 5)
    assert move_told(match, event, SPECTATOR) == "bid?"
    [item] = Views(match).log(Sight((), SPECTATOR, "en"), len(match.events) - 1)
    assert "label" not in item
    assert item["sentence"] == f"{GAME.seat_name(seat, 'en')} has chosen a speed."
    scene = match.position.scene(SPECTATOR)
    assert [piece.label for piece in scene.pieces if piece.at == f"{SEATS[seat]} chosen"] == ["?"]


def test_the_last_bid_shows_them_all() -> None:
    match = to_bid(3, "shown")
    first = match.turn
    assert first is not None
    begun = len(match.events)
    views, sight = Views(match), Sight((), SPECTATOR, "en")
    for number in (5, 0, 8):
        bid(match, number)
        views.log(sight)                    # as a house does for its spectators
    told = views.news(sight, len(match.events) - 1)[0]
    kinds = [change["kind"] for change in told["changes"]]
    assert kinds == ["chose-face-down", "announced", "announced", "announced"]
    assert [change.get("piece") for change in told["changes"]] == [None, "bid5", "bid0", "bid8"]
    names = [GAME.seat_name((first + number) % 3, "en") for number in range(3)]
    assert told["sentence"].endswith(
        f"{names[0]} bids 5 tricks. {names[1]} bids 0 tricks. "
        f"{names[2]} bids 8 tricks."
    )
    # From now on every event tells what it was, also in a log that was read before.
    for log in (views.log(sight, begun), Views(match).log(sight, begun)):
        assert [item["move"] for item in log] == ["bid5", "bid0", "bid8"]
        assert [item["label"] for item in log] == ["5 tricks", "0 tricks", "8 tricks"]
    cells = match.position.seen_by(SPECTATOR).cells
    assert {cells[f"{seat} bid"] for seat in SEATS[:3]} == {5, 0, 8}
    assert not any(name.endswith(" chosen") for name in cells)


@pytest.mark.parametrize("asked", [True, False])
def test_a_bid_that_is_taken_back_is_never_shown_before_the_end(asked: bool) -> None:
    match = to_bid(3, "back")
    first = match.turn
    assert first is not None
    others = [(first + 1) % 3, (first + 2) % 3]
    taken = [bid(match, 7), bid(match, 6)]
    if asked:
        match.propose(first, "takeback")
        for other in others:
            match.answer(other, True)
    else:
        match.take_back(first)
    assert match.turn == first
    for number in (1, 2, 3):
        bid(match, number)
    assert phase(match) != BID
    for event, seat in zip(taken, (first, others[0]), strict=True):
        assert move_told(match, event, SPECTATOR) == "bid?"
        assert redact(match, event, Seat(seat)) == event
        assert move_told(match, event, Seat((seat + 1) % 3)) == "bid?"
    assert "bid7" not in match.transcript(SPECTATOR)
    assert "bid1" in match.transcript(SPECTATOR)
    match.propose(first, "draw")
    for other in others:
        match.answer(other, True)
    assert "bid7" in match.transcript(SPECTATOR)


def test_a_match_that_begins_among_bids_hides_them() -> None:
    position = GAME.position(f"{TO_BID.replace('y9', 'y9.s3')} heron 60")
    match = Match(position, fair_random=FairRandom("begun"))
    header = redact(match, match.header, Seat(1)).start
    assert ".s?" in header
    assert ".s3" in redact(match, match.header, Seat(0)).start
    with pytest.raises(escale.BadPosition, match="hidden"):
        GAME.position(header)


def test_open_bids_are_heard() -> None:
    match = to_bid(3, "open", bids="open")
    event = bid(match, 5)
    assert redact(match, event, SPECTATOR) == event
    seat = SEATS[event.seat]
    assert match.position.seen_by(SPECTATOR).cells[f"{seat} bid"] == 5
    assert match.position.last is not None
    assert [change.kind for change in match.position.last.changes] == ["announced"]


def test_the_whole_transcript_has_every_bid() -> None:
    match = to_bid(3, "whole")
    for number in (5, 0):
        bid(match, number)
    assert Match.replay(match.transcript(ALL)).transcript(ALL) == match.transcript(ALL)


@pytest.mark.parametrize(("board", "turn", "options", "reason"), [
    (TO_BID.replace("y9", "y9.b3.w0"), "heron", "", "written with “s”"),
    (TO_BID.replace("y9", "y9.s3"), "heron", " bids=open", "written with “b”"),
    (TO_BID.replace("y9", "y9.s?"), "heron", "", "bid of Otter is hidden"),
    (TO_BID.replace("y9", "y9.s4"), "heron", "", "bids go from 0 to 3"),
    (TO_BID.replace("y9", "y9.s3").replace("y5", "y5.b1.w0"), "beaver", "", "all at once"),
    (TO_BID.replace("y9", "y9.s3").replace("y5", "y5.s1").replace("b2", "b2.s0"), "otter", "",
     "When all have bid"),
])
def test_bids_that_cannot_be_are_refused(
    board: str, turn: str, options: str, reason: str
) -> None:
    with pytest.raises(escale.BadPosition, match=reason):
        GAME.position(f"{board} {turn} 60{options}")


# ---- what the computer knows ----


def last_to_bid(otter: int, heron: int) -> escale.Position:
    board = TO_BID.replace("y9", f"y9.s{otter}").replace("y5", f"y5.s{heron}")
    return GAME.position(f"{board} beaver 60")


def test_every_bid_is_imagined_equally_often() -> None:
    draws = 3200 if MANY else 320
    position, chance = last_to_bid(3, 0), Random(2)
    counts: Counter[tuple[Any, Any]] = Counter()
    for _ in range(draws):
        twin = position.imagine(2, chance)
        counts[twin.cells["otter chosen"], twin.cells["heron chosen"]] += 1
    assert set(counts) == set(itertools.product(range(4), repeat=2))
    expected = draws / 16
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert chi_square < 38                          # 15 degrees of freedom, one in a thousand


def test_a_seat_does_not_imagine_its_own_bid_anew() -> None:
    position, chance = last_to_bid(3, 0), Random(3)
    for _ in range(20):
        assert position.imagine(0, chance).cells["otter chosen"] == 3


def test_open_bids_are_not_imagined_anew() -> None:
    board = TO_BID.replace("y9", "y9.b3.w0").replace("y5", "y5.b0.w0")
    position = GAME.position(f"{board} beaver 60 bids=open")
    twin = position.imagine(2, Random(1))
    assert (twin.cells["otter bid"], twin.cells["heron bid"]) == (3, 0)


@pytest.mark.parametrize("way", ["mousse", "capitaine", "ismcts:simulations=200"])
def test_the_computer_chooses_alike_at_twin_tables(way: str) -> None:
    player = Way.parse(way) if ":" in way else way
    for seed in range(sized(1, 3, 1)):
        found = [
            think(position, player, seed=seed)
            for position in (last_to_bid(3, 0), last_to_bid(0, 3), last_to_bid(1, 1))
        ]
        others = last_to_bid(2, 2).imagine(2, Random(seed + 50))    # other hands, too
        found.append(think(others, player, seed=seed))
        told = {(one.lines[0].moves[0].text, one.lines[0].shares) for one in found}
        assert len(told) == 1


def test_an_engine_shows_a_seat_no_other_bid() -> None:
    engine = Session()
    engine.answer(json.dumps({"do": "new", "game": GAME.slug, "chance": "manual",
                              "position": last_to_bid(3, 0).text}))
    shown = json.loads(engine.answer(json.dumps({"do": "show", "seat": 2})))["result"]
    assert shown["cells"]["otter chosen"] == shown["cells"]["heron chosen"] == "?"
    assert ".s3" not in shown["position"]


def test_others_are_supposed_to_bid_by_common_sense() -> None:
    """In a search, those who have chosen are not taken to have bid anything at all."""
    evaluation = GAME.evaluation
    for seed in range(20 if MANY else 3):
        state = last_to_bid(3, 0).kernel()
        state.redeal(2, Random(seed))
        evaluation.suppose(state, 2, Random(seed))
        assert isinstance(state, CanyonState)
        bids = state.table()["bid"]
        for seat in (0, 1):
            alone = state.copy()
            assert isinstance(alone, CanyonState)
            alone.lay({**alone.table(), "turn": seat})
            assert bids[seat] == evaluation.prefer(alone, Random(0))
        assert bids[2] == -1
