"""Whatever happens at a table, in whatever order: the transcript alone tells the same state."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import escale
from escale.game.fair_random import FairRandom
from escale.game.viewer import ALL, SPECTATOR, Seat, Viewer
from escale.match.clock import Pace
from escale.match.events import Ended, OutcomeFacts
from escale.match.limits import MOST_SEATS
from escale.match.match import Match, Player
from escale.match.verify import Verdict, verify

SECRET = "a secret that nobody may see before the end"

paces = st.none() | st.builds(Pace.live, st.integers(1, 60), st.integers(0, 5)) | st.builds(
    Pace.daily, st.integers(1, 3))
players = st.builds(
    Player, st.text(max_size=5), st.sampled_from([None, None, "bosco"]), st.booleans(),
    st.none() | st.text("abc", min_size=1, max_size=3),
).filter(lambda player: player.name.isprintable())
WAYS = {
    "play": 30, "draw": 12, "begin": 1, "sit": 3, "say": 2, "offer": 4, "answer": 8, "takeback": 1,
    "resign": 0.5, "flag": 6, "reopen": 1, "rematch": 4, "end": 1,
}
"""What is attempted, and how often."""


def state(match: Match, now: int) -> dict[str, Any]:
    """Everything that is the case at a table."""
    return {
        "position": match.position.text, "choosing": match.choosing, "begun": match.begun,
        "outcome": match.outcome, "players": match.players, "values": match.values,
        "offer": match.offer, "clock": match.clock(now), "ended": match.ended,
        "takeback": match.last_person, "again": match.again, "next": match.next,
        "plies": len(match.positions),
    }


def attempt(match: Match, do: str, seat: int, choice: int, at: int) -> None:
    """Something that may or may not be possible."""
    seat = seat % match.start.seats
    reading = match.clock(at)
    late = reading.flagged[0] if reading is not None and reading.flagged else seat
    others: dict[str, Callable[[], object]] = {
        "draw": lambda: match.draw_chance(at=at),
        "begin": lambda: match.begin(at=at),
        "sit": lambda: match.sit(seat, Player("Zoé", [None, "bosco"][choice % 2]), at=at),
        "say": lambda: match.say(seat, "Bonjour " * (choice % 3), at=at),
        "offer": lambda: match.propose(seat, ["takeback", "draw", "rematch"][choice % 3], at=at),
        "answer": lambda: match.answer(seat, choice % 3 > 0, at=at),
        "takeback": lambda: match.take_back(seat, at=at),
        "resign": lambda: match.resign(seat, at=at),
        "flag": lambda: match.flag(late, [None, "bosco"][choice % 2], at=at),
        "reopen": lambda: match.reopen(at=at),
        "rematch": lambda: match.rematch(f"table-{choice}", at=at),
        "end": lambda: match.add(Ended(OutcomeFacts("time", None, [0], [1.0, 0.0]), at=at)),
    }
    if do != "play":
        others[do]()
    elif match.choosing:
        mover = match.choosing[choice % len(match.choosing)]
        moves = match.position.with_turn(mover).moves()
        match.play(mover, moves[choice % len(moves)], at=at)


@given(st.sampled_from(escale.games()), paces,
       st.lists(players, min_size=MOST_SEATS, max_size=MOST_SEATS), st.integers(0, 2**60))
@settings(max_examples=80, deadline=None, phases=[Phase.reuse, Phase.generate])
def test_a_transcript_tells_the_whole_state(
    game: escale.Game[Any], pace: Pace | None, seated: list[Player], seed: int
) -> None:
    start = game.start()
    match = Match(
        start, players=seated[:start.seats], fair_random=FairRandom(SECRET), pace=pace, waits=True
    )
    now = 1_700_000_000_000
    random = Random(seed)
    for number in range(60):
        do = random.choices(list(WAYS), list(WAYS.values()))[0]
        if number < 8:                      # first a person has to come
            do = ["sit", "sit", "begin", "say"][number % 4]
        seat, choice = random.randrange(start.seats), random.randrange(1000)
        now += random.choice([-5_000, 0, 500, 2_000, 40_000])
        before, known = state(match, now), len(match.events)
        try:
            attempt(match, do, seat, choice, now)
        except escale.EscaleError:
            # Drawing several lots can fail only before the first; else nothing has happened.
            assert len(match.events) == known
            assert state(match, now) == before
        if do != "reopen":
            keep_time(before["clock"], match.clock(now), pace, len(match.events) - known)
        run_on(match, now)
        assert (match.outcome is not None) == match.ended
        if not match.ended:
            viewers: list[Viewer] = [SPECTATOR, *map(Seat, range(start.seats))]
            for viewer in viewers:
                assert SECRET not in match.transcript(viewer)
    replayed = Match.replay(match.transcript(ALL))
    assert state(replayed, now + 500) == state(match, now + 500)
    assert replayed.transcript(ALL) == match.transcript(ALL)
    resumed = Match.resume([match.header, *match.events], FairRandom(SECRET))
    assert resumed.draw_chance(at=now) == match.draw_chance(at=now)
    assert Verdict.WRONG not in {finding.verdict for finding in verify(match.transcript(ALL))}


def keep_time(before: Any, after: Any, pace: Pace | None, events: int) -> None:
    """A clock gives time for moves only, never less than none, and never to two at once."""
    if pace is None:
        assert before is after is None
        return
    for had, has in zip(before.remaining, after.remaining, strict=True):
        assert has >= 0
        if pace.days:
            assert has <= pace.allowance
        else:
            assert has <= had + events * 1000 * (pace.increment or 0)


def run_on(match: Match, now: int) -> None:
    """While nothing happens, the time of one seat at most runs down."""
    early = match.clock(now)
    late = match.clock(early.now + 1000) if early else None
    if early is None or late is None:
        return
    for seat, (had, has) in enumerate(zip(early.remaining, late.remaining, strict=True)):
        assert has == (max(0, had - 1000) if seat in early.running else had)
