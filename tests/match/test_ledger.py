"""Tables that wait, clocks, chat, rematches: what a match keeps besides its moves."""

from __future__ import annotations

import hashlib
import json

import pytest
from msgspec import structs

import escale
from escale.game.fair_random import FairRandom
from escale.game.viewer import ALL, SPECTATOR, Seat
from escale.kernel import CHANCE, Random
from escale.match.clock import DAY_MS, Pace, Reading
from escale.match.events import (
    Began,
    Drawn,
    Event,
    Offered,
    Played,
    Resigned,
    Said,
    Sat,
    as_json,
    read_event,
)
from escale.match.match import Match, Player, redact

NOON = 1_700_000_000_000


def again(match: Match) -> Match:
    """The match as its transcript tells it."""
    replayed = Match.replay(match.transcript(ALL))
    assert replayed.transcript(ALL) == match.transcript(ALL)
    return replayed


def reading(match: Match, now: int) -> Reading:
    shown = match.clock(now)
    assert shown is not None
    assert again(match).clock(now) == shown
    return shown


# ---- waiting ----

def waiting() -> Match:
    players = [Player("Ana", value="pebble"), Player(open=True)]
    start = escale.game("tortuga").start()
    return Match(start, players=players, fair_random=FairRandom("deep"), waits=True)


def test_a_match_with_an_open_seat_waits() -> None:
    match = waiting()
    assert match.turn is None
    assert not match.begun
    assert match.outcome is None
    for event in (Played(0, "d2-d3"), Resigned(0), Offered(0, "draw")):
        with pytest.raises(escale.NotBegun, match="has not begun"):
            match.add(event)
    assert match.draw_chance() == []
    with pytest.raises(escale.NotNow, match="still open"):
        match.begin()
    match.say(0, "Anybody there?")
    match.sit(1, Player("Bea", value="shell"))
    match.begin()
    assert match.begun
    assert match.values == ("pebble", "shell")
    assert match.turn == CHANCE
    with pytest.raises(escale.NotNow, match="begun already"):
        match.begin()
    again(match)


def test_an_open_seat_needs_a_match_that_waits() -> None:
    start = escale.game("tortuga").start()
    with pytest.raises(escale.NotNow, match="has to wait"):
        Match(start, players=[Player(), Player(open=True)])
    with pytest.raises(escale.NotNow, match="has to wait"):
        Match(start, players=[Player(value="pebble"), Player()])


def test_chance_outcomes_follow_from_the_secret_and_every_value() -> None:
    match = waiting()
    match.sit(1, Player("Bea", value="shell"))
    match.begin()
    (event,) = match.draw_chance()
    digest = hashlib.sha256(b"deep:pebble:shell:0").digest()
    expected = match.start.draw(Random(int.from_bytes(digest[:8], "big")))
    assert isinstance(event, Drawn)
    assert event.move == expected.text
    assert hashlib.sha256(b"deep").hexdigest() == match.commitment
    drawn = {
        tuple(FairRandom("deep", ("pebble", value)).stream(0).below(1 << 30) for _ in range(2))
        for value in ("shell", "sand", None)
    }
    assert len(drawn) == 3


def test_values_cannot_change() -> None:
    match = waiting()
    with pytest.raises(escale.NotNow, match="given its value already"):
        match.sit(0, Player("Ana", value="other"))
    match.sit(0, Player("Anna"))                    # a new name only
    assert match.players[0] == Player("Anna", value="pebble")
    match.sit(1, Player("Bea"))
    with pytest.raises(escale.NotNow, match="not the one that its seat gave"):
        match.add(Began(["other", None]))
    with pytest.raises(escale.BadMessage, match=r"values\[1\]: expected a word"):
        match.add(Began(["pebble", "a:b"]))
    with pytest.raises(escale.BadMessage, match="2 values"):
        match.add(Began(["pebble"]))
    match.begin()
    with pytest.raises(escale.NotNow, match="can no longer change"):
        match.sit(1, Player("Bea", value="late"))


