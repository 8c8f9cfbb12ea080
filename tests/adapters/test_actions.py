"""Actions are numbered once and for all, and every move is made of them in one way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.adapters.actions import Actions, Decision, actions_of
from escale.devkit.starts import option_sets, random_starts
from escale.kernel import CHANCE, Random
from tests.games import OURS

EVERY_GAME = pytest.mark.parametrize("game", OURS, ids=lambda game: str(game.slug))

#: `python -m tests.adapters.test_actions` writes it again; networks that were trained before then
#: no longer mean what they say.
NUMBERING = Path(__file__).with_name("numbering.json")


@EVERY_GAME
def test_the_numbering_is_what_it_always_was(game: escale.Game[Any]) -> None:
    expected = json.loads(NUMBERING.read_text("utf-8"))[game.slug].split()
    for options in option_sets(game):
        assert list(Actions(game, game.choose(options)).atoms) == expected
    assert 39 <= len(expected) <= 247


@EVERY_GAME
def test_actions_make_every_move_and_no_other(game: escale.Game[Any]) -> None:
    for start, random in random_starts(game, 3, 7):
        position = start
        actions = actions_of(game, position.options)
        for _ in range(40):
            moves = position.moves()
            if not moves:
                break
            root = Decision(position)
            for move in moves[:40]:
                decision = root
                for action in actions.of(move):
                    assert action in decision.legal
                    assert decision.position is position
                    decision = decision.step(action)
                assert decision.position == position.follow(move.code)
                assert decision.chosen == ()
            assert _ways(root) == len(moves)
            position = position.follow(moves[random.below(len(moves))].code)


def _ways(decision: Decision) -> int:
    """How many sequences of actions make a move from here."""
    found = 0
    for action in decision.legal:
        after = decision.step(action)
        found += _ways(after) if after.chosen else 1
    return found


def test_an_action_that_is_not_legal_is_refused_with_its_name() -> None:
    decision = Decision(escale.game("tortuga").start(first="south"))
    with pytest.raises(ValueError, match=r"action \d+ \(g4\) is not legal"):
        decision.step(decision.actions.numbers["g4"])
    for number in (-1, 39):
        with pytest.raises(ValueError, match="is not legal"):
            decision.step(number)


@EVERY_GAME
def test_chance_is_as_likely_as_its_outcomes(game: escale.Game[Any]) -> None:
    decision, random = Decision(game.start()), Random(3)
    for _ in range(60):
        if decision.turn == CHANCE:
            chances = decision.chances
            assert [action for action, _ in chances] == decision.legal
            assert sum(chance for _, chance in chances) == pytest.approx(1)
            state = decision.position.kernel()
            if not decision.chosen:
                weights = {code: state.chance_weight(code) for code in state.legal_moves()}
                likely = {
                    atoms[0]: weight for (code, weight), atoms in zip(
                        weights.items(), game.spelled(state, list(weights)), strict=True
                    )
                }
                if len(likely) == len(weights):
                    total = sum(weights.values())
                    for action, chance in chances:
                        assert chance == likely[decision.actions.atoms[action]] / total
        if not decision.legal:
            break
        decision = decision.step(decision.legal[random.below(len(decision.legal))])
    settled = Decision(game.start()).settled(Random(1))
    assert settled.turn != CHANCE
    assert settled.position == Decision(game.start()).settled(Random(1)).position


if __name__ == "__main__":
    NUMBERING.write_text(json.dumps({
        game.slug: " ".join(Actions(game, game.choose({})).atoms) for game in OURS
    }, indent=1) + "\n", "utf-8")
