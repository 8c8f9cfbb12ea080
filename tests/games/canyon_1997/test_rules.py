"""Canyon (1997): its map, its rules at the edges, and above all the hidden things."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import escale
from escale import kernel
from escale.game.errors import Impossible
from escale.game.fair_random import FairRandom
from escale.game.scene import Caption
from escale.game.viewer import ALL, SPECTATOR, Seat
from escale.games.canyon_1997 import paddling, rules
from escale.games.canyon_1997.cards import CARDS, SEATS, TRACK, suit_of, unpack, value_of
from escale.games.canyon_1997.river import NUMBERS, RIVER, BadMap, River
from escale.kernel import Random, each_bit
from escale.match.events import Drawn
from escale.match.match import Match, redact
from escale.opponents.engine import Session
from escale.render.text import text_board
from tests.sizes import sized

GAME = escale.game("canyon-1997")
MAP = (Path(rules.__file__).parent / "map.toml").read_text("utf-8")
MANY = bool(escale.COMPILED)
"""Whether there is time to try a lot."""


def walk(seats: int, seed: int, *, short: str = "off") -> Iterator[escale.Position]:
    """Every position of a random game."""
    chance = Random(seed)
    position = GAME.start(seats=seats, short=short)
    while True:
        yield position
        moves = position.moves()
        if not moves:
            return
        is_chance = position.turn == escale.CHANCE
        position = position.play(
            position.draw(chance) if is_chance else moves[chance.below(len(moves))]
        )


def moments(count: int, seed: str) -> Iterator[escale.Position]:
    """Positions from all over random games with three to six seats."""
    chance = random.Random(seed)
    found = 0
    for number in itertools.count():
        for position in walk(3 + number % 4, chance.randrange(1 << 30)):
            if chance.random() < 0.1:
                yield position
                found += 1
                if found == count:
                    return
            if chance.random() < 0.002:
                break                       # not only whole games: more beginnings, too


def canoes(position: escale.Position) -> dict[str, str]:
    return {
        seat: cell for cell, names in position.cells.items() if cell in NUMBERS
        for seat in str(names).split()
    }


# ---- the map ----


def changed(*pairs: tuple[str, str]) -> str:
    text = MAP
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def test_the_map_is_sound() -> None:
    assert River.faults(MAP) == []
    assert River.parse(MAP).terrain == RIVER.terrain


@pytest.mark.parametrize(("text", "reason"), [
    ("river = [", "not TOML"),
    ("", "expected river"),
    (changed(("17 .....#\n", "")), "row 17: expected here, found '16 #....#'"),
    (changed((" 0 SSSSSS\n", "")), "row 0: missing"),
    (changed((" 0 SSSSSS\n", " 0 SSSSSS\n-1 ......\n")), "row -1: beyond row 0"),
    (changed(("17 .....#", "17 ....#")), "row 17: 5 cells, not 6"),
    (changed(("17 .....#", "17 ..?..#")), "row 17: unknown symbol '?'"),
    (changed((" 1 ......", " 1 S.....")), "row 1: a start cell that is not in row 0"),
    (changed((" 0 SSSSSS", " 0 SSSSS.")), "row 0: 5 start cells, not 6"),
    (changed(("20 ##....", "20 #L....")), "row 20: a landing that is not in row 29"),
    (changed(("29 LLL###", "29 LL.###")), "row 29: 2 landings, not 3"),
    (changed(("20 ##....", "20 ##>...")), "row 20: a current outside rows 22 to 28"),
    (changed(("28 >>>>W#", "28 ....W#")), "row 28: no current"),
    (changed(("21 #...P#", "21 #....#")), "row 21: no footbridge"),
    (changed(("20 ##....", "20 ##P...")), "row 21: a second footbridge"),
    (changed(("24 OO>>W#", "24 OO<>W#")), "row 24: the arrow on c24 leads into a rock"),
    (changed(("28 >>>>W#", "28 >>>>##")), "row 28: the arrow on d28 leads into a mountain"),
    (changed(("28 >>>>W#", "28 ^>>>W#")), "row 28: the arrow on a28 leads into a landing"),
    (changed(("22 >>>>W#", "22 >v>>W#")), "row 22: the arrow on b22 leads into still water"),
    (changed(("22 >>>>W#", "22 >>>vW#"), ("21 #...P#", "21 #..P.#")),
     "row 22: the arrow on d22 leads into the footbridge"),
    (changed(("22 >>>>W#", "22 <>>>W#")), "row 22: the arrow on a22 leads off the map"),
    (changed(("22 >>>>W#", "22 ><>>W#")), "row 22: the arrow on a22 leads in a circle"),
    (changed(('cave = ["W", "P"]', 'cave = ["P", "W"]')), "rows 22 to 28: expected cave"),
    (changed(("15 ##.###", "15 ######")), "row 0: no landing can be reached from a0"),
    (changed(("29 LLL###", "29 LL###L")), "row 29: f29 cannot be reached from the start"),
])
def test_a_bad_map_is_refused(text: str, reason: str) -> None:
    assert any(fault.startswith(reason) for fault in River.faults(text)), River.faults(text)
    with pytest.raises(BadMap, match=re.escape(f"map.toml: {reason}")):
        River.parse(text, "map.toml")


def test_the_facts_of_the_map() -> None:
    assert len(RIVER.cells("S")) == 6
    assert len(RIVER.cells("L")) == 3
    assert RIVER.distance[NUMBERS["c0"]] == 29          # 28 cells between start and finish
    assert {number // 6 for number in RIVER.cells("<>^v")} == set(range(22, 29))


# ---- what random games must keep ----


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_properties(seats: int) -> None:
    names = SEATS[:seats]
    for position in walk(seats, seats):
        cells = position.cells
        cards = [
            card for name, value in cells.items()
            if name in ("trump", "played") or name.endswith((" hand", " card"))
            for card in str(value).split()
        ]
        assert len(set(cards)) == len(cards), position
        for cell in cells.keys() & NUMBERS.keys():
            terrain = RIVER.terrain[NUMBERS[cell]]
            assert terrain in "S.L><^vP", position
            assert terrain == "P" or " " not in str(cells[cell]), position
        size = TRACK[int(cells["round"]) - 1]
        held = sum(len(str(cells[f"{seat} hand"]).split()) for seat in names)
        if all(f"{seat} bid" in cells for seat in names):
            laid = sum(f"{seat} card" in cells for seat in names)
            tricks = sum(int(cells[f"{seat} tricks"]) for seat in names)
            assert len(str(cells.get("played", "")).split()) == seats * tricks
            assert held == seats * (size - tricks) - laid
            if held + laid == 0 and position.turn is not None:
                assert len(position.moves()) > 1, "a forced move of a canoe asks nothing"


@pytest.mark.parametrize("bid", range(9))
@pytest.mark.parametrize("won", range(9))
def test_points(bid: int, won: int) -> None:
    """Tricks and bonus on still water; on the current the bonus, or a drift."""
    position = rules.CanyonState(3)
    table = position.table()
    bonus = 0 if bid != won else 1 if bid == 0 else 2 if bid == 1 else 3
    for cell, expected in (
        ("c5", won + bonus), ("e21", won + bonus), ("b22", bonus if bid == won else -1),
    ):
        table["at"], table["bid"], table["won"] = [NUMBERS[cell], 0, 1], [bid, 0, 0], [won, 0, 0]
        position.lay(table)
        assert position.points(0) == expected


def test_a_rock_stops_a_whole_row() -> None:
    """No arrow of the map leads into a rock; if one did, nobody in the row would drift."""
    downstream = list(RIVER.downstream)
    downstream[NUMBERS["c24"]] = NUMBERS["b24"]
    downstream[NUMBERS["d24"]] = NUMBERS["c24"]
    text = "r8.dB.tg4/Oc24.b1.w0.kr3/Hd24.b0.w0.kr9/Bc10.hr1.b1.w0 beaver 9"
    usual = (RIVER.terrain, RIVER.steps, RIVER.distance, RIVER.downstream, RIVER.footbridge)
    try:
        paddling.lay_out(RIVER.terrain, RIVER.steps, RIVER.distance, downstream, RIVER.footbridge)
        after = GAME.position(text).play("red1")
    finally:
        paddling.lay_out(*usual)
    assert canoes(after) == {"otter": "c24", "heron": "d24", "beaver": "c10"}
    assert canoes(GAME.position(text).play("red1"))["otter"] == "d24"


@pytest.mark.parametrize(("short", "rounds"), [
    ("off", [*range(1, 15), 1]), ("on", [1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 1]),
])
def test_the_track_goes_on_for_ever(short: str, rounds: list[int]) -> None:
    followed = False
    for seed in range(8 if MANY else 3):
        seen: list[int] = []
        for position in walk(3, seed, short=short):
            marker = int(position.cells["round"])
            if not seen or seen[-1] != marker:
                seen.append(marker)
                if len(seen) == len(rounds):        # around the track once
                    assert position.cells["laps"] == 1
                    assert GAME.position(position.text) == position
                    assert position.last is not None
                    assert "Round 15, like round 1: " in position.last.narrate("en", ALL)
                    captions = [label.text for label in position.scene(ALL).labels]
                    assert Caption("board.round-again", {"round": 15, "like": 1}) in captions
                elif len(seen) < len(rounds):
                    assert "laps" not in position.cells
            for seat in SEATS[:3]:
                hand = str(position.cells[f"{seat} hand"]).split()
                assert len(hand) <= TRACK[marker - 1]
        assert seen[: len(rounds)] == rounds[: len(seen)]
        followed = followed or len(seen) > len(rounds)
    assert followed


def test_the_first_player_deals_next() -> None:
    dealers: list[int] = []
    for position in walk(5, 8):
        if "dealer" in position.cells:
            dealer = SEATS.index(str(position.cells["dealer"]))
            assert position.cells["first"] == SEATS[(dealer + 1) % 5]
            if not dealers or dealers[-1] != dealer:
                dealers.append(dealer)
    assert len(dealers) > 5
    assert all((after - before) % 5 == 1 for before, after in itertools.pairwise(dealers))


def test_ties_for_dealer_draw_again() -> None:
    position = GAME.start(seats=4)
    for outcome in ("draw-red9", "draw-blue9", "draw-blue1", "draw-green9"):
        position = position.play(outcome)
    assert position.cells["drawing"] == "otter heron trout"
    assert "beaver card" not in position.cells
    for outcome in ("draw-red2", "draw-blue2", "draw-yellow1"):
        position = position.play(outcome)
    assert position.cells["drawing"] == "otter heron"
    position = position.play("draw-purple5").play("draw-purple6")
    assert position.cells["dealer"] == "heron"
    assert position.turn == 2


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_random_games_end(seats: int) -> None:
    found = kernel.playouts(GAME.start(seats=seats).kernel(), 400 if MANY else 2, seed=5)
    assert sum(found.shares) == pytest.approx(found.games)
    assert sum(found.endings) == found.games


@pytest.mark.parametrize(("text", "reason"), [
    ("r1/O-/H- chance 0", "Three to six play"),
    ("r0.cOHB/O-/H-/B- chance 0", "Rounds go from 1 to 14"),
    ("r1.cOHB/O-/H-/B- otter 0", "decided by chance"),
    ("r1.dB/Oa0/Ha0/B- beaver 0", "holds one canoe"),
    ("r1.dB/Oc4/H-/B- heron 0", "c4 is no place"),
    ("r1.dB/Oc1/H-/B- heron 0", "start cells, in order"),
    ("r1.dB/O-/H-/B- chance 0", "placed by the seats"),
    ("r1.dB/O-/H-/B- trout 0", "there are 3 seats"),
    ("r8.dB.tg4/Oc1.hg4/Hd1.hb1/Be1.hb2 otter 9", "The card g4 is there twice"),
    ("r8.dB.tg4/Oc1.h?1/Hd1.hb1/Be1.hb2 otter 9", "hidden"),
    ("r8.dB.tg4/Oc1.hb3/Hd1.hb1.b1.w0/Be1.hb2 otter 9 bids=open", "Bids are made in order"),
    ("r8.dB.tg4/Oc1.hb3.s0/Hd1.hb1/Be1.hb2 otter 9", "Otter has bid"),
    ("r8.dB.tg4/Oc1.hb3.b2.w0/Hd1.hb1/Be1.hb2 heron 9", "bids go from 0 to 1"),
    ("r8.dB.tg4/Oc1.hb34/Hd1.hb1/Be1.hb2 otter 9", "Cards in each hand in this round: 1"),
    ("r8.dB/Oc1/Hd1.hb1/Be1 chance 9", "one at a time"),
    ("r8.dB.tg4/Oc1.b0.w0.kr3/Hd1.b0.w0.kb1/Be1.hb2.b0.w0 beaver 9", "vr”"),
    ("r8.dB.tg4/Oc1.hr3.b0.w0/Hd1.b0.w0.kb1/Be1.hb2.b0.w0 beaver 9", "first player leads"),
    ("r8.dB.tg4/Oa29.hr3.b0.w0.l1/Hd1.hb1.b0.w0/Be1.hb2.b0.w0 otter 9", "Nobody can have landed"),
    ("r8.dB.tg4.pb123/Oc1.b0.w0/Hb1.b1.w1/Bc14.b0.w0 beaver 9", "asks nothing"),
    ("r6.dB.tg4/Oc1.hr3.b0.w0/Hd1.hb1.b0.w0/Be1.hb2.b0.w0 otter 9 short=on", "skipped"),
    ("r1.z3/O-/H-/B- chance 0", "one of r, n, d, t, p, c, x"),
    ("r1.n9/O-/H-/B- chance 0", "At most 8 times around"),
    ("r1.d1/O-/H-/B- chance 0", "Expected one of O, H, B"),
    ("r1.tq1/O-/H-/B- chance 0", "Cards are written by suit"),
    ("rx/O-/H-/B- chance 0", "Expected a number"),
    ("r1.r1/O-/H-/B- chance 0", "there twice in"),
])
def test_what_cannot_be_is_refused(text: str, reason: str) -> None:
    with pytest.raises(Impossible, match=reason) as no:
        GAME.position(text)
    assert no.value.text("fr") != no.value.text("en")


# ---- hidden things ----


def hidden_from(position: escale.Position, seat: int) -> set[str]:
    """The others' hands, and the cards that were not dealt."""
    cells = position.cells
    known = {str(cells.get("trump"))}
    for name, value in cells.items():
        if name == "played" or name.endswith(" card") or name == f"{SEATS[seat]} hand":
            known |= set(str(value).split())
    return set(CARDS) - known


