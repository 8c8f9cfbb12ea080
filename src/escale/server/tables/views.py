"""The messages of a table: its state as a viewer may see it, and the changes of that state.

Everything passes through `redact` and `seen_by`. Renderings are kept while the position stays the
same, so that a hundred spectators of an open game cost one rendering.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import Any
from urllib.parse import urlencode

from msgspec import convert, structs

from escale.game.changes import Change
from escale.game.errors import EscaleError
from escale.game.game import Game
from escale.game.moves import Move
from escale.game.position import Outcome, Position
from escale.game.scene import Scene
from escale.game.state_of_play import Play, board_part, difference
from escale.game.viewer import ALL, SPECTATOR, Seat, Viewer
from escale.kernel import CHANCE
from escale.match.clock import DAY_MS
from escale.match.events import (
    Answered,
    Began,
    Declined,
    Ended,
    Event,
    Flagged,
    Offered,
    Paused,
    Played,
    Published,
    Said,
    SaidPhrase,
    Sat,
    Withdrew,
    as_json,
)
from escale.match.match import Match, Player, redact
from escale.match.reading import tag
from escale.match.seating import called, set_up_words, shown, stand_in
from escale.render.text import board_in_words
from escale.server.edge.problems import sentences
from escale.server.tables.branches import branch
from escale.server.tables.messages import OutcomeState
from escale.server.tables.phrases import phrase_words
from escale.server.workers.off_loop import long_off_loop, off_loop

PAGE_EVENTS = 200
"""The state has this many events, the last ones; clients ask for earlier ones page by page …"""
PAGE_LETTERS = 20_000
"""… and the letters of chat and moves that a page may have."""

PLIES_OF_THE_END = 4
"""The moves before the end among which one is named that captured or jumped."""

EVENTS_AT_ONCE = 100
"""Events whose sentences can be made on the event loop."""

BYTES_OF_CODE = 8
"""A legal move takes this many bytes …"""
BYTES_OF_CHOICE = 250
"""… and this many once it is spelled; both measured."""
BYTES_OF_RENDERING = 5_000
"""The estimated bytes of a scene, of its differences, or of choices."""

SENT_PAUSES = 7
"""News have at most this many pauses; after more, a client shows the present at once."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How a connection sees a table."""

    seats: tuple[int, ...] = ()
    """The seats that its token holds."""
    viewer: Viewer = SPECTATOR
    """One of these seats, or a spectator."""
    lang: str = "fr"
    lean: bool = False
    """Without scenes and sentences, for programs that follow the game themselves."""

    @classmethod
    def of(cls, seats: tuple[int, ...], wish: int | None, lang: str, lean: bool = False) -> Sight:
        """The sight as the wished seat, if it is among the holder's own."""
        own = wish if wish in seats else seats[0] if len(seats) == 1 else None
        return cls(seats, SPECTATOR if own is None else Seat(own), lang, lean)

    @property
    def seat(self) -> int | None:
        """The seat of the viewer; None for a spectator."""
        return self.viewer.number if isinstance(self.viewer, Seat) else None


def situation(position: Position, lang: str) -> dict[str, Any]:
    """The facts that the page's prompts need beyond the atoms, in the words of a language."""
    found = position.situation
    return {"name": found.name, "values": found.said(position.game.texts, lang)}


def board_address(position: Position) -> str:
    """The address of a position's board, whose content never changes."""
    part = board_part(position.game, position.options, position.seats)
    query = urlencode({"seats": position.seats, **position.options.changed})
    return f"/api/games/{position.game.slug}/boards/{part.fingerprint}?{query}"


def outcome_state(
    outcome: Outcome | None, lang: str, called: Sequence[str] = (), after: str = ""
) -> OutcomeState | None:
    """How a game ended, with a sentence."""
    if outcome is None:
        return None
    return convert(
        {
            **outcome.as_json(), "text": outcome.text(lang, called), "cells": list(outcome.cells),
            "where": outcome.where(lang), "after": after,
        },
        OutcomeState,
    )