def test_a_restarted_house_goes_on_drawing_the_same_lots() -> None:
    match = waiting()
    match.sit(1, Player("Bea", value="shell"))
    match.begin()
    resumed = Match.resume([match.header, *match.events], FairRandom("deep"))
    assert resumed.draw_chance() == match.draw_chance()
    with pytest.raises(escale.BadTranscript, match="line 1: .*committed"):
        Match.resume([match.header], FairRandom("shallow"))


# ---- clocks ----

def timed(pace: Pace, *players: Player, game: str = "tortuga") -> Match:
    options = {"first": "south"} if game == "tortuga" else {}
    start = escale.game(game).start_with(options)
    return Match(start, players=players, fair_random=FairRandom("deep"), pace=pace)


def test_a_real_time_clock() -> None:
    match = timed(Pace.live(60, 5))
    assert as_json(match.header)["clock"] == {"initial": 60, "increment": 5}
    assert reading(match, NOON) == Reading("live", (60_000, 60_000), (), NOON)
    match.play(0, "d2-d3", at=NOON)                 # the first move costs nothing
    assert reading(match, NOON + 10_000).remaining == (65_000, 50_000)
    match.play(1, "d6-d5", at=NOON + 20_000)
    shown = reading(match, NOON + 30_000)
    assert shown == Reading("live", (55_000, 45_000), (0,), NOON + 30_000)
    assert shown.as_json() == {
        "kind": "live", "remaining": [55_000, 45_000], "running": [0], "now": NOON + 30_000,
        "paused": []}
    match.resign(0, at=NOON + 40_000)
    assert reading(match, NOON + DAY_MS).remaining == (45_000, 45_000)
    assert reading(match, NOON + DAY_MS).running == ()


def test_out_of_time() -> None:
    match = timed(Pace.live(60))
    match.play(0, "d2-d3", at=NOON)
    with pytest.raises(escale.NotNow, match="not out of time"):
        match.flag(1, at=NOON + 59_999)
    with pytest.raises(escale.NotNow, match="not out of time"):
        match.flag(0, at=NOON + 60_000)
    with pytest.raises(escale.NotNow, match="is out of time"):
        match.play(1, "d6-d5", at=NOON + 60_000)
    assert reading(match, NOON + 60_000).flagged == (1,)
    match.flag(1, at=NOON + 60_000)
    assert match.outcome is not None
    assert match.outcome.as_json() == {
        "ending": "time", "rule": None, "winners": [0], "shares": [1.0, 0.0]}
    assert match.outcome.text("fr") == "Nord n’a plus de temps\xa0: Sud gagne."
    assert match.outcome.text("en") == "North is out of time: South wins."
    assert as_json(again(match).events[-1])["do"] == "end"


def test_days_for_every_move() -> None:
    match = timed(Pace.daily(3))
    match.say(0, "Hello", at=NOON)
    assert reading(match, NOON + DAY_MS).remaining == (2 * DAY_MS, 3 * DAY_MS)
    match.play(0, "d2-d3", at=NOON + 2 * DAY_MS)
    assert reading(match, NOON + 4 * DAY_MS).remaining == (3 * DAY_MS, DAY_MS)
    match.flag(1, at=NOON + 5 * DAY_MS)
    assert match.outcome is not None
    assert match.outcome.name == "time"


def test_among_several_the_computer_plays_on_for_who_is_out_of_time() -> None:
    match = timed(Pace.live(60), game="canyon-1997")
    match.draw_chance(at=NOON)
    first = match.turn
    assert first is not None
    match.play(first, match.position.moves()[0], at=NOON)
    late = match.turn
    assert late is not None
    with pytest.raises(escale.BadMessage, match="level at which"):
        match.flag(late, at=NOON + 60_000)
    match.flag(late, "mousse", at=NOON + 60_000)
    assert match.players[late].level == "mousse"
    assert match.outcome is None
    assert reading(match, NOON + 70_000).running == ()
    with pytest.raises(escale.NotNow, match="is out of time"):
        match.sit(late, Player("Ana"), at=NOON + 70_000)
    match.sit(late, Player("Ana", "bosco"), at=NOON + 70_000)


