"""A match in a terminal: the board in characters, moves typed, refusals explained."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

from escale.cli.language import MisreadTranscript
from escale.cli.words import facts_of, wrap_text
from escale.game.choices import Choices
from escale.game.errors import NotNow
from escale.game.fair_random import FairRandom
from escale.game.position import Position
from escale.game.refusals import explain
from escale.game.texts import house, plain
from escale.game.viewer import ALL, SPECTATOR, Seat, Viewer
from escale.games import games
from escale.kernel import CHANCE
from escale.match.events import Event, Played
from escale.match.match import Match, Player
from escale.opponents import think
from escale.render.text import board_in_words
from escale.study.hints import hint

#: Pieces that belong to no seat have the style of their colour.
COLOURS = {
    "red": "bold red", "blue": "bold blue", "green": "bold green", "yellow": "bold yellow",
    "black": "bold bright_black", "white": "bold bright_white",
}
STYLES = ("bold green", "bold red", "bold blue", "bold yellow", "bold magenta", "bold cyan")

SHOWN_MOVES = 80
"""If there are more legal moves, only their first atoms are listed."""
STAND_IN = "bosco"
"""The level that takes over a seat."""

HELP = ("aide", "help")
UNDO = ("annuler", "undo")
RESIGN = ("abandon", "resign")
QUIT = ("quitter", "quit", "q")
RULE = ("regle", "rule")
HINT = ("conseil", "hint")


class Terminal:
    """One match at a terminal: people type, computers think."""

    def __init__(self, match: Match, *, keep: Path | None, lang: str, console: Console) -> None:
        self.match = match
        self.keep = keep
        self.lang = lang
        self.console = console
        self._shown: Position | None = None
        # Other random numbers than those of chance: computers must not know what will be drawn.
        secret = match.fair_random.secret if match.fair_random else secrets.token_hex(16)
        self._computer_random = FairRandom(f"{secret} wits")

    @classmethod
    def open(
        cls, start: Position, *, levels: Mapping[int, str], seed: int | None = None,
        keep: Path | None = None, lang: str, console: Console | None = None,
    ) -> Terminal:
        """A new match, or the one kept in a file."""
        fair_random = FairRandom(secrets.token_hex(16) if seed is None else str(seed))
        match = Match(
            start, fair_random=fair_random,
            players=[Player(level=levels.get(seat)) for seat in range(start.seats)],
        )
        if keep is not None and keep.exists():
            try:
                match = Match.replay(keep.read_text("utf-8"))
            except UnicodeDecodeError as error:
                raise MisreadTranscript("not-text", path=keep) from error
            if match.game is not start.game:
                raise MisreadTranscript("other-game", path=keep, game=match.game.title)
            match.fair_random = fair_random     # the file does not contain the old secret
        return cls(match, keep=keep, lang=lang, console=console or Console(highlight=False))

    def say(self, key: str, **values: object) -> None:
        """Print a sentence of the texts under `table`."""
        print_text(self.console, self.match.game.texts.say(f"table.{key}", self.lang, **values))

    def run(self) -> None:
        """Play until the game is over or a player leaves."""
        self.say("goal", goal=self.match.game.texts.say("goal", self.lang))
        self.say("help", example=self._example())
        try:
            while self.match.turn is not None:
                self.save_transcript()
                if not self.take_turn():
                    break
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        self.save_transcript()
        if self.match.outcome is not None:
            self.show_board()
            print_text(self.console, self.match.outcome.text(self.lang), "bold")
        if self.keep is not None:
            self.say("saved", path=self.keep)
        self.say("goodbye")

    def take_turn(self) -> bool:
        """One chance outcome, one computer's move or one line typed; False when a player leaves."""
        match, seat = self.match, self.match.turn
        if seat == CHANCE:
            match.draw_chance()
            self._tell_last_move()
            return True
        assert seat is not None
        name = match.game.seat_name(seat, self.lang)
        if level := match.players[seat].level:
            self.say("thinking", seat=name, level=match.game.called(level, self.lang, ("level",)))
            seed = self._computer_random.stream(len(match.events)).below(2**32 - 1)
            found = think(match.position, level, seed=seed)
            match.play(seat, found.move)
            self._tell_last_move()
            return True
        self.show_board()
        prompt = match.position.prompt(self.lang)
        return self.obey_line(seat, ask(
            self.console,
            match.game.texts.say("table.your-move", self.lang, seat=name, prompt=prompt),
        ))

    def obey_line(self, seat: int, line: str) -> bool:
        """Do what the line typed asks for; False when the player leaves."""
        word, *rest = plain(line).split() or [""]
        if word in QUIT:
            return False
        if word == "?":
            moves = sorted(move.label(self.lang) for move in self.match.position.moves())
            if len(moves) > SHOWN_MOVES:
                moves = self._label_atoms(self.match.position.choices())
            self.say("possible", moves=",  ".join(moves))
        elif word in HELP:
            self.say("help", example=self._example())
        elif word in UNDO:
            self.take_back(seat)
        elif word in RESIGN:
            self.resign_seat(seat)
        elif word in RULE:
            self.print_rules(rest)
        elif word in HINT:
            self.print_hint()
        else:
            self.play_line(seat, line)
        return True

    def play_line(self, seat: int, line: str) -> None:
        """Play the move typed, or print its possible continuations, or the reason of a refusal."""
        position = self.match.position
        atoms = position.game.split(line)
        node = position.choices().after(*atoms)
        if node is not None and node.move is not None:
            self.match.play(seat, node.move)
            self._tell_last_move()
        elif node is not None and node is not position.choices():
            print_text(self.console, position.prompt(self.lang, *atoms))
            self.say("next", moves=", ".join(self._label_atoms(node)))
        else:
            refusal = explain(position, line)
            print_text(self.console, refusal.text(self.lang), "yellow")

    def _label_atoms(self, node: Choices) -> list[str]:
        return [self.match.game.word(atom, self.lang) for atom in node.next]

    def resign_seat(self, seat: int) -> None:
        """Resign; with more than two seats the computer takes the seat instead."""
        if self.match.start.seats == 2:
            self.match.resign(seat)
        else:
            self.match.sit(seat, Player(level=STAND_IN))
            self.say("handed-over", seat=self.match.game.seat_name(seat, self.lang))

    def take_back(self, seat: int) -> None:
        """Take back this seat's last move; at one terminal the others need not agree."""
        try:
            self.match.take_back(seat)
            self.say("undone")
        except NotNow:
            self.say("nothing-to-undo")

    def print_rules(self, words: list[str]) -> None:
        """Read a paragraph of the rules, or all of them."""
        paragraphs = self.match.game.rules[self.lang].paragraphs
        if not words:
            chosen = paragraphs
        elif found := [one for one in paragraphs if words[0] in (one.id, str(one.number))]:
            chosen = tuple(found)
        else:
            self.say("no-such-rule", last=len(paragraphs))
            return
        for paragraph in chosen:
            source = self.match.game.texts.say(f"provenance.{paragraph.provenance}", self.lang)
            text = paragraph.text.replace("*", "")
            print_text(self.console, f"{paragraph.number}. {text} [{source}]")

    def print_hint(self) -> None:
        """Print the computer's move, the reason, and the expected continuation."""
        found = hint(self.match.position)
        text = f"{found.text(self.lang)} {found.further(self.lang)}".rstrip()
        print_text(self.console, text, "green")

    def show_board(self) -> None:
        """Print the board, unless it was the last thing shown."""
        if self._shown is self.match.position:
            return
        self._shown = self.match.position
        print_board(self.console, self._shown, self._viewer(), self.lang)
        for countdown in self._shown.countdowns:
            if countdown.near:
                words = self.match.game.countdown_words(countdown, self.lang)
                print_text(self.console, words, "yellow")

    def save_transcript(self) -> None:
        """Write the whole transcript to a new file, then replace the old one."""
        if self.keep is None:
            return
        fresh = self.keep.with_name(self.keep.name + ".new")
        fresh.write_text(self.match.transcript(ALL), "utf-8")
        fresh.replace(self.keep)

    def _tell_last_move(self) -> None:
        """Print a sentence about the last move."""
        move = self.match.position.last
        assert move is not None
        viewer = self._viewer()
        story = move.narrate(self.lang, viewer)
        mover = move.seat
        if mover == CHANCE or not self.match.shows(self._last_event(), viewer):
            print_text(self.console, story)
        else:
            name = self.match.game.seat_name(mover, self.lang)
            self.say("plays", seat=name, move=move.label(self.lang), story=story)

    def _last_event(self) -> Event:
        """The event of the last move, which may have ended the match."""
        return next(event for event in reversed(self.match.events) if isinstance(event, Played))

    def _viewer(self) -> Viewer:
        """The viewer at the screen: the only person, else the seat to move.

        When the match is over nothing is hidden any more; with several people, no hand is shown
        while it is the turn of chance.
        """
        match = self.match
        people = [seat for seat, player in enumerate(match.players) if player.level is None]
        if match.turn is None:
            return ALL
        if len(people) == 1:
            return Seat(people[0])
        return SPECTATOR if match.turn == CHANCE else Seat(match.turn)

    def _example(self) -> str:
        position = self.match.position
        while position.turn == CHANCE:
            position = position.play(position.moves()[0])
        moves = position.moves()
        return moves[len(moves) // 2].label(self.lang) if moves else ""


def print_text(console: Console, text: str, style: str | None = None) -> None:
    """Print a text, broken into lines at its ordinary spaces."""
    console.print(wrap_text(text, console.width), style=style, markup=False)


def print_board(console: Console, position: Position, viewer: Viewer, lang: str) -> None:
    """Print the board as a viewer sees it, with the pieces in colours."""
    scene = position.scene(viewer)
    board = Text(board_in_words(position.game, scene, lang))
    for glyph, piece in {piece.glyph: piece for piece in scene.pieces}.items():
        neutral = COLOURS.get(piece.name.split()[0], "dim")
        style = neutral if piece.owner is None else STYLES[piece.owner]
        board.highlight_regex(rf"{re.escape(glyph)}\w*", style)
    console.print()
    console.print(board)
    console.print()


def ask(console: Console, question: str) -> str:
    """Print a question, and return the line typed in answer."""
    return console.input(f"{wrap_text(question.rstrip(), console.width)} ", markup=False).strip()


def choose_game(lang: str) -> None:
    """Show the shelf, ask for a game, and play it."""
    console = Console(highlight=False)
    known = games()
    texts = house()
    print_text(console, texts.say("shelf.title", lang), "bold")
    for number, game in enumerate(known, 1):
        authors = ", ".join(game.authors)
        print_text(console, f"  {number}. {game.title} ({authors}) – {facts_of(game, lang)}")
    try:
        while True:
            wish = plain(ask(console, texts.say("shelf.choose", lang)))
            if wish in QUIT:
                return
            if wish.isdigit() and 1 <= int(wish) <= len(known):
                break
            print_text(console, texts.say("shelf.unknown", lang, last=len(known)))
        game = known[int(wish) - 1]
        alone = plain(ask(console, texts.say("shelf.against", lang)))[:1] in ("o", "c")
        levels = dict.fromkeys(range(1, game.seats[0]), STAND_IN) if alone else {}
        start = game.start_with(game.quick)
        if game.quick:
            console.print(texts.say("shelf.quick", lang, game=game.slug))
        Terminal.open(start, levels=levels, lang=lang, console=console).run()
    except (EOFError, KeyboardInterrupt):
        console.print()