def last_blow(position: Position, viewer: Viewer, lang: str) -> str:
    """What the latest of the last moves that captured or jumped did, in words; or nothing."""
    for move in position.line()[-PLIES_OF_THE_END:][::-1]:
        changes = move.seen_by(viewer)
        words, called = sentences(), position.game.called
        if taken := [change.at for change in changes if change.kind == "captured" and change.at]:
            return words.count("after-captures", lang, len(taken), place=called(taken[-1], lang))
        if jumped := [change.over for change in changes if change.kind == "jumped" and change.over]:
            place = called(jumped[-1], lang)
            return words.count("after-jumps", lang, len(jumped), place=place)
    return ""


def countdowns(position: Position, lang: str) -> list[dict[str, Any]]:
    """The endings that the game will reach by itself soon."""
    return [
        {
            "ending": countdown.name, "left": countdown.left,
            "text": position.game.countdown_words(countdown, lang),
        }
        for countdown in position.countdowns if countdown.near
    ]


def badges(position: Position, viewer: Viewer, scene: Scene, lang: str) -> list[dict[str, Any]]:
    """The emblem of each seat, and the game's counts for it, in words."""
    game = position.game
    cells = game.seen(position.cells, viewer)
    return [
        {
            "symbol": game.emblem(seat, cells), "name": game.emblem_name(seat, cells, lang),
            "tallies": [
                game.tally_words(tally, lang)
                for tally in scene.tallies.get(game.seat_names[seat], ())
            ],
        }
        for seat in range(position.seats)
    ]