def cards_in(text: str) -> set[str]:
    """Every card in a position's text, whatever the field."""
    fields = re.split("[/.]", text.split()[0])
    return {card for field in fields if re.fullmatch("[a-z]([brgyp][0-9]+)+", field)
            for card in unpack(field[1:])}


WORDS = {word: card for card in CARDS
         for word in (card, GAME.called(card, "fr"), GAME.called(card, "en"))}
ANY_CARD = re.compile("(" + "|".join(map(re.escape, WORDS)) + r")(?!\d)")


def named_in(told: str) -> set[str]:
    """Every card named in some text, in notation or in words."""
    return {WORDS[word] for word in ANY_CARD.findall(told)}


def leaving(position: escale.Position, seat: int) -> list[str]:
    """Everything about a position that leaves for a seat, serialised."""
    view = position.seen_by(Seat(seat))
    return [view.text, json.dumps(view.cells), json.dumps(view.scene.as_json()),
            text_board(view.scene), repr(view.outcome), repr(view.turn)]


def story(position: escale.Position, seat: int) -> list[str]:
    """What a seat is told of the move that led here."""
    if position.last is None:
        return []
    viewer = Seat(seat)
    changes = [change.as_json() for change in position.last.seen_by(viewer)]
    looks = [look.scene.as_json() for look in position.last.pauses(viewer)]
    return [
        json.dumps(changes), json.dumps(looks),
        *(position.last.narrate(lang, viewer) for lang in ("fr", "en")),
    ]


