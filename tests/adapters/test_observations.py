"""Observations tell all that a viewer may know, and nothing else."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

import escale
from escale.adapters.actions import Actions, Decision
from escale.adapters.observations import Layout, layout_of
from escale.devkit.vectors import vector_faults
from escale.game.slots import Slot
from tests.games import OURS

EVERY_GAME = pytest.mark.parametrize("game", OURS, ids=lambda game: str(game.slug))


@EVERY_GAME
@pytest.mark.exhaustive
def test_views_and_vectors_correspond_over_a_hundred_thousand_positions(
    game: escale.Game[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    vector = Layout.vector

    def counted(self: Layout, decision: Decision, viewer: escale.Viewer) -> Any:
        looked.append(0)
        return vector(self, decision, viewer)

    monkeypatch.setattr(Layout, "vector", counted)
    for seed in count(100):                 # `escale check` looks at a few in every `make test`
        if len(looked) >= 100_000 * (2 + game.seats[1]):
            break
        assert list(vector_faults(game, 24, seed, every=True)) == []


@EVERY_GAME
def test_the_parts_fill_the_vector(game: escale.Game[Any]) -> None:
    layout = layout_of(game, game.choose({}))
    ends = [part.start + part.size for part in layout.parts]
    assert [0, *ends] == [*(part.start for part in layout.parts), layout.size]
    vector = layout.vector(Decision(game.start()), escale.SPECTATOR)
    assert len(vector) == layout.size
    assert set(vector) <= {0.0, 1.0}
    assert sum(layout.find_part("viewer").of(vector)) == 0
    assert sum(layout.find_part("turn").of(vector)) == 1


@EVERY_GAME
def test_the_manual_has_its_sizes(game: escale.Game[Any]) -> None:
    manual = (Path(__file__).parents[2] / "docs/adapters.md").read_text("utf-8")
    name = "Canyon (1972)" if game.slug == "canyon-1972" else game.title
    layout = layout_of(game, game.choose({}))
    assert f"| {name} | {layout.find_part('move').size} | {layout.size} |" in manual


def test_what_a_game_does_not_declare_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("escale.devkit.vectors.layout_of", Layout)
    game = escale.game("qenj1")
    monkeypatch.setattr(type(game), "slots", lambda self: ())
    assert any("another view has the same vector" in fault for fault in vector_faults(game, 8, 1))
    game = escale.game("canyon-1972")
    monkeypatch.setattr(type(game), "slots", lambda self: (Slot("quiet", most=1),))
    with pytest.raises(ValueError, match="quiet: at most 1 were declared, not 2"):
        list(vector_faults(game, 8, 1))


def test_counts_are_told() -> None:
    game = escale.game("canyon-1972")
    start = game.start()
    board, *_ = start.text.split()
    layout = layout_of(game, start.options)
    texts = [f"{board} red 4 {counts}" for counts in (
        "", "quiet=1", "quiet=2", "quiet=2 passed=1", "quiet=4 best=99,60", "quiet=4 best=60,99",
        "seen=2 quiet=4",
    )]
    seen = {
        layout.vector(Decision(game.position(text)), escale.SPECTATOR).tobytes() for text in texts
    }
    assert len(seen) == len(texts)


def test_compiled_rules_that_number_otherwise_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = escale.game("canoe")
    monkeypatch.setattr(Actions, "of", lambda self, move: (0,))
    faults = list(vector_faults(game, 1, 1))
    assert any("number the atoms of" in fault for fault in faults)
    assert not any("sees something else" in fault for fault in faults)
    monkeypatch.setattr("escale.devkit.vectors.Seat", lambda seat: escale.SPECTATOR)
    monkeypatch.setattr(type(game), "seen", lambda self, cells, viewer: {})
    assert any("sees something else" in fault for fault in vector_faults(game, 1, 1))


def test_what_leaks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = escale.game("canyon-1997")
    monkeypatch.setattr(type(game), "_seen_cell", lambda self, name, value, viewer: value)
    assert any("hidden from seat" in fault for fault in vector_faults(game, 1, 1))


def test_a_half_made_move_is_seen_by_who_makes_it() -> None:
    decision = Decision(escale.game("tortuga").start(first="south"))
    layout = layout_of(decision.position.game, decision.position.options)
    atoms = ["d1", "d3"]
    for atom in atoms[:1]:
        decision = decision.step(decision.actions.numbers[atom])
    move = layout.find_part("move")
    told = move.of(layout.vector(decision, escale.Seat(0)))
    assert told[decision.actions.numbers["d1"]] == 0.5
    assert sum(told) == 0.5
    assert sum(move.of(layout.vector(decision, escale.Seat(1)))) == 0


def test_a_hidden_hand_is_a_number_and_a_hidden_bid_may_be_any() -> None:
    game = escale.game("canyon-1997")
    position = game.start(seed=4)
    while "otter chosen" not in position.cells:
        position = position.play(position.moves()[0])
    layout = layout_of(game, position.options)
    own, other = (layout.vector(Decision(position), escale.Seat(seat)) for seat in (0, 1))
    hand, chosen = layout.find_part("otter hand"), layout.find_part("otter chosen")
    assert [sum(hand.of(vector)) for vector in (own, other)] == [8 + 1, 1]
    assert [sum(chosen.of(vector)) for vector in (own, other)] == [1, 9]