def test_a_computer_is_not_on_the_clock() -> None:
    match = timed(Pace.live(60), Player("Ana"), Player(level="bosco"))
    match.play(0, "d2-d3", at=NOON)
    assert reading(match, NOON + DAY_MS) == Reading("live", (60_000, 60_000), (), NOON + DAY_MS)
    match.play(1, "d6-d5", at=NOON + DAY_MS)
    assert reading(match, NOON + DAY_MS + 1000).remaining == (59_000, 60_000)
    match.sit(0, Player("Ana", "mousse"), at=NOON + DAY_MS + 1000)
    assert reading(match, NOON + 2 * DAY_MS).remaining == (59_000, 60_000)
    match.sit(0, Player("Ana"), at=NOON + 2 * DAY_MS)
    assert reading(match, NOON + 2 * DAY_MS + 1000).remaining == (58_000, 60_000)


def test_nobody_pays_for_a_closed_house() -> None:
    match = timed(Pace.live(60))
    match.play(0, "d2-d3", at=NOON)
    match.reopen(at=NOON + DAY_MS)
    assert reading(match, NOON + DAY_MS + 1000) == Reading(
        "live", (60_000, 59_000), (1,), NOON + DAY_MS + 1000)
    with pytest.raises(escale.NotNow, match="without a clock"):
        Match(escale.game("tortuga").start()).reopen(at=NOON)


def test_a_clock_that_was_set_back_gives_no_time() -> None:
    match = timed(Pace.live(60))
    match.play(0, "d2-d3", at=NOON)
    match.say(1, "Hm", at=NOON + 10_000)
    match.say(1, "Hm", at=NOON - DAY_MS)
    assert reading(match, NOON).remaining == (60_000, 50_000)
    assert reading(match, NOON + 20_000).remaining == (60_000, 40_000)


def test_with_a_clock_every_event_has_its_time() -> None:
    match = timed(Pace.live(60))
    with pytest.raises(escale.NotNow, match="needs its time"):
        match.play(0, "d2-d3")
    for strange in (-1, 1.5, True, "now", 1 << 60):
        with pytest.raises(escale.BadMessage, match="at: expected"):
            match.add(Played(0, "d2-d3", at=strange))  # type: ignore[arg-type]


@pytest.mark.parametrize("clock", [
    {"initial": 0, "increment": 5}, {"initial": 60}, {"initial": 60, "increment": -1},
    {"initial": 1.5, "increment": 0}, {"initial": True, "increment": 0}, {"days": 0},
    {"days": 1000}, {"days": 1, "increment": 2}, {}, [], "fast", 3,
])
def test_strange_clocks_are_refused(clock: object) -> None:
    header = {**as_json(Match(escale.game("canoe").start()).header), "clock": clock}
    with pytest.raises(escale.BadTranscript, match="line 1: .*clock"):
        Match.replay(json.dumps(header))


# ---- talk ----

def test_talk_and_names_have_limits() -> None:
    match = Match(escale.game("tortuga").start(first="south"))
    match.say(0, "Bonjour !\nÇa va ? \N{GRINNING FACE} \u2028")
    for text in ("", "  \n", "x" * 501, "\x00", "\x1b[31m", "\u202eevil", "\ud800", 7, None):
        with pytest.raises(escale.BadMessage):
            match.add(Said(0, text))  # type: ignore[arg-type]
    for name in ("x" * 41, "a\nb", "\u2066", None):
        with pytest.raises(escale.BadMessage, match="name"):
            match.add(Sat(0, name, None))  # type: ignore[arg-type]
        with pytest.raises(escale.BadMessage, match="name"):
            Match(match.start, players=[Player(name), Player()])  # type: ignore[arg-type]
    match.sit(0, Player("x" * 40))
    assert len(match.events) == 2
    match.resign(1)
    match.say(0, "Thank you!")                      # also afterwards
    again(match)