def test_the_words_of_cards_are_found() -> None:
    assert named_in("La Loutre joue le 10 bleu.") == {"blue10"}
    assert named_in("Otter plays the blue 1, then green7") == {"blue1", "green7"}
    assert cards_in("r1.tg4.pb12/Oc1.hr90/Hd1.h?3.kp5.b2 otter 3") == {
        "green4", "blue1", "blue2", "red9", "red10", "purple5"}


def test_a_trick_is_seen_whole_before_it_is_taken() -> None:
    tricks = 0
    for position in walk(4, 11, short="on"):
        if position.last is None or position.parent is None:
            continue
        taken = [change for change in position.last.changes if change.kind == "trick-taken"]
        changes = position.last.changes
        looks = [
            look for look in position.last.pauses(Seat(0))
            if changes[look.after].kind == "trick-taken"
        ]
        for change, look in zip(taken, looks, strict=True):
            tricks += 1
            cards = {piece.at for piece in look.scene.pieces if piece.at.endswith(" card")}
            assert cards == {f"{seat} card" for seat in SEATS[:4]}
            assert look.scene.highlights == {f"{change.to} card": "look"}
            assert position.last.text in "".join(
                f"{piece.name}{piece.label}" for piece in look.scene.pieces
            )
            tricks_before = position.parent.cells[f"{change.to} tricks"]
            assert [
                piece.label for piece in look.scene.pieces if piece.at == f"{change.to} tricks"
            ] == [str(tricks_before)]
    assert tricks > 10


