"""Learning: the same plan learns the same, and what is known to be true is found."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import escale
from escale import kernel
from escale.arena.train import (
    LEARNT,
    Job,
    Plan,
    Taught,
    evaluation_of,
    first_row,
    in_processes,
    rewritten,
    study,
    train,
)
from escale.cli import main
from escale.kernel.logistic_regression import fit, loss
from escale.kernel.weights import features, numbers_of, part_of, read_weights, row_of
from tests.kernel import start, uncompiled, walk

TINY = Plan("tortuga", generations=2, games=6, nodes=30)


def here(jobs: Iterable[Job]) -> Iterator[Taught]:
    return map(study, jobs)


def toy(rows: int) -> tuple[list[float], array[int], array[float]]:
    """Weights, rows of three features, and coins thrown with the chances that come of them."""
    weights = [1.0, -0.5, 0.25]
    random = kernel.Random(4)
    features, targets = array("h"), array("d")
    for _ in range(rows):
        row = [random.below(7) - 3 for _ in weights]
        x = sum(w * f for w, f in zip(weights, row, strict=True))
        features.extend(row)
        targets.append(float(random.below(1 << 30) < (1 << 30) / (1 + math.exp(-x))))
    return weights, features, targets


def test_known_weights_are_found() -> None:
    weights, features, targets = toy(6000)
    found = fit(features, targets, 3, 0.1)
    assert found == pytest.approx(weights, abs=0.1)
    best, true = (loss(features, targets, array("d", row)) for row in (found, weights))
    assert best <= true


def test_nothing_known_is_nothing_learnt() -> None:
    assert fit(array("h", [0, 1, 0, -1]), array("d", [0.5, 0.5]), 2, 1.0) == [0.0, 0.0]
    strong, weak = (fit(array("h", [1]), array("d", [1.0]), 1, ridge) for ridge in (10.0, 0.1))
    assert 0 < strong[0] < weak[0]


@pytest.mark.skipif(not kernel.COMPILED, reason="there is nothing to compare with")
def test_the_fit_is_the_same_uncompiled() -> None:
    script = (
        "import json; from tests.arena.test_train import toy; "
        "from escale.kernel.logistic_regression import fit; "
        "print(json.dumps(fit(*toy(300)[1:], 3, 0.1)))"
    )
    assert uncompiled(script) == fit(*toy(300)[1:], 3, 0.1)


def test_a_plan_learns_one_thing_whatever_the_weights_are_now() -> None:
    evaluation = evaluation_of("tortuga")
    before = evaluation.numbers
    first = list(train(TINY, here))
    assert evaluation.numbers is before
    evaluation.load(numbers_of([7] * len(row_of(before)), before))
    try:
        assert list(train(TINY, here)) == first
    finally:
        evaluation.load(before)
    assert list(train(TINY, in_processes(2))) == first
    assert [generation.number for generation in first] == [0, 1]
    assert first[0].doubt_before == pytest.approx(math.log(2))
    assert all(generation.doubt < generation.doubt_before for generation in first)
    assert any(first[-1].row)


@pytest.mark.parametrize(
    "slug", [game.slug for game in escale.games() if game.seats == (2, 2)]
)
def test_evaluations_are_sums_of_their_features(slug: str) -> None:
    try:
        evaluation = evaluation_of(slug)
    except escale.BadOption:
        assert not (escale.game(slug).folder / "weights.toml").exists()
        return
    met = walk(start(slug), kernel.Random(2), 120)          # beyond the longest set-up
    line = [position for position in met if position.turn >= 0 and position.legal_moves()]
    found = features(evaluation, line)
    row = row_of(evaluation.numbers)
    for position, values in zip(line, found, strict=True):
        assert evaluation.evaluate(position) == sum(map(int.__mul__, row, values))
    assert any(len(set(column)) > 1 for column in zip(*found, strict=True))


def test_games_teach_how_often_they_are_drawn() -> None:
    plan = Plan(
        "qenj1", (("setup", "quick"),), (("apart", "7"), ("win", "5")), generations=2, games=40,
        nodes=60, explore=0.2,
    )
    numbers = evaluation_of("qenj1").numbers
    size = len(part_of(numbers))
    first, second = train(plan, here)
    assert len(first.row) == len(second.row) == len(row_of(numbers))
    assert any(first.row[:size])
    assert any(first.row[size:])
    # Of two hints, one is for colours that nobody lays out here; the other gives way.
    assert [generation.row[size - 1] for generation in (first, second)] == [7, 7]
    assert first.row[0] != 5
    drawn: list[float] = []
    lessons = 0
    for number in range(plan.games):
        shares, draws = study((plan, first.row, 1, number))
        assert len(draws.features) == len(part_of(numbers, draws=True)) * len(draws.targets)
        assert len(set(draws.targets)) <= 1
        drawn += draws.targets
        lessons += len(shares.targets)
    assert set(drawn) == {0.0, 1.0}
    # Random moves, tried or played, leave it open whether what was before them is a draw.
    assert len(drawn) < lessons / 2
    shares, draws = study((TINY, first_row(TINY), 0, 0))
    assert shares.targets
    assert not draws.targets
    assert not draws.features


def test_games_that_stray_teach_there_only() -> None:
    plan = Plan("qenj1", (("setup", "quick"),), games=60, nodes=60, opening=6, stray=4)
    row = first_row(plan)
    taught = [study((plan, row, 0, number)) for number in range(plan.games)]
    assert taught == [study((plan, row, 0, number)) for number in range(plan.games)]
    results: list[float] = []
    columns = set()
    for shares, draws in taught:
        assert len(shares.targets) <= 2
        assert len(set(shares.targets)) == 1 or sum(shares.targets) in (0, 1)   # each seat's share
        assert [float(share == 0.5) for share in shares.targets] == list(draws.targets)
        results += shares.targets
        columns |= {
            values[85:94].index(1) + 4
            for values in batches(shares.features, len(shares.targets))
            if any(values)                      # not while a side is being chosen
        }
    assert set(results) == {0.0, 0.5, 1.0}
    assert len(columns) > 3                     # some early in the game, some late


def batches(features: array[int], rows: int) -> list[list[int]]:
    """Features, a list for each position."""
    size = len(features) // max(1, rows)
    return [features[i * size:(i + 1) * size].tolist() for i in range(rows)]


def test_anything_but_a_sum_is_refused() -> None:
    class Product(kernel.Evaluation):
        """Evaluates by the product of two weights."""

        def evaluate(self, state: kernel.State) -> int:
            one, other = self.numbers["both"]
            return int(one * other)

    evaluation = Product({"both": [3, 4]})
    with pytest.raises(ValueError, match="an evaluation is 2, its features add up to 0"):
        features(evaluation, [start("tortuga")])
    assert evaluation.numbers == {"both": [3, 4]}


def test_rewriting_keeps_comments_and_layout() -> None:
    text = "# What 3 things\n# weigh.\n\nlist = [1, 2,  # 1 and 2\n        -3]\n# One.\none = 4\n"
    new = rewritten(text, {"one": -9, "list": [10, 11, 12]}, "escale arena train x --seed 1")
    assert new == (
        f"# What 3 things\n# weigh.\n{LEARNT}escale arena train x --seed 1\n\n"
        "list = [10, 11,  # 1 and 2\n        12]\n# One.\none = -9\n"
    )
    assert rewritten(new, {"one": -9, "list": [10, 11, 12]}, "y").count(LEARNT) == 1


def test_rewriting_tells_weights_for_draws_from_the_others() -> None:
    text = "# A.\n\none = 1\n\n# Draws.\n[draws]  # 2\none = 2\n"
    assert rewritten(text, {"one": 3, "draws": {"one": 4}}, "x") == (
        f"# A.\n{LEARNT}x\n\none = 3\n\n# Draws.\n[draws]  # 2\none = 4\n"
    )


@pytest.mark.parametrize("stray", [0, 3])
def test_the_command_writes_a_file_that_names_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], stray: int
) -> None:
    files = [tmp_path / "one.toml", tmp_path / "two.toml"]
    plan = Plan(
        "canoe", hints=(("single", "60,20,5,1"),), generations=1, games=2, nodes=20, stray=stray
    )
    assert ("--stray" in plan.command) == bool(stray)
    words = plan.command.split()[1:]
    for file in files:
        with pytest.raises(SystemExit) as done:
            main([*words, "--processes", "1", "--out", str(file)])
        assert done.value.code == 0
        words = next(
            line.removeprefix(f"{LEARNT}escale ").split()
            for line in file.read_text("utf-8").splitlines() if line.startswith(LEARNT)
        )
    assert files[0].read_text("utf-8") == files[1].read_text("utf-8")
    assert read_weights(files[0], like=evaluation_of("canoe").numbers)
    assert "generation 0: " in capsys.readouterr().out


def test_hints_are_for_weights_that_there_are() -> None:
    assert first_row(Plan("canoe")) == [0] * len(row_of(evaluation_of("canoe").numbers))
    hinted = first_row(Plan("canoe", hints=(("stock", "-7"),)))
    assert sorted(hinted) == [-7] + [0] * (len(hinted) - 1)
    for name, numbers in (("single", "1,2"), ("stock", "many"), ("bananas", "1")):
        with pytest.raises(escale.BadOption, match=name):
            first_row(Plan("canoe", hints=((name, numbers),)))


def test_a_game_without_weights_cannot_be_learnt() -> None:
    with pytest.raises(escale.BadOption, match="no evaluation with weights"):
        evaluation_of("canyon-1997")
