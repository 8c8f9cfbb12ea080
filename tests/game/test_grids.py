"""Square and hexagonal boards: neighbours as on paper, and bits that add up."""

from __future__ import annotations

import pytest

import escale
from escale.game.grids import Grid, hexagon, square

GRIDS = [square(size) for size in range(2, 9)] + [hexagon(side) for side in range(2, 5)]
EVERY_GRID = pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: f"{len(grid.cells)} cells")


@EVERY_GRID
def test_bits_are_unique_and_fit_in_a_word(grid: Grid) -> None:
    assert len(grid.names) == len(grid.cells)
    assert 0 <= min(grid.names) <= max(grid.names) < 64
    assert sorted(cell for row in grid.rows for cell in row) == sorted(grid.bits)


@EVERY_GRID
def test_a_step_and_the_step_back_lead_home(grid: Grid) -> None:
    opposite = {
        direction: next(name for name, other in grid.directions.items() if other == -step)
        for direction, step in grid.directions.items()
    }
    for cell in grid.bits:
        for direction in grid.directions:
            other = grid.step(cell, direction)
            if other is not None:
                assert grid.bits[other] - grid.bits[cell] == grid.directions[direction]
                assert grid.step(other, opposite[direction]) == cell


def test_neighbours_by_hand() -> None:
    assert set(square(8).neighbours("a1")) == {"a2", "b1", "b2"}
    assert set(square(8).neighbours("h4")) == {"h3", "h5", "g3", "g4", "g5"}
    assert len(square(8).neighbours("d4")) == 8
    assert square(8).step("h4", "e") is None
    assert set(hexagon(4).neighbours("d1")) == {"c1", "d2", "e1"}
    assert set(hexagon(4).neighbours("d4")) == {"d3", "d5", "c3", "c4", "e3", "e4"}
    assert hexagon(3).step("c3", "ne") == "d3"


def test_masks_and_names() -> None:
    grid = square(4)
    assert grid.named(grid.mask(["b2", "a1"])) == ["a1", "b2"]
    assert grid.holding({"a1": "light", "b2": "dark"}, "dark") == 1 << grid.bits["b2"]


@pytest.mark.parametrize(("make", "size"), [(square, 9), (square, 1), (hexagon, 5), (hexagon, 1)])
def test_boards_that_do_not_fit_are_refused(make: object, size: int) -> None:
    with pytest.raises(ValueError, match="cells to a side"):
        make(size)  # type: ignore[operator]


def test_tortuga_is_played_on_the_hexagon_of_side_four() -> None:
    assert escale.game("tortuga").board.cells == hexagon(4).cells