def test_nothing_hidden_leaves_for_a_seat() -> None:
    chance = random.Random("who looks")
    for position in moments(sized(400, 1000, 40), "leaks"):
        seat = chance.randrange(position.seats)
        hidden = hidden_from(position, seat)
        text, *others = leaving(position, seat)
        assert not cards_in(text) & hidden, position
        for part in others:
            assert not named_in(part) & hidden, (position, part)
        # The end of a round tells its last card, which by then is back in the deck.
        before = position.parent
        if before is not None and before.turn is not None and before.turn >= 0:
            hidden &= hidden_from(before, seat) - {position.last.text if position.last else ""}
        for part in story(position, seat):
            assert not named_in(part) & hidden, (position, part)


def test_a_seat_cannot_tell_what_it_sees_from_what_it_imagines() -> None:
    """Whatever the hidden cards are, the same bytes leave."""
    chance = random.Random("imagined")
    for position in moments(sized(200, 500, 30), "twins"):
        seat = chance.randrange(position.seats)
        twin = position.imagine(seat, Random(chance.randrange(1 << 30)))
        unlit = twin.game.position(position.text)       # without a last move, as the twin
        assert leaving(twin, seat) == leaving(unlit, seat)
        assert twin.turn == position.turn
        assert twin.cells[f"{SEATS[seat]} hand"] == position.cells[f"{SEATS[seat]} hand"]
        hidden = hidden_from(position, seat)
        for other in SEATS[: position.seats]:
            hand, void = (str(twin.cells.get(f"{other} {w}", "")).split() for w in ("hand", "void"))
            assert not {suit_of(card) for card in hand} & set(void)
            assert set(hand) <= hidden or other == SEATS[seat]
        if position.turn == seat:
            assert [m.text for m in twin.moves()] == [m.text for m in position.moves()]
        assert GAME.position(twin.text) == twin         # it can be, too


