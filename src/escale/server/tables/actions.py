"""What an action asks for, as the event that it becomes."""

from __future__ import annotations

from functools import singledispatch

from escale.game.errors import BadMessage, NotNow
from escale.match.events import (
    Action,
    Answered,
    Decline,
    Declined,
    Event,
    GiveAnswer,
    Hand,
    MakeOffer,
    Offered,
    Play,
    Played,
    Publish,
    Published,
    Rename,
    Resign,
    Resigned,
    Said,
    Sat,
    Say,
    SitDown,
    Take,
    TakeBack,
    TookBack,
    Withdraw,
    Withdrew,
)
from escale.match.seating import Player

SUBSTITUTE = "bosco"
"""The level that plays on for somebody who left, when nobody chose one."""


@singledispatch
def event_of(action: Action, player: Player) -> Event:
    """The event that an action becomes; `player` is who has its seat now."""
    raise BadMessage(f"nothing is known of {type(action).__name__}")


@event_of.register
def _play(action: Play, player: Player) -> Event:
    return Played(action.seat, action.move)


@event_of.register
def _resign(action: Resign, player: Player) -> Event:
    return Resigned(action.seat)


@event_of.register
def _offer(action: MakeOffer, player: Player) -> Event:
    return Offered(action.seat, action.what, action.value)


@event_of.register
def _answer(action: GiveAnswer, player: Player) -> Event:
    return Answered(action.seat, action.yes, action.value)


@event_of.register
def _take_back(action: TakeBack, player: Player) -> Event:
    if player.level is not None:
        raise NotNow("the computer plays for this seat")
    return TookBack(action.seat)


@event_of.register
def _say(action: Say, player: Player) -> Event:
    return Said(action.seat, action.text)


@event_of.register
def _publish(action: Publish, player: Player) -> Event:
    return Published(action.seat, action.public)


@event_of.register
def _sit(action: SitDown, player: Player) -> Event:
    if not player.open:
        raise NotNow("this seat is taken already")
    return Sat(action.seat, player.name, None, action.value, bot=player.bot)


@event_of.register
def _decline(action: Decline, player: Player) -> Event:
    return Declined(action.seat, action.reason)


@event_of.register
def _withdraw(action: Withdraw, player: Player) -> Event:
    return Withdrew(action.seat, action.whom)


@event_of.register
def _hand(action: Hand, player: Player) -> Event:
    return Sat(action.seat, player.name, action.level or SUBSTITUTE, bot=player.bot)


@event_of.register
def _take(action: Take, player: Player) -> Event:
    if player.level is None:
        raise NotNow("this seat is yours already")
    return Sat(action.seat, player.name, None, bot=player.bot)


@event_of.register
def _rename(action: Rename, player: Player) -> Event:
    if player.bot:
        raise NotNow("a bot keeps the name of its account")
    return Sat(action.seat, action.name, player.level)
