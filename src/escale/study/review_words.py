"""A review in words, in one language: for pages, files and the terminal."""

from __future__ import annotations

from collections import Counter

import msgspec

from escale.game.moves import Move
from escale.game.position import Position
from escale.game.texts import number as written
from escale.kernel import CHANCE, Line
from escale.match.match import Match
from escale.match.seating import called, named
from escale.study.analysis import verdict
from escale.study.judging import LOSSES, MARKS, Mark
from escale.study.review import Review, ReviewedLine, ReviewedMove, TurningPoint
from escale.study.words import words

SYMBOLS: dict[Mark, str] = {
    "best": "★", "only": "□", "good": "·", "inaccuracy": "?!", "mistake": "?", "blunder": "??",
}
"""The signs beside moves, as in printed games; the words have the same meaning."""


class StepText(msgspec.Struct, frozen=True):
    """One move of a line."""

    text: str
    label: str
    who: str


class LineText(msgspec.Struct, frozen=True):
    """A continuation of the game, and its value."""

    steps: list[StepText]
    verdict: str
    proven: bool


class MoveText(msgspec.Struct, frozen=True, kw_only=True):
    """A move of the match with its judgement in words."""

    number: int
    ply: int
    """The number of moves and chance outcomes on the table before it."""
    seat: int
    who: str
    text: str
    label: str
    mark: str
    """The name of its mark; empty if it has none."""
    symbol: str
    judged: str
    """The mark in words, or the reason why there is none."""
    why: str
    """The reason in a sentence; may be empty."""
    open: str
    """Its value with all cards open, in words; empty if nothing was hidden."""
    better: str
    """The notation of a better move; empty if it cost little."""
    before: list[int]
    """Every seat's expected share before it, in hundredths; empty if it is not judged yet."""


class TurnText(msgspec.Struct, frozen=True, kw_only=True):
    """A turning point."""

    index: int
    sentence: str
    """What was missed there, and by whom."""
    title: str
    why: str
    open: str
    better: LineText
    played: LineText


class SeatText(msgspec.Struct, frozen=True):
    """One seat's part of the match."""

    name: str
    player: str
    colour: str
    marks: dict[str, int]
    loss: float
    """The average cost of its moves, as a share of the win."""


class ReviewText(msgspec.Struct, frozen=True, kw_only=True):
    """A review in words."""

    game: str
    title: str
    result: str
    effort: str
    """The budget, in a sentence."""
    knowing: str
    """A sentence on the knowledge by which moves were judged, if something was hidden."""
    seats: list[SeatText]
    moves: list[MoveText]
    turns: list[TurnText]
    end: list[int]
    """Every seat's share at the end, in hundredths."""
    start: str
    """The first position, and …"""
    line: list[str]
    """… all moves and chance outcomes since."""


def write_review(review: Review, match: Match, lang: str) -> ReviewText:
    """A review in words; the match must be the one that was reviewed."""
    return _Teller(review, match, lang).review()


def mark_name(mark: str, lang: str) -> str:
    """The name of a mark."""
    return words().say(f"review.mark.{mark}", lang)


def percent(share: float, lang: str) -> str:
    """A share in hundredths."""
    return words().say("review.percent", lang, number=round(100 * share))