def test_a_running_match_tells_a_seat_only_what_it_may_know() -> None:
    chance = random.Random("matches")
    engine = Session()
    for number in range(sized(16, 40, 2)):
        seats = 3 + number % 4
        match = Match(GAME.start(seats=seats), fair_random=FairRandom(f"secret {number}"))
        stop = chance.randrange(40, 500 if MANY else 120)
        begun = 0
        while match.turn is not None and len(match.events) < stop:
            if match.turn == escale.CHANCE:
                if match.position.parent and match.position.parent.turn != escale.CHANCE:
                    begun = len(match.events)
                outcome = match.position.draw(Random(chance.randrange(1 << 30)))
                match.add(Drawn(outcome.text))
            else:
                match.play(match.turn, chance.choice(match.position.moves()))
        if match.outcome is not None:
            continue
        later = Match(match.position, fair_random=FairRandom("later"))
        engine.answer(json.dumps({"do": "new", "game": GAME.slug, "chance": "manual",
                                  "position": match.position.text}))
        for seat in range(seats):
            hidden = hidden_from(match.position, seat)
            lines = [json.loads(line) for line in match.transcript(Seat(seat)).splitlines()]
            assert "secret" not in json.dumps(lines)
            for change in lines[1:]:
                to = change["move"].split("-")[0]
                if change["do"] == "draw" and to in SEATS and to != SEATS[seat]:
                    assert change["move"] == f"{to}-?"
            assert not named_in(json.dumps(lines[1 + begun:])) & hidden, "in this round"
            shown = engine.answer(json.dumps({"do": "show", "seat": seat}))
            assert not named_in(shown) & hidden
            assert not cards_in(json.loads(shown)["result"]["position"]) & hidden
            # A match that goes on from the middle of a round hides hands in its header, too.
            start = redact(later, later.header, Seat(seat)).start
            assert json.loads(later.transcript(Seat(seat)).splitlines()[0])["start"] == start
            assert not cards_in(start) & hidden