class Views:
    """The renderings of one match."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.game: Game[Any] = match.game
        self._board = board_part(match.game, match.start.options, match.start.seats)
        self._board_address = board_address(match.start)
        self._position: Position | None = None
        self._kept: dict[tuple[Any, ...], Any] = {}
        self._players: list[Player] = []
        self._kept_of_players: dict[tuple[Any, ...], Any] = {}
        self._log_so_far: dict[
            tuple[Viewer, str], tuple[list[tuple[str, str | None]], set[int]]
        ] = {}
        """The log's sentences so far, and the indices of moves that are still hidden."""
        self._seated: list[tuple[int, list[Player]]] = [(0, list(match.header.seats))]
        """The players after each event that changed them."""
        self._looked_through = 0
        """How many events have been looked through for that."""

    def viewer(self, sight: Sight) -> Viewer:
        """The viewer of a sight: in open games a spectator for everyone; at the end, `ALL`."""
        if not self.game.hides:
            return SPECTATOR
        return sight.viewer if self.match.outcome is None else ALL

    def _of_position(self) -> dict[tuple[Any, ...], Any]:
        position = self.match.position
        if position is not self._position:
            self._position = position
            self._kept.clear()
        return self._kept

    def scene(self, viewer: Viewer) -> Scene:
        """The scene, with the last move lit."""
        kept = self._of_position()
        key = ("scene", viewer)
        if key not in kept:
            kept[key] = self.match.position.scene(viewer)
        found: Scene = kept[key]
        return found

    def play(self, viewer: Viewer) -> Play:
        """The state of play: the scene without what its board has."""
        kept = self._of_position()
        key = ("play", viewer)
        if key not in kept:
            kept[key] = self._play(self.scene(viewer))
        found: Play = kept[key]
        return found

    def _play(self, scene: Scene) -> Play:
        return {"board": self._board_address, **self._board.state_of_play(scene)}

    def text(self, sight: Sight, ply: int | None = None) -> str:
        """The board as text, now or after a number of moves."""
        viewer = self.viewer(sight)
        scene = self.scene(viewer) if ply is None else self.match.positions[ply].scene(viewer)
        return board_in_words(self.game, scene, sight.lang)

    def choices(self, sight: Sight) -> dict[str, Any]:
        """The choices of the seat to move; null for all other viewers."""
        if sight.lean or not self.chooses(sight):
            return {"choices": None, "situation": None}
        kept, position = self._of_position(), self.asked(sight)
        turn = position.turn
        if ("choices", turn) not in kept:
            kept["choices", turn] = branch(self.game, position.choices())
        asked = ("situation", turn, sight.lang)
        if asked not in kept:
            kept[asked] = situation(position, sight.lang)
        return {"choices": kept["choices", turn], "situation": kept[asked]}

    async def prepare(self, sight: Sight | None = None) -> None:
        """Compute off the event loop what takes long: many choices, and a long log for a sight.

        The table's lock must be held until they are used.
        """
        position = self.match.position
        key = "choices", position.turn
        asked = sight is None or (not sight.lean and self.chooses(sight))
        if asked and position.crowded and key not in self._of_position():
            found = await long_off_loop(lambda: branch(self.game, position.choices()))
            self._of_position()[key] = found
        if sight is not None and not sight.lean:
            viewer = self.viewer(sight)
            known, _ = self._log_so_far.get((viewer, sight.lang), ((), ()))
            for until in range(len(known) + EVENTS_AT_ONCE, len(self.match.events), EVENTS_AT_ONCE):
                await off_loop(self._tell, sight, viewer, until)

    async def prepare_spelling(self, text: str) -> None:
        """Prepare off the event loop for reading a move, if that takes long."""
        position = self.match.position
        if position.crowded:
            with suppress(EscaleError):             # the move will be refused later
                await long_off_loop(position.find, text)

    async def prepare_choices(self) -> None:
        """Compute all choices off the event loop, if there are many."""
        position = self.match.position
        if position.crowded:
            await long_off_loop(position.choices)

    @property
    def size(self) -> int:
        """The estimated bytes of everything that can be computed again, except the log's words."""
        position = self.match.position
        known = 0 if position._legal is None else position._legal.count
        spelled = 0 if position._choices is None else known
        return known * BYTES_OF_CODE + spelled * BYTES_OF_CHOICE \
            + len(self._kept) * BYTES_OF_RENDERING

    def drop_caches(self) -> None:
        """Drop everything that can be computed again."""
        self.match.position.drop_caches()
        self._kept.clear()

    def chooses(self, sight: Sight) -> bool:
        """Whether a seat of this sight has to choose a move now."""
        return any(
            seat in sight.seats and self.match.players[seat].level is None
            and (not self.game.hides or sight.viewer == Seat(seat))
            for seat in self.match.choosing
        )

    def asked(self, sight: Sight) -> Position:
        """The position in which a player who `chooses` is asked: with the turn of their seat."""
        match = self.match
        own = sight.seat if sight.seat in match.choosing else match.turn
        assert own is not None
        return match.position.with_turn(own)

    # ---- the log ----

    def log(
        self, sight: Sight, since: int = 0, until: int | None = None
    ) -> list[dict[str, Any]]:
        """Events, each with its sentence, moves also as people read them.

        They are those after `since`, up to `until`.
        """
        match = self.match
        viewer = self.viewer(sight)
        if sight.lean:
            return [
                as_json(redact(match, event, sight.viewer)) for event in match.events[since:until]
            ]
        sentences = self._tell(sight, viewer)
        return [
            {
                **as_json(redact(match, match.events[index], sight.viewer)),
                "ply": match.plies_after[index], "sentence": sentences[index][0],
                **({"label": label} if (label := sentences[index][1]) is not None else {}),
                **({"by": by} if (by := self._played_by(match.events[index], sight.lang)) else {}),
            }
            for index in range(len(match.events))[since:until]
        ]

    def _tell(
        self, sight: Sight, viewer: Viewer, until: int | None = None
    ) -> list[tuple[str, str | None]]:
        """For each event, or those up to a number, its sentence, and its move in words."""
        match = self.match
        sentences, veiled = self._log_so_far.setdefault((viewer, sight.lang), ([], set()))
        due = [index for index in sorted(veiled) if match.shows(match.events[index], sight.viewer)]
        until = len(match.events) if until is None else until
        due += range(len(sentences), until)
        if due:
            sentences += [("", None)] * (until - len(sentences))
            moves = match.moves_since(due[0], until)
            for index in due:
                sentences[index] = self._sentence(index, moves[index - due[0]], sight)
                shown = match.shows(match.events[index], sight.viewer)
                (veiled.discard if shown else veiled.add)(index)
        return sentences

    def _sentence(self, index: int, move: Move | None, sight: Sight) -> tuple[str, str | None]:
        """The log's sentence for an event, and its move in words."""
        match = self.match
        event = redact(match, match.events[index], sight.viewer)
        if move is None:
            phrase = isinstance(event, SaidPhrase) and phrase_words(sight.lang)[event.phrase]
            return self._event_sentence(event, sight.lang), phrase or None
        sentence = move.narrate(sight.lang, self.viewer(sight))
        known = isinstance(event, Played) and match.shows(match.events[index], sight.viewer)
        return sentence, move.label(sight.lang) if known else None

    def page(self, sight: Sight, before: int | None = None) -> list[dict[str, Any]]:
        """The last page of the log, or the one that ends before an event."""
        count = len(self.match.events)
        until = count if before is None else min(before - 1, count)
        return self.log(sight, self._page_begins(until), until)

    def on_page(self, since: int) -> bool:
        """Whether the last page has all events after `since`."""
        return since >= self._page_begins(len(self.match.events))

    def _page_begins(self, until: int) -> int:
        events, since, room = self.match.events, until, PAGE_LETTERS
        while since > 0 and until - since < PAGE_EVENTS and room > 0:
            since -= 1
            event = events[since]
            room -= len(getattr(event, "text", "")) + len(getattr(event, "move", ""))
        return since

    def news(self, sight: Sight, since: int) -> list[dict[str, Any]]:
        """The same, with the changes on the table and the pauses between them."""
        items = self.log(sight, since)
        if sight.lean:
            return items
        viewer = self.viewer(sight)
        moves = self.match.moves_since(since)
        pauses = sum(bool(change.look) for move in moves if move for change in move.changes)
        return [
            {
                **item, "changes": self._changes(move.seen_by(viewer), sight.lang),
                **({"pauses": self._pauses(move, viewer)} if 0 < pauses <= SENT_PAUSES else {}),
            } if move else item
            for item, move in zip(items, moves, strict=True)
        ]

    def _changes(self, changes: Sequence[Change], lang: str) -> list[dict[str, Any]]:
        """A move's changes as they are sent; each with its sentence, if some explain others."""
        if not any(change.values for change in changes):
            return [change.as_json() for change in changes]
        return [
            change.as_json() | {"sentence": self.game.narrate(change, lang)} for change in changes
        ]

    def _pauses(self, move: Move, viewer: Viewer) -> list[dict[str, Any]]:
        """The pauses of a move: for each the differences from the present state of play."""
        now = self.play(viewer)
        return [
            {"after": pause.after, "scene": difference(now, self._play(pause.scene))}
            for pause in move.pauses(viewer)
        ]

    def called(self, lang: str) -> list[str]:
        """The names of the players in sentences; no two are the same."""
        names: list[str] = self._of_players(("called", lang), lambda: called(
            self.match.players, self.game, lang
        ))
        return names

    def _of_players(self, key: tuple[Any, ...], work_out: Callable[[], Any]) -> Any:
        """The data that depend on the players, kept until these change."""
        players = self.match.players
        if players != self._players:
            self._players = list(players)
            self._kept_of_players.clear()
        if key not in self._kept_of_players:
            self._kept_of_players[key] = work_out()
        return self._kept_of_players[key]

    def _players_before(self, number: int) -> list[Player]:
        """The players before an event."""
        for event in self.match.events[self._looked_through:]:
            players = list(self._seated[-1][1])
            match event:
                case Sat(seat=seat):
                    players[seat] = Player(event.name, event.level, bot=event.bot)
                case Declined(seat=seat):
                    players[seat] = Player(open=True)
                case Flagged(seat=seat, level=level) if level is not None:
                    players[seat] = structs.replace(players[seat], level=level)
                case _:
                    continue
            self._seated.append((event.n or 0, players))
        self._looked_through = len(self.match.events)
        return self._seated[bisect_left(self._seated, number, key=itemgetter(0)) - 1][1]

    def _played_by(self, event: Event, lang: str) -> str | None:
        """The computer that has moved for a person, and for whom."""
        if not isinstance(event, Played):
            return None
        player = self._players_before(event.n or 1)[event.seat]
        if player.level is None or not player.name:
            return None
        return stand_in(self.game.called(player.level, lang, ("level",)), player.name, lang)

    def _offer_before(self, number: int) -> Offered | None:
        """The last offer before an event."""
        earlier = self.match.events[number - 2:: -1] if number > 1 else []
        return next((event for event in earlier if isinstance(event, Offered)), None)

    def _event_sentence(self, event: Event, lang: str) -> str:
        """The sentence for an event other than a move."""
        say = sentences().say
        number: int | None = getattr(event, "seat", None)
        names = called(self._players_before(event.n or 1), self.game, lang)
        seat = "" if number is None else names[number]
        match event:
            case Ended():
                outcome = self.match.outcome
                return f"{outcome.text(lang, names)} {outcome.where(lang)}".rstrip() \
                    if outcome else ""
            case Began() if self.match.dealt_by_hand:
                return self.dealt_by_hand(lang) or ""
            case Began() if self.match.composed:
                return say("log.begin-composed", lang)
            case Sat():
                return self._sitting_sentence(event, seat, lang)
            case Declined(reason=reason):
                name = shown(self.match.header.seats[event.seat].name, lang)   # no longer a player
                seat = self.game.seat_name(event.seat, lang)
                return say(f"log.decline.{reason or 'other'}", lang, seat=seat, name=name)
            case Withdrew(whom=whom):
                name = shown(self.match.header.seats[whom].name, lang)
                return say("log.withdraw", lang, seat=seat, name=name)
            case Flagged(level=level) if level is not None:
                name = shown(self._players_before(event.n or 1)[event.seat].name, lang)
                level = self.game.called(level, lang, ("level",))
                seat = name or self.game.seat_name(event.seat, lang)
                return f"{say('log.flag', lang, seat=seat)} " \
                    f"{say('log.hand', lang, seat=seat, level=level)}"
            case Answered(yes=True):
                return say("log.yes", lang, seat=seat)
            case Answered():
                offer = self._offer_before(event.n or 1)
                if offer is None or offer.seat == event.seat:
                    return say("log.withdrawn", lang, seat=seat)
                return say(f"log.no.{offer.what}", lang, seat=seat, name=names[offer.seat])
            case Offered(what=what):
                return say(f"log.offer.{what}", lang, seat=seat)
            case Paused(until=until, at=at):
                days = -(-max(0, until - (at or 0)) // DAY_MS)
                return sentences().count("log.pause", lang, days, seat=seat) if days \
                    else say("log.back", lang, seat=seat)
            case Published(public=public):
                return say("log.public" if public else "log.private", lang, seat=seat)
            case SaidPhrase(phrase=phrase):
                return say("log.say", lang, name=seat, text=phrase_words(lang)[phrase])
            case Said(text=text):
                return say("log.say", lang, name=seat, text=text)
            case _:
                return say(f"log.{tag(type(event))}", lang, seat=seat)

    def _sitting_sentence(self, event: Sat, before: str, lang: str) -> str:
        """A player sits down, changes the name, or lets the computer play.

        `before` is the name of the former player.
        """
        say, name = sentences().say, event.name
        seat = self.game.seat_name(event.seat, lang)
        if event.level is not None:
            level = self.game.called(event.level, lang, ("level",))
            key = f"log.fault.{event.fault}" if event.fault is not None else "log.hand"
            return say(key, lang, seat=name or seat, level=level)
        player = self._players_before(event.n or 1)[event.seat]
        if player.level is not None and name:
            return say("log.take", lang, name=name)
        if player.level is None and not player.open:
            return say("log.rename", lang, seat=before, name=name) if name else ""
        if event.bot:
            return say("log.sit-bot", lang, seat=seat, name=name)
        if name in ("", seat):
            return say("log.sit-unnamed", lang, seat=seat)
        return say("log.sit", lang, seat=seat, name=name)

    def transcript(self, sight: Sight) -> str:
        """The whole match as JSON lines."""
        return self.match.transcript(sight.viewer)

    # ---- the state ----

    def common(
        self, sight: Sight, *, table: str, public: bool, present: Iterable[bool], now: int,
        away: float,
    ) -> dict[str, Any]:
        """The state that all viewers of one kind get in the same language."""
        match, lang = self.match, sight.lang
        outcome, turn, choosing, offer = match.outcome, match.turn, match.choosing, match.offer
        clock = match.clock(now)
        state: dict[str, Any] = {
            "table": table, "game": self.game.slug, "title": self.game.title,
            "n": len(match.events),
            "ply": match.ply, "moves": match.position.plies, "begun": match.begun,
            "seats": self.seats(present, lang),
            "countdowns": [] if outcome is not None else countdowns(match.position, lang),
            "turn": "chance" if turn == CHANCE else turn,
            "choosing": list(choosing), "unshown": match.position.unshown,
            "veiled": self._veiled(),
            "thinking": any(match.players[seat].level is not None for seat in choosing),
            "outcome": outcome and outcome_state(
                outcome, lang, self.called(lang),
                last_blow(match.position, self.viewer(sight), lang),
            ),
            "offer": offer and {
                "seat": offer.seat, "what": offer.what, "agreed": sorted(offer.agreed),
            },
            "clock": clock and clock.as_json(),
            "public": public, "commitment": match.commitment, "values": list(match.values),
            "composed": match.composed, "dealt_by_hand": self.dealt_by_hand(lang),
            "secret": match.fair_random.secret if match.fair_random and outcome else None,
            "next": match.next, "hidden": self.game.hides, "away": away,
            "hints": match.header.hints,
        }
        if not sight.lean:
            viewer = self.viewer(sight)
            state["takeback"] = match.last_person if match.begun and outcome is None else None
            state["scene"] = self.play(viewer)
            state["near"] = self.game.near(self.game.seen(match.position.cells, viewer))
            state["badges"] = self.badges(viewer, lang)
        return state

    def _veiled(self) -> bool:
        """Whether some seat sees something that a spectator does not."""
        if not self.game.hides or self.match.outcome is not None:
            return False
        kept = self._of_position()
        if ("veiled",) not in kept:
            position = self.match.position
            known = position.text_for(SPECTATOR)
            kept["veiled",] = any(
                position.text_for(Seat(seat)) != known for seat in range(position.seats)
            )
        found: bool = kept["veiled",]
        return found

    def dealt_by_hand(self, lang: str) -> str | None:
        """That hidden cards were set up, and by whom; None where chance has drawn them."""
        match = self.match
        return set_up_words(match.header.set_up_by, lang) if match.dealt_by_hand else None

    def badges(self, viewer: Viewer, lang: str) -> list[dict[str, Any]]:
        """The emblem of each seat, and the game's counts for it, in words."""
        kept = self._of_position()
        key = ("badges", viewer, lang)
        if key not in kept:
            kept[key] = badges(self.match.position, viewer, self.scene(viewer), lang)
        found: list[dict[str, Any]] = kept[key]
        return found

    def seats(self, present: Iterable[bool], lang: str) -> list[dict[str, Any]]:
        """The players of the seats."""
        holders: list[dict[str, Any]] = self._of_players(("holders", lang), lambda: [
            self._holder(seat, lang) for seat in range(len(self.match.players))
        ])
        return [
            {**holder, "present": there} for holder, there in zip(holders, present, strict=True)
        ]

    def _holder(self, seat: int, lang: str) -> dict[str, Any]:
        player = self.match.players[seat]
        awaited = player.open and bool(player.name)
        status = (
            "computer" if player.level is not None
            else "open" if player.open and not awaited else "person"
        )
        return {
            "seat": seat, "label": self.game.seat_name(seat, lang),
            "name": player.name if player.bot else shown(player.name, lang),
            "status": status, "level": player.level,
            "level_name": player.level and self.game.called(player.level, lang, ("level",)),
            "awaited": awaited, "called": self.called(lang)[seat],
            **({"bot": True} if player.bot and player.level is None else {}),
        }

    def ply(self, number: int, sight: Sight) -> dict[str, Any]:
        """The table as it was after a number of moves, for the replay."""
        position = self.match.positions[number]
        viewer = self.viewer(sight)
        sentence = position.last.narrate(sight.lang, viewer) if position.last else ""
        open_to_all = not self.game.hides or viewer is ALL
        return {
            "ply": number, "move": position.last.text if position.last and open_to_all else None,
            "sentence": sentence, "scene": self._play(position.scene(viewer)),
            "pauses": [self._play(pause.scene) for pause in position.last.pauses(viewer)]
            if position.last else [],
        }


def changed(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """The changed fields of a state; of its scene, only what differs."""
    found = {name: value for name, value in after.items() if before.get(name) != value}
    if "scene" in found and "scene" in before:
        found["scene"] = difference(before["scene"], after["scene"])
    return found
