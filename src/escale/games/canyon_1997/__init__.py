"""Canyon (1997): bid, take tricks, and race canoes through a canyon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from escale import kernel
from escale.game.changes import Change
from escale.game.definition import Ending, Merit
from escale.game.game import Game
from escale.game.moves import Atoms
from escale.game.options import Option, Options
from escale.game.position import Position
from escale.game.prompts import Prompt, Situation
from escale.game.refusals import Refusal
from escale.game.scene import Cells, Scene
from escale.game.slots import Slot
from escale.game.viewer import ALL, HIDDEN, Seat, Viewer
from escale.games.canyon_1997 import board, merits, notation, refusals, story
from escale.games.canyon_1997.board import BOARD, PRINTED
from escale.games.canyon_1997.cards import (
    BIDS,
    CARDS,
    SEATS,
    SUITS,
    TRACK,
    named,
    suit_of,
    value_of,
)
from escale.games.canyon_1997.evaluation import CanyonEvaluation
from escale.games.canyon_1997.river import LANDING, NAMES, RIVER, River
from escale.games.canyon_1997.rules import BID, DEAL, DRAW, MOVE, PLAY, CanyonState
from escale.games.canyon_1997.table import (
    SLOTS,
    cells_of,
    first,
    in_secret,
    mover,
    receiver,
    state_of,
)
from escale.games.canyon_1997.tallies import tallies


class Canyon1997(Game[CanyonState]):
    """Frederick A. Herschler's game of 1997, after Bid & Bluff of 1972."""

    slug = "canyon-1997"
    title = "Canyon (1997)"
    authors = ("Frederick A. Herschler",)
    publisher = "Abacusspiele"
    year = 1997
    seat_colours = (
        "#7a4a25", "#5f7f9e", "#e8842a", "#1f9c8f", "#44474f", "#c9b98f",
    )
    minutes = (45, 60)
    age = 10
    mechanisms = ("race", "tricks", "bids")
    seat_names = SEATS
    seats = (3, 6)
    options = (Option("bids", ("secret", "open")), Option("short", ("off", "on")))
    endings = (Ending("landing", "win"), Ending("shared", "tie"), Ending("together", "tie"))
    buttons = (*SEATS, *BIDS, "draw", "trump")
    groups = MappingProxyType({"card": CARDS, "bid": BIDS})
    prompts = (
        Prompt("start", "empty", when="place"),
        Prompt("bid-secret", "bid", when="bid-secret"),
        Prompt("bid", "bid"),
        Prompt("lead", "card", when="lead"),
        Prompt("follow", "card", when="follow"),
        Prompt("discard", "card", when="discard"),
        Prompt("paddle", "empty? piece?", when="paddle"),
    )
    supplies = None                     # hands, bids, tricks and canoes have to agree
    models = ("bids", "ruff", "back-and-around", "landings")
    moving = "nearest"
    cites = refusals.CITES
    follows = True
    ways_in_atoms = False
    board = BOARD
    printed = PRINTED
    standing = SEATS
    search = "ismcts"
    evaluates = CanyonEvaluation
    themes = MappingProxyType({
        "every-trick": "points", "no-more": "points", "ruff": "discard", "discard": "discard",
        "lead": "lead", "follow": "follow",
    })

    def begin(self, options: Options, seats: int) -> CanyonState:
        """An empty river, and cards to draw for dealer."""
        return CanyonState(seats, options["short"] == "on", options["bids"] == "secret")

    def set_up(
        self, cells: Cells, turn: int, options: Options, counts: Mapping[str, str]
    ) -> CanyonState:
        """Any table that can occur in a game; see `table`."""
        short, secret = options["short"] == "on", options["bids"] == "secret"
        return state_of(cells, turn, short, secret, RIVER)

    def write_board(self, cells: Cells) -> str:
        """See `notation`."""
        return notation.write(cells)

    def read_board(self, text: str) -> Cells:
        """See `notation`."""
        return notation.read(text)

    def vocabulary(self, options: Options) -> frozenset[str]:
        """Cells, buttons, and the cards."""
        return super().vocabulary(options) | frozenset(CARDS)

    def faults(self) -> list[str]:
        """Faults in the map."""
        return River.faults((self.folder / "map.toml").read_text("utf-8"))

    # ---- the table, and the parts that each viewer may know ----

    def cells(self, state: CanyonState) -> Cells:
        """Canoes, hands, bids, tricks, and what has been played."""
        return cells_of(state.table())

    def slots(self) -> tuple[Slot, ...]:
        """See `table`."""
        return SLOTS

    def scene(self, cells: Cells, *, turn: int | None, options: Options) -> Scene:
        """See `board` and `tallies`."""
        return replace(board.scene(cells, turn=turn), tallies=tallies(cells))

    def seen(self, cells: Cells, viewer: Viewer) -> Cells:
        """Of the other hands the number of cards; of a secret bid, only that it was chosen."""
        return {name: self._seen_cell(name, value, viewer) for name, value in cells.items()}

    def _seen_cell(self, name: str, value: str | int, viewer: Viewer) -> str | int:
        seat, _, what = name.partition(" ")
        if what not in ("hand", "chosen") or _sees_hand(viewer, seat):
            return value
        if what == "chosen":
            return HIDDEN
        return value if isinstance(value, int) else len(value.split())

    def seen_chance(self, text: str, viewer: Viewer) -> str:
        """Cards of other seats are dealt face down; the draw for dealer and the trump are open."""
        to, _, _ = text.partition("-")
        return f"{to}-{HIDDEN}" if to in SEATS and not _sees_hand(viewer, to) else text

    def seen_move(self, text: str, viewer: Viewer) -> str:
        """That a seat has bid, without the number."""
        return f"bid{HIDDEN}"

    def unshown(self, state: CanyonState) -> int:
        """While seats bid in secret, all their bids."""
        table = state.table()
        return sum(bid >= 0 for bid in table["bid"]) if in_secret(table) else 0

    def choosing(self, state: CanyonState) -> tuple[int, ...]:
        """While seats bid in secret, all that have yet to bid, from the first player on."""
        table = state.table()
        if not in_secret(table):
            return (table["turn"],)
        seats = len(table["bid"])
        order = ((first(table) + number) % seats for number in range(seats))
        return tuple(seat for seat in order if table["bid"][seat] < 0)

    def with_turn(self, state: CanyonState, seat: int) -> CanyonState:
        """While seats bid in secret, any that has yet to bid can have the turn."""
        asked: CanyonState = state.copy()
        asked.ask(seat)
        return asked

    def mover(self, state: CanyonState, move: int) -> int:
        """A bid out of turn contains its seat."""
        return mover(state.table(), move)

    def seen_change(self, change: Change, viewer: Viewer) -> Change:
        """The change without the cards in other hands, the changes in them, and secret choices."""
        cells = {
            name: value if value is None else self._seen_cell(name, value, viewer)
            for name, value in change.cells.items()
        }
        seen = replace(change, cells=cells)
        if change.kind == "dealt":
            assert change.to is not None
            if not _sees_hand(viewer, change.to.removesuffix(" hand")):
                seen = replace(seen, kind="dealt-face-down", piece=None)
        if change.kind == "chose":
            assert change.at is not None
            if not _sees_hand(viewer, change.at):
                seen = replace(seen, kind="chose-face-down", piece=None)
        return seen

    def imagine(self, state: CanyonState, seat: int, random: kernel.Random) -> CanyonState:
        """The same table, with hands and bids of the others that this seat cannot rule out."""
        imagined: CanyonState = state.copy()
        imagined.redeal(seat, random)
        return imagined

    def ending_cells(self, state: CanyonState, ending: str) -> list[str]:
        """The landings on which canoes have arrived."""
        at = state.table()["at"]
        return [NAMES[cell] for cell in sorted(at) if RIVER.terrain[cell] == LANDING]

    # ---- moves ----

    def atoms(self, state: CanyonState, move: int) -> Atoms:
        """A card, a cell or a bid; chance outcomes say what the card is for."""
        table = state.table()
        phase = table["phase"]
        if phase == DRAW:
            return ("draw", CARDS[move])
        if phase == DEAL:
            return (receiver(table), CARDS[move])
        if phase == BID:
            bid, seat = BIDS[move & 0xFF], mover(table, move)
            return (bid,) if seat == table["turn"] else (SEATS[seat], bid)
        return (CARDS[move],) if phase == PLAY else (NAMES[move],)

    def situation(self, state: CanyonState) -> Situation:
        """The phase, and the numbers that matter in it."""
        table = state.table()
        phase, turn = table["phase"], table["turn"]
        if phase == BID:
            cards = TRACK[table["marker"] - 1]
            return Situation("bid-secret" if table["secret"] else "bid", {"cards": cards})
        if phase == PLAY and table["led"] < 0:
            return Situation("lead")
        if phase == PLAY:
            suit = SUITS[table["led"]]
            holds = any(suit_of(card) == suit for card in named(table["hand"][turn]).split())
            return Situation("follow" if holds else "discard", {"suit": f"suit.{suit}"})
        if phase == MOVE:
            return Situation("paddle", {"points": state.points(turn)})
        return Situation("place")

    def refuse(self, position: Position, atoms: Atoms) -> Refusal | None:
        """See `refusals`."""
        return refusals.refuse(position, atoms)

    def changes(self, state: CanyonState, move: int) -> Iterator[Change]:
        """See `story`."""
        return story.changes(state, move)

    def merits(
        self, cells: Cells, seat: int, atoms: Atoms, others: Sequence[Atoms]
    ) -> Iterator[Merit]:
        """See `merits`."""
        return merits.merits(cells, seat, atoms, others)

    def exercise(self, state: CanyonState, move: int) -> tuple[int, ...] | None:
        """After the last trick, the seats that have taken as many as they bid."""
        if state.table()["phase"] != PLAY:
            return ()
        after = state.copy()
        after.begin(move)
        table = after.table()
        while table["phase"] == PLAY and after.go_on():
            table = after.table()
        if table["phase"] == PLAY:
            return None
        taken = enumerate(zip(table["won"], table["bid"], strict=True))
        return tuple(seat for seat, (won, bid) in taken if won == bid)

    def motifs(self, state: CanyonState, move: int) -> Iterator[str]:
        """A ruff, and how many more tricks the seat wants: none, or all that are left."""
        table = state.table()
        seat, card = table["turn"], CARDS[move]
        trumps = suit_of(CARDS[table["trump"]])
        if table["led"] >= 0 and suit_of(card) == trumps != SUITS[table["led"]]:
            yield "ruff"
        missing = table["bid"][seat] - table["won"][seat]
        if missing == 0:
            yield "no-more"
        elif missing == table["hand"][seat].bit_count():
            yield "every-trick"

    # ---- words ----

    def narrate(self, change: Change, lang: str) -> str:
        """Also the earnings of a seat's cards: tricks and bonus as cells to paddle."""
        if not change.values:
            return super().narrate(change, lang)
        assert change.piece is not None
        tricks, points = change.values["tricks"], change.values["points"]
        return self.texts.say(
            f"change.{change.kind}", lang, piece=self.called(change.piece, lang),
            tricks=self.called(BIDS[tricks], lang), bonus=points - tricks,
            points=self.texts.count("points", lang, points),
        )

    def forms(self, atom: str, lang: str) -> tuple[str, ...]:
        """A card also by suit and value in the other order; a bid by its number alone."""
        if atom in BIDS:
            return (*super().forms(atom, lang), atom.removeprefix("bid"))
        if atom not in CARDS:
            return super().forms(atom, lang)
        suit, value = self.texts.say(f"suit.{suit_of(atom)}", lang), value_of(atom)
        return (*super().forms(atom, lang), f"{suit}{value}", f"{suit} {value}", f"{value} {suit}")

    def called(self, word: str, lang: str, branches: tuple[str, ...] = ("seat", "area")) -> str:
        """Cards, hands and bids have names made of several words."""
        if word in CARDS:
            suit = self.texts.say(f"suit.{suit_of(word)}", lang)
            return self.texts.say("name.card", lang, value=value_of(word), suit=suit)
        seat, _, what = word.partition(" ")
        if what and seat in SEATS:
            key = "name.card-before" if what == "card" else f"name.{what}"
            return self.texts.say(key, lang, seat=self.texts.say(f"seat.{seat}", lang))
        if word in SEATS:
            return self.texts.say(f"seat.{word}", lang)
        if word in BIDS:
            return self.texts.say(f"atom.{word}", lang)
        return super().called(word, lang, branches)


def _sees_hand(viewer: Viewer, seat: str) -> bool:
    return viewer is ALL or (isinstance(viewer, Seat) and SEATS[viewer.number] == seat)


GAMES = (Canyon1997(),)