def test_a_spectator_sees_no_hand() -> None:
    for position in moments(60, "nobody"):
        view = position.seen_by(SPECTATOR)
        assert all(isinstance(view.cells[f"{s} hand"], int) for s in SEATS[: position.seats])
        if position.last is not None:
            assert all(change.kind != "dealt" for change in position.last.seen_by(SPECTATOR))


def test_refusals_tell_a_seat_nothing_new() -> None:
    refused = 0
    for position in moments(400 if MANY else 20, "refusals"):
        if position.turn is None or position.turn < 0:
            continue
        hidden = hidden_from(position, position.turn)
        for attempt in ("blue7", "bid9", "c13", "nonsense", "otter-blue7"):
            try:
                position.play(attempt)
            except escale.IllegalMove as no:
                refused += 1
                said = " ".join([str(no), *map(no.refusal.text, ("fr", "en"))])
                assert not named_in(said) & hidden - {"blue7"}, said
                assert not cards_in(no.position) & hidden
    assert refused


# ---- what a seat imagines is even ----


def deviations(counts: Counter[Any], possible: int, drawn: int) -> float:
    """How many standard deviations chi-square is from its mean (Wilson and Hilferty)."""
    expected = drawn / possible
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    seen += (possible - len(counts)) * expected
    spread = 2 / (9 * (possible - 1))
    return float(((seen / (possible - 1)) ** (1 / 3) - (1 - spread)) / math.sqrt(spread))


def every_deal(unseen: list[list[int]], wants: list[tuple[int, int]]) -> set[tuple[Any, ...]]:
    """All deals, by trying everything."""
    found = set()

    def go_on(left: list[tuple[int, int]], hands: tuple[frozenset[int], ...]) -> None:
        if len(hands) == len(wants):
            found.add(hands)
            return
        size, void = wants[len(hands)]
        allowed = [item for item in left if not void >> item[0] & 1]
        for hand in itertools.combinations(allowed, size):
            rest = [item for item in left if item not in hand]
            go_on(rest, (*hands, frozenset(card for _, card in hand)))

    go_on([(suit, card) for suit, pile in enumerate(unseen) for card in pile], ())
    return found


