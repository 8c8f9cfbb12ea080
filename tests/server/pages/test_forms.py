"""Forms as orders: sensible without a single field, and nothing impossible gets through."""

from __future__ import annotations

import re
from typing import Any

import pytest

from escale.game.errors import BadOption
from escale.game.game import Game
from escale.games import game, games
from escale.match.clock import Pace
from escale.match.limits import NAME_LETTERS
from escale.match.reading import tag
from escale.server.edge.problems import Problem
from escale.server.pages.forms import LEVEL, WAYS, order
from escale.server.tables.orders import ComputerSeat, OpenSeat, Order, PersonSeat

every_game = pytest.mark.parametrize("box", games(), ids=lambda box: str(box.slug))


def ordered(slug: str, **fields: str) -> Order:
    named = {name.replace("_", "-"): value for name, value in fields.items()}
    return order(game(slug), named, "en", "Guest")


@every_game
@pytest.mark.parametrize("way", WAYS)
def test_one_click_is_enough(box: Game[Any], way: str) -> None:
    wanted = order(box, {"way": way}, "fr", "Invité")
    assert wanted.options == dict(box.choose(box.quick))
    assert len(wanted.seats) == box.seats[0]
    kinds = [tag(type(seat)) for seat in wanted.seats]
    others = {"computer": "computer", "screen": "person", "link": "open",
              "bot": "bot"}[way]
    assert kinds == ["person", *[others] * (len(kinds) - 1)]
    assert wanted.clock is None
    assert wanted.public is False


def test_the_computer_takes_the_other_seats() -> None:
    wanted = ordered("canyon-1997", way="computer", seats="4", my_seat="2", level="pilote")
    computer = ComputerSeat("pilote")
    assert wanted.seats == [computer, computer, PersonSeat("Guest", later=True), computer]
    assert ordered("tortuga").seats[1] == ComputerSeat(LEVEL)


def test_names_on_one_screen_are_those_of_the_seats_unless_given() -> None:
    wanted = ordered("tortuga", way="screen", name_1="  Ana  ")
    assert wanted.seats == [PersonSeat("South", later=True), PersonSeat("Ana", later=True)]


def test_each_seat_of_a_link_is_chosen() -> None:
    wanted = ordered(
        "canyon-1997", way="link", seats="3", name="Est", seat_0="amiral", seat_1="me",
        seat_2="open", clock="live", minutes="5", increment="3", public="on",
        option_short="on",
    )
    assert wanted == Order(
        game="canyon-1997", options={"bids": "secret", "short": "on"},
        seats=[ComputerSeat("amiral"), PersonSeat("Est", later=True), OpenSeat()],
        clock=Pace.live(300, 3), public=True,
    )


def test_clocks() -> None:
    assert ordered("canoe", way="link", clock="days", days="7").clock == Pace.daily(7)
    assert ordered("canoe", way="screen", clock="days", days="7").clock is None


def test_letters_that_cannot_be_shown_are_left_out() -> None:
    assert ordered("canoe", name=" A\u202en\x00a\n").seats[0] == PersonSeat("Ana", later=True)
    assert ordered("canoe", name="A\u3164na\ufe00").seats[0] == PersonSeat("Ana", later=True)
    assert ordered("canoe", name="\u200b\t").seats[0] == PersonSeat("Guest", later=True)


def test_long_names_are_cut() -> None:
    assert ordered("canoe", name="x" * 500).seats[0] == PersonSeat("x" * NAME_LETTERS, later=True)


@pytest.mark.parametrize("fields", [
    {"way": "train"}, {"seats": "7"}, {"seats": "two"}, {"seats": "-2"}, {"seats": "٣"},
    {"my_seat": "2"}, {"option_first": "nobody"},
    {"way": "link", "clock": "sand"},
    {"way": "link", "clock": "live", "minutes": "1000"}, {"way": "link", "clock": "days",
                                                           "days": "0"},
])
def test_what_cannot_be_is_refused_in_the_language_of_the_reader(fields: dict[str, str]) -> None:
    with pytest.raises(BadOption) as caught:
        ordered("tortuga", **fields)
    french = Problem.of(caught.value).message("fr")
    assert french != Problem.of(caught.value).message("en")
    assert re.search("possible|proposé|il faut|se joue", french), "it says what was expected"
    assert not re.search("known|expected|unknown|seat", french)


def test_hints_are_for_tables_between_people() -> None:
    assert ordered("canoe", way="link", hints="on").hints is True
    assert ordered("canoe", way="link").hints is False
    # Against the computer and at one screen everybody may ask anyway.
    for way in ("computer", "screen"):
        assert ordered("canoe", way=way, hints="on").hints is False
