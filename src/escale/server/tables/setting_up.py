"""The match that an order asks for, before anything has happened."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence

from msgspec import structs

from escale.game.errors import BadSetup, Impossible
from escale.game.fair_random import FairRandom
from escale.game.position import Position
from escale.games import game as game_named
from escale.match.match import Match, Player
from escale.server.tables.orders import AnySeat, BotSeat, ComputerSeat, OpenSeat, Order, PersonSeat


def players_of(order: Order, check_level: Callable[[str, str], None]) -> list[Player]:
    """The players for the seats of an order; `check_level` refuses a level that is unknown."""
    return [_player(wish, order.game, check_level) for wish in order.seats]


def _player(wish: AnySeat, slug: str, check_level: Callable[[str, str], None]) -> Player:
    match wish:
        case ComputerSeat(level=level):
            check_level(level, slug)
            return Player("", level)
        case PersonSeat(name=name, later=later):
            # A person who sits down later has a name and a token; the seat is open until then.
            if later and not name:
                raise BadSetup("no-name")
            return Player(name, open=later)
        case BotSeat(name=name):
            return Player(name, open=True, bot=True)
        case OpenSeat():
            return Player(open=True)


def people_of(order: Order) -> list[int]:
    """The seats of an order that persons have."""
    return [seat for seat, wish in enumerate(order.seats) if isinstance(wish, PersonSeat)]


def first_match(
    order: Order, start: Position, players: Sequence[Player], *, phrases: bool
) -> Match:
    """The match of an order, with a new secret for its chance outcomes."""
    people, players = people_of(order), list(players)
    if people and order.value is not None:
        players[people[0]] = structs.replace(players[people[0]], value=order.value)
    return Match(
        start, players=players, fair_random=FairRandom(secrets.token_hex(16)), pace=order.clock,
        waits=True, hints=order.hints, phrases=phrases,
        set_up_by=None if order.position is None
        else next((players[seat].name for seat in people), "") or None,
    )


def first_position(order: Order) -> Position:
    """The first position of a match: the game's own, or the one that the order gives."""
    box, seats = game_named(order.game), len(order.seats)
    if order.position is None:
        return box.start_with(order.options, seats=seats)
    start = box.position(order.position, options=order.options)
    if start.turn is None:
        raise Impossible("over")
    if start.seats != seats:
        raise BadSetup("position-seats", wanted=seats, seats=start.seats)
    return start