def few_cards(unseen: list[list[int]], wants: list[tuple[int, int]]) -> rules.CanyonState:
    """A table at which the first seat has no cards, and all but the `unseen` ones were played."""
    left = sum(1 << card for pile in unseen for card in pile)
    position = rules.CanyonState(1 + len(wants))
    # Hands that cannot be: of what they hold, only the number of cards may matter.
    hands = [0, *((1 << size) - 1 for size, _ in wants)]
    voids = [0, *(void for _, void in wants)]
    position.lay({
        **position.table(), "phase": rules.PLAY, "turn": 0, "played": (1 << 50) - 1 & ~left,
        "hand": hands, "void": voids,
    })
    return position


def others_redealt(table: rules.CanyonState, chance: Random) -> list[int]:
    """The hands that the first seat cannot know, drawn anew."""
    copy = table.copy()
    copy.redeal(0, chance)
    hands: list[int] = copy.table()["hand"]
    return hands[1:]


@pytest.mark.parametrize(("unseen", "wants"), [
    ([[0, 1], [10, 11], [20], [], []], [(2, 0b1), (1, 0b10)]),
    ([[0, 1, 2], [10, 11], [20], [30], []], [(2, 0b1), (2, 0b10), (1, 0)]),
    ([[0, 1, 2, 3], [10, 11], [], [30], [40]], [(1, 0b1), (1, 0b1), (1, 0b11), (2, 0)]),
    ([[0, 1, 2], [10, 11, 12], [20], [], []], [(3, 0), (2, 0)]),
    ([[0], [10], [20], [30], [40]], [(1, 0b00001), (1, 0b00010), (1, 0b00100), (1, 0b01000)]),
    ([[0], [10], [20, 21], [30], [40]], [(1, 0b1), (1, 0b11), (1, 0b111), (1, 0b100), (1, 0)]),
    ([[0, 1], [10, 11], [20], [30], [40]], [(1, 0b10), (2, 0b1), (1, 0b11), (2, 0b100)]),
    ([[0, 1], [10], [20, 21], [], [40]], [(1, 0b1), (1, 0b100), (2, 0b101), (1, 0b10001)]),
])
def test_deals_are_even(unseen: list[list[int]], wants: list[tuple[int, int]]) -> None:
    possible = every_deal(unseen, wants)
    draws = (100 if MANY else 20) * len(possible)
    chance = Random(3)
    table = few_cards(unseen, wants)
    counts = Counter(
        tuple(frozenset(each_bit(hand)) for hand in others_redealt(table, chance))
        for _ in range(draws)
    )
    assert set(counts) <= possible
    assert abs(deviations(counts, len(possible), draws)) < 4


def test_imagining_is_even_at_the_table() -> None:
    """The last trick of a round of eight: each of two others holds one of the unseen cards."""
    position = GAME.position(
        "r1.dB.tg4.pb1234567890r1234567890g1"
        "/Oc1.hp1.b3.w3/Hd1.hp2.b2.w3.vb/Be1.hp3.b0.w1.vgy otter 40"
    )
    unseen = hidden_from(position, 0)
    beaver = [card for card in unseen if suit_of(card) not in ("green", "yellow")]
    possible = len(beaver) * (len(unseen) - 1)
    draws = (40 if MANY else 5) * possible
    chance = Random(8)
    counts = Counter(
        (twin.cells["heron hand"], twin.cells["beaver hand"])
        for twin in (position.imagine(0, chance) for _ in range(draws))
    )
    assert set(counts) <= {(a, b) for a in unseen for b in beaver if a != b}
    assert abs(deviations(counts, possible, draws)) < 4


def test_a_game_without_secrets_imagines_itself() -> None:
    position = escale.game("tortuga").start()
    assert position.imagine(0, Random(1)) is position


def test_names() -> None:
    assert GAME.called("blue7", "fr") == "7 bleu"
    assert GAME.called("otter hand", "en") == "Otter’s hand"
    assert value_of("purple10") == 10
    assert suit_of("purple10") == "purple"