def test_an_event_says_nothing_unexpected() -> None:
    for event, why in (
        ({"do": "say", "seat": 0, "text": "psst", "secret": "x"}, "unknown field `secret`"),
        ({"do": "say", "seat": 0, "text": "psst", "id": "x" * 65}, "id: .*length <= 64"),
        ({"do": "say", "seat": 6, "text": "psst"}, "seat: .*<= 5"),
        ({"do": "say", "seat": 0, "text": "\u202eevil"}, "text: .*direction marks"),
        ({"do": "say", "seat": 0}, "required field `text`"),
        ({"do": "dance"}, "do: expected one of begin, sit, decline, withdraw, play"),
        ({"seat": 0}, "do: expected one of begin, sit, decline, withdraw, play"),
    ):
        with pytest.raises(escale.BadMessage, match=why):
            read_event(json.dumps(event))


def test_what_the_sender_calls_an_event_stays_in_the_house() -> None:
    match = Match(escale.game("tortuga").start(first="south"))
    match.add(Played(0, "d2-d3", id="tab-7"))
    assert "tab-7" in match.transcript(ALL)
    for viewer in (Seat(0), Seat(1), SPECTATOR):
        assert "tab-7" not in match.transcript(viewer)
    match.resign(0)
    assert "tab-7" not in match.transcript(Seat(1))


def test_spectators_see_no_hand_before_the_end() -> None:
    match = Match(escale.game("canyon-1997").start(), fair_random=FairRandom("deep"))
    dealt: list[Event] = []
    while not dealt:
        match.draw_chance()
        assert match.turn is not None
        match.play(match.turn, match.position.moves()[0])
        dealt = [event for event in match.events
                 if isinstance(event, Drawn) and event.move.startswith("otter-")]
    for event in dealt:
        for viewer in (SPECTATOR, Seat(1)):
            assert as_json(redact(match, event, viewer))["move"] != as_json(event)["move"]
        assert redact(match, event, Seat(0)) == event
    assert match.fair_random is not None
    assert match.fair_random.secret not in match.transcript(SPECTATOR)


# ---- rematch ----

def test_a_rematch() -> None:
    match = Match(escale.game("tortuga").start(first="south"))
    with pytest.raises(escale.NotNow, match="draw or takeback"):
        match.propose(0, "rematch")
    match.propose(0, "draw")
    match.resign(0)
    assert match.offer is None                      # it ended with the game
    with pytest.raises(escale.NotNow, match="offer of rematch"):
        match.propose(0, "draw")
    with pytest.raises(escale.NotNow, match="no rematch is agreed"):
        match.rematch("abc")
    match.propose(1, "rematch")
    match.answer(0, False)
    match.propose(0, "rematch")
    match.answer(1, True)
    assert match.again
    assert match.next is None
    with pytest.raises(escale.NotNow, match="agreed"):
        match.propose(0, "rematch")
    with pytest.raises(escale.BadMessage, match="word"):
        match.rematch("/etc")
    match.rematch("abc-1")
    with pytest.raises(escale.NotNow, match="no rematch"):
        match.rematch("abc-2")
    assert again(match).next == "abc-1"
    assert [as_json(event)["do"] for event in match.events].count("end") == 1
    with pytest.raises(escale.NotNow, match="already"):
        match.add(structs.replace(match.events[2], n=len(match.events) + 1))


def test_an_offer_can_be_withdrawn() -> None:
    match = Match(escale.game("tortuga").start(first="south"))
    match.propose(0, "draw")
    match.answer(0, False)
    assert match.offer is None
    match.propose(0, "draw")


def test_what_could_not_be_written_leaves_the_header_as_it_was() -> None:
    start = escale.game("canyon-1997").start(seats=3, seed=1)
    match = Match(
        start, players=[Player("Otter"), Player("Seal"), Player(level="mousse")], waits=True,
        fair_random=FairRandom("deep"), pace=Pace.live(60, 5), hints=True, set_up_by="Otter",
        phrases=True,
    )
    before = match.header
    assert all(getattr(before, name) for name in before.__struct_fields__)
    match.begin(at=NOON)
    match.rewind(0)
    assert match.header == before
    assert match.events == []
