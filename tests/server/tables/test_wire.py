"""Hidden hands and bids on the wire: every byte that is sent to a seat, and nothing that it may not
know."""

from __future__ import annotations

import json
import random
import re
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.game.position import Position
from escale.game.viewer import Seat
from tests.server.hosting import MOUSSE, OPEN, Ear, Hosted, Table, hosted, person

GAME = escale.game("canyon-1997")


def hands(position: Position) -> list[set[str]]:
    """The cards that every seat has."""
    return [
        set(str(position.cells[f"{name} hand"]).split())
        for name in GAME.seat_names[: position.seats]
    ]


def cards_in(text: str) -> set[str]:
    """Every card that a text names, in notation or in words of either language."""
    found = set(re.findall(r"(?:blue|red|green|yellow|purple)\d+", text))
    for lang in ("en", "fr"):
        found |= {card for card, words in NAMES[lang].items() if re.search(words, text)}
    return found


NAMES = {
    lang: {
        card: rf"{re.escape(GAME.called(card, lang))}(?!\d)"
        for colour in ("blue", "red", "green", "yellow", "purple")
        for number in range(1, 11) for card in [f"{colour}{number}"]
    }
    for lang in ("en", "fr")
}


SITUATIONS = {prompt.when for prompt in GAME.prompts if prompt.when}


class Player:
    """One seat, or a spectator: what it is sent, and what it must not have been told."""

    def __init__(self, table: Table, seat: int | None, ear: Ear) -> None:
        self.table, self.seat, self.ear = table, seat, ear
        self.veiled = 0
        self.n = self.check(ear.next("state"), since=0)

    def follow(self, n: int) -> None:
        while self.n < n:
            self.n = self.check(self.ear.next("events"), since=self.n)

    def check(self, message: dict[str, Any], since: int) -> int:
        """No card of the others' hands, at that moment, is in what arrived."""
        kept = self.table.hosted.house.tables[self.table.id].match
        ply = kept.plies_after[message["n"] - 1]
        message.pop("log", None)            # what is played may be dealt again in a later round
        others = hands(kept.positions[ply])
        mine = others.pop(self.seat) if self.seat is not None else set()
        secret: set[str] = set().union(*others)
        assert not secret & cards_in(json.dumps(message, ensure_ascii=False))
        self.check_bids(message, kept.positions[ply])
        self.check_situation(message, kept.positions[ply].choosing)
        if mine and message.get("scene"):
            assert mine <= cards_in(json.dumps(message["scene"]))
        return int(message["n"])


    def check_bids(self, message: dict[str, Any], position: Position) -> None:
        """That others have chosen a bid is told, but not which."""
        own = GAME.seat_names[self.seat] if self.seat is not None else ""
        veiled = [name for name in position.cells if name.endswith(" chosen") and own not in name]
        scene = message.get("scene") or message.get("state", {}).get("scene") or {}
        pieces = scene.get("pieces", [])
        if isinstance(pieces, dict):                # what came
            pieces = [piece for _, piece in pieces["in"]]
        labels = {at: dict(facts).get("label", "") for at, _, _, *facts in
                  (piece for piece in pieces if len(piece) > 2)}
        assert {labels[name] for name in veiled if name in labels} <= {"?"}
        seats = [GAME.seat_names.index(name.split()[0]) for name in veiled]
        for event in message.get("events", ()):
            if event["do"] == "play" and event["move"].startswith("bid") and event["seat"] in seats:
                assert event["move"] == "bid?"
                assert "label" not in event
                assert not re.search(r"\d", event["sentence"])
                assert [change["kind"] for change in event["changes"]] == ["chose-face-down"]
                self.veiled += 1

    def check_situation(self, message: dict[str, Any], choosing: tuple[int, ...]) -> None:
        """What is asked is told to the seats that choose alone, in few bytes."""
        state = message.get("state", message)
        if (situation := state.get("situation")) is not None:
            assert self.seat in choosing
            assert len(json.dumps(situation)) < 200
            assert situation["name"] in SITUATIONS


def play_on(house: Hosted, seats: int, moves: int, seed: int) -> None:
    """A table of people at several browsers, one of them a computer, and one who watches."""
    chance = random.Random(seed)
    table = house.create("canyon-1997", person("0"), *[OPEN] * (seats - 2), MOUSSE)
    tables = [table, *(table.sit(seat, name=str(seat)) for seat in range(1, seats - 1))]
    with ExitStack() as stack:
        players = [
            Player(one, seat, stack.enter_context(one.live(lang=chance.choice(["fr", "en"]))))
            for seat, one in enumerate(tables)
        ]
        nobody = table.holding(None)
        players.append(Player(nobody, None, stack.enter_context(nobody.live())))
        dealt = False
        for _ in range(moves):
            state = table.get()
            turn = state["turn"]
            if turn == seats - 1:
                for player in players:
                    player.follow(state["n"] + 1)
                continue
            legal = tables[turn].get("/moves")["moves"]
            waiting = [
                other for seat, other in enumerate(tables) if seat not in state["choosing"]
            ]
            assert not any(other.get("/moves")["moves"] for other in waiting)
            tables[turn].play(turn, chance.choice(legal)["text"])
            n = table.get()["n"]
            for player in players:
                player.follow(n)
                player.check({**player.table.get(lang="en")}, since=0)
            kept = house.house.tables[table.id].match
            dealt = dealt or any(hands(kept.position))
        assert dealt
        assert sum(player.veiled for player in players) > 1
        check_the_past(tables, nobody)


def check_the_past(tables: list[Table], nobody: Table) -> None:
    """Logs, transcripts and replays show the deal as each seat saw it."""
    house = tables[0].hosted.house
    kept = house.tables[nobody.id].match
    for seat, table in [*enumerate(tables), (None, nobody)]:
        own = GAME.seat_names[seat] if seat is not None else ""
        lines = [json.loads(line) for line in table.get("/transcript").splitlines()[1:]]
        for told in (lines, table.get()["log"], table.get("/events", since=0)["events"]):
            dealt = [entry["move"].partition("-") for entry in told if entry["do"] == "draw"]
            open_draws = [to for to, _, card in dealt if to in GAME.seat_names and card != "?"]
            assert set(open_draws) <= {own}
            assert sum(to in GAME.seat_names and to != own for to, _, _ in dealt) > 0
        for ply in range(0, len(kept.positions), 5):
            before = json.dumps(table.get(f"/plies/{ply}", lang="en"), ensure_ascii=False)
            others = [cards for other, cards in enumerate(hands(kept.positions[ply]))
                      if other != seat]
            assert not set().union(*others) & cards_in(before)
    # Asking for another's eyes gives one's own.
    assert tables[1].get("", **{"as": 0})["you"] == {"seats": [1], "as": 1}
    assert nobody.get("", **{"as": 0})["you"] == {"seats": [], "as": None}


@pytest.mark.parametrize("seats", [3, 6])
def test_hidden_hands_never_leave(tmp_path: Path, seats: int) -> None:
    with hosted(tmp_path) as house:
        play_on(house, seats, moves=2 * seats + 4, seed=seats)


def test_the_check_itself_would_notice() -> None:
    position = GAME.start(seats=3, seed=1)
    while not any(hands(position)):
        position = position.play(position.moves()[0])
    secret = hands(position)[1]
    assert secret <= cards_in(json.dumps(position.scene(Seat(1)).as_json()))
    assert not secret & cards_in(json.dumps(position.scene(Seat(0)).as_json()))
    told = GAME.called(next(iter(secret)), "fr")
    assert secret & cards_in(f"Loutre joue {told}.")