class _Teller:
    """Puts one review into words."""

    def __init__(self, review: Review, match: Match, lang: str) -> None:
        self._review = review
        self._match = match
        self._lang = lang
        self._positions = match.positions
        self._called = called(match.players, match.game, lang)

    def review(self) -> ReviewText:
        review, match = self._review, self._match
        assert match.outcome is not None
        counted = self._say(
            "review.simulations" if self._by_simulations else "review.nodes",
            number=written(
                review.simulations if self._by_simulations else review.nodes, self._lang
            ),
        )
        return ReviewText(
            game=review.game, title=self._say("review.title", title=match.game.title),
            result=match.outcome.text(self._lang, self._called),
            effort=self._say("review.effort", effort=counted),
            knowing=self._say("review.knowing") if review.hides else "",
            seats=[self._seat(seat) for seat in range(match.start.seats)],
            moves=[self._move(index) for index in range(len(review.moves))],
            turns=[self._turn(turn) for turn in review.turns],
            end=_hundredths(review.curve[-1].shares),
            start=match.start.text, line=match.line(),
        )

    @property
    def _by_simulations(self) -> bool:
        return self._match.game.search != "alphabeta" or self._match.start.seats != 2

    def _say(self, key: str, **values: object) -> str:
        return words().say(key, self._lang, **values)

    def _name(self, seat: int) -> str:
        return self._called[seat]

    def _position(self, move: ReviewedMove) -> Position:
        return self._positions[move.ply]

    def _label(self, move: ReviewedMove, text: str) -> str:
        return self._position(move).find(text).label(self._lang)

    def _seat(self, seat: int) -> SeatText:
        moves = [move for move in self._review.moves if move.seat == seat]
        judged = [move for move in moves if move.mark is not None]
        counts = Counter(move.mark for move in judged)
        player = self._match.players[seat]
        level = player.level and self._match.game.called(player.level, self._lang, ("level",))
        return SeatText(
            self._match.game.seat_name(seat, self._lang),
            level or named(player.name, player.bot, self._lang),
            self._match.game.seat_colours[seat],
            {mark: counts[mark] for mark in MARKS},
            round(sum(move.loss for move in judged) / max(1, len(judged)), 4),
        )

    def _move(self, index: int) -> MoveText:
        move = self._review.moves[index]
        return MoveText(
            number=index + 1, ply=move.ply, seat=move.seat, who=self._name(move.seat),
            text=move.move, label=self._label(move, move.move), mark=move.mark or "",
            symbol=SYMBOLS[move.mark] if move.mark else "", judged=self._judged(move),
            why=self._why(move), open=self._open(move),
            better=move.best if move.mark in LOSSES else "",
            before=[] if move.pending else _hundredths(self._review.curve[index].shares),
        )

    def _judged(self, move: ReviewedMove) -> str:
        if move.mark is not None:
            return mark_name(move.mark, self._lang)
        if move.pending:
            return self._say("review.pending")
        return self._say("review.forced" if move.forced else "review.lost")

    def _why(self, move: ReviewedMove) -> str:
        if move.mark == "only":
            return self._say("review.why.only")
        if move.mark in (None, "best", "good"):
            return ""
        better = self._label(move, move.best)
        if move.wins:
            return self._say("review.why.won", better=better)
        if move.loses:
            return self._say(
                "review.why.loses", better=better, before=percent(move.before, self._lang)
            )
        return self._say(
            "review.why.known" if move.open else "review.why.lost", better=better,
            seat=self._name(move.seat),
            before=percent(move.before, self._lang), after=percent(move.after, self._lang),
        )

    def _open(self, move: ReviewedMove) -> str:
        if move.open is None or move.mark in (None, "best", "only", "good"):
            return ""
        before, after = (shares[move.seat] for shares in (move.open.best, move.open.played))
        key = "worse" if before - after >= 0.01 else "better" if after - before >= 0.01 else "same"
        return self._say(
            f"review.open.{key}", better=self._label(move, move.best),
            before=percent(before, self._lang), after=percent(after, self._lang),
        )

    def _turn(self, turn: TurningPoint) -> TurnText:
        move = self._review.moves[turn.index]
        return TurnText(
            index=turn.index, sentence=self._missed(move, turn),
            why=self._why(move), open=self._open(move),
            title=self._say(
                "review.turn", number=turn.index + 1, seat=self._name(move.seat),
                move=self._label(move, move.move), mark=self._judged(move),
            ),
            better=self._line(move, turn.better), played=self._line(move, turn.played),
        )

    def _missed(self, move: ReviewedMove, turn: TurningPoint) -> str:
        """What a move missed, or allowed, in a sentence."""
        here, name = self._position(move), self._name(move.seat)
        if move.wins:
            return self._in_moves(
                "review.missed.win", turn.better, 1, name=name, move=self._label(move, move.best)
            )
        if move.loses and len(turn.played.moves) > 1:
            after = here.play(turn.played.moves[0])
            if after.turn not in (None, CHANCE, move.seat):
                assert after.turn is not None
                return self._in_moves(
                    "review.missed.loss", turn.played, 0, name=name,
                    other=self._name(after.turn),
                    move=after.find(turn.played.moves[1]).label(self._lang),
                )
        return self._say(
            "review.missed.better", name=name, move=self._label(move, move.best)
        )

    def _in_moves(self, key: str, line: ReviewedLine, first: int, **values: str) -> str:
        """A sentence with the number of moves that the winner of a line needs, if it is known.

        `first` is 1 if the winner makes the first move of the line.
        """
        if line.plies_to_end is None or len(self._match.players) != 2:
            return self._say(key, **values)
        return words().count(
            f"{key}-in", self._lang, (line.plies_to_end + first) // 2, **values
        )

    def _line(self, move: ReviewedMove, line: ReviewedLine) -> LineText:
        here, steps = self._position(move), []
        for text in line.moves:
            seat = here.turn
            assert seat is not None
            assert seat != CHANCE
            played = here.find(text)
            steps.append(StepText(text, played.label(self._lang), self._name(seat)))
            here = here.play(played)
        if here.outcome is not None:
            value = here.outcome.text(self._lang)
            if line.proven:
                value += " " + self._say("review.proven")
        else:
            found: Line[Move] = Line((), tuple(line.shares), line.proven, line.plies_to_end)
            value = verdict(self._position(move), found, self._lang)
        shares = ", ".join(
            self._say("review.share", seat=self._name(seat), share=percent(share, self._lang))
            for seat, share in enumerate(line.shares)
        )
        return LineText(steps, f"{value} {shares}.", line.proven)


def _hundredths(shares: list[float]) -> list[int]:
    return [round(100 * share) for share in shares]
