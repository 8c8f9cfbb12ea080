"""The results of a match for the bots that played in it."""

from __future__ import annotations

from collections.abc import Iterable

from escale.match.match import Match
from escale.store import BotResult, Token


def bot_results(match: Match, tokens: Iterable[Token]) -> list[BotResult]:
    """Won, drawn or lost, for each bot; a result that says nothing about a bot is left out.

    That is the case if some seat has not moved, if all seats are the bot's own, or if the computer
    played for it in the end.
    """
    outcome, players = match.outcome, match.players
    if outcome is None or match.position.plies < len(players):
        return []
    found = []
    for token in tokens:
        seats = [seat for seat in token.seats if players[seat].bot]
        if not seats or len(seats) == len(players) \
                or any(players[seat].level is not None for seat in seats):
            continue
        if not outcome.winners:
            found.append(BotResult(token.sha256, drawn=1))
        elif any(seat in outcome.winners for seat in seats):
            found.append(BotResult(token.sha256, won=1))
        else:
            found.append(BotResult(token.sha256, lost=1))
    return found
