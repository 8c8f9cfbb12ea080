"""The coach of a beginner: asks before a blunder, and explains it afterwards.

It judges moves as a review does, with less effort: it must not keep a player waiting, and asks only
when a move gives much away.
"""

from __future__ import annotations

from dataclasses import dataclass

from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Limit, Line
from escale.opponents.thinking import think
from escale.study.facts import prey
from escale.study.hints import Hint
from escale.study.judging import Budget, Judgement, judge
from escale.study.reasons import Reason, reason, reasons
from escale.study.words import words

BUDGET = Budget(nodes=100_000, simulations=2_500)
WARNING_LOSS = 0.25
"""The least unproven loss that the coach warns of: more than that of a blunder, since the search
is short. `bench/coach.py` measures how often it warns wrongly."""
NEUTRAL_REASONS = ("wins", "takes", "threatens-win", "threatens")
"""Reasons whose sentences do not say "you": they read the same for both seats."""
REPLY_NODES = 20_000
"""Nodes to find the answer to a blunder, if the judgement has none."""


@dataclass(frozen=True, slots=True)
class Remark:
    """The coach's remark on a move that a player is about to make."""

    judgement: Judgement
    better: Hint
    """The better move, and the reason for it."""
    reply: Move | None
    """The answer of the other seat; None if it is unknown, or must stay hidden."""
    why: Reason | None
    """The reason for that answer, if the player may read it."""

    @property
    def warns(self) -> bool:
        """Whether to ask before the move is made."""
        found = self.judgement
        return found.mark == "blunder" and (found.proven or found.loss >= WARNING_LOSS)

    @property
    def look(self) -> str:
        """The cell to look at: what the answer takes, where the answer goes, or the better move."""
        if self.reply is None:
            return self.better.look
        board = self.reply.position.game.board
        places = [atom for atom in self.reply.atoms if atom in board.cell_names]
        return next(iter(prey(self.reply)), (places or [self.better.look])[-1])

    @property
    def near(self) -> bool:
        """Whether the move is proven to lose: reason enough to speak up in the first moves."""
        return self.judgement.played.proven and self.judgement.after <= 0

    def question(self, lang: str) -> str:
        """The question before the move is made, with what the other side could do."""
        if self.reply is None:
            place = self.better.move.position.game.label(self.look, lang)
            return words().say("coach.sure", lang, place=place)
        return words().say(
            "coach.sure-reply" if self.why else "coach.sure-plain", lang,
            reply=self.reply.label(lang), reason=self.why.text(lang) if self.why else "",
        )

    def story(self, lang: str) -> str:
        """A sentence on what the move has allowed, and on the better move."""
        better = words().say("coach.better", lang, better=self.better.move.label(lang))
        if self.reply is None:
            return better
        allowed = words().say(
            "coach.allowed" if self.why else "coach.allowed-plain", lang,
            move=self.judgement.move.label(lang), reply=self.reply.label(lang),
            reason=self.why.text(lang) if self.why else "",
        )
        return f"{allowed} {better}"


def remark(position: Position, move: Move | str, *, seed: int = 0) -> Remark:
    """The remark on a move, by what its seat may know."""
    judgement = judge(position, move, BUDGET, seed)
    best = judgement.best
    better = Hint(best, reason(position, best))
    reply = None if position.game.hides else _reply(position, judgement, seed)
    if reply is None:
        return Remark(judgement, better, None, None)
    answer = reply.moves[0]
    said = (one for one in reasons(answer.position, reply) if one.kind in NEUTRAL_REASONS)
    return Remark(judgement, better, answer, next(said, None))


def _reply(position: Position, judgement: Judgement, seed: int) -> Line[Move] | None:
    """The answer that makes the move a blunder."""
    if judgement.mark != "blunder":
        return None
    after = position.play(judgement.move)
    if after.turn is None or after.turn < 0 or after.turn == judgement.seat:
        return None
    found = think(after, limit=Limit(nodes=REPLY_NODES), seed=seed) if position.seats == 2 else None
    return found.lines[0] if found else None
