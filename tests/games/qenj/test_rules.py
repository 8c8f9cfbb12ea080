"""The four Qenj: what the rules file states as facts, and what their set-up must keep secret."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import escale
from escale.devkit.check import faults_of
from escale.game.viewer import ALL, Seat
from escale.games.qenj import GAMES as FOUR
from escale.games.qenj.box import LETTERS, Box
from escale.games.qenj.geometry import FAMILY
from escale.games.qenj.rules import QenjState
from escale.kernel import Random, playouts
from escale.render.svg import svg
from escale.render.text import text_board

FAST = escale.COMPILED
SLUGS = [game.slug for game in FOUR]
FORCED = [game.slug for game in FOUR if game.box.forces]
GAMES = 60 if FAST else 6

#: Every option set of a game that play on the board knows, the quickest set-up first.
VARIANTS = [
    ("qenj1", {"setup": "quick"}),
    ("qenj2", {"setup": "quick"}),
    ("qenj2", {"setup": "quick", "unstack": "free"}),
    ("qenj3", {}),
    ("qenj4", {}),
]


def box_of(position: escale.Position) -> Box:
    box: Box = position.game.box  # type: ignore[attr-defined]
    return box


def ready(slug: str, options: dict[str, str], seed: int) -> escale.Position:
    """A dealt table, both seated."""
    position = escale.game(slug).start_with(options, seed=seed)
    return position if "north" in position.cells else position.play(("north", "south")[seed % 2])


def game_from(position: escale.Position, chance: random.Random) -> Iterator[escale.Position]:
    """Every position of a random game."""
    while True:
        yield position
        moves = position.moves()
        if not moves:
            return
        position = position.play(chance.choice(moves))


def columns(position: escale.Position) -> dict[str, dict[int, str]]:
    """The pieces of each column that remains, by their row."""
    found: dict[str, dict[int, str]] = {}
    for place, piece in position.cells.items():
        if place[0] in LETTERS and place[1:].isdigit():
            found.setdefault(place[0], {})[int(place[1:])] = str(piece)
    return found


def random_positions(slug: str, options: dict[str, str], games: int) -> Iterator[escale.Position]:
    chance = random.Random(f"{slug} {options}")
    for seed in range(games):
        yield from game_from(ready(slug, options, seed), chance)


# --- facts of play -------------------------------------------------------------------------------


@pytest.mark.parametrize(("slug", "options"), VARIANTS)
def test_facts_of_every_position(slug: str, options: dict[str, str]) -> None:
    for position in random_positions(slug, options, GAMES if "unstack" not in options else 8):
        box, table = box_of(position), columns(position)
        over = position.outcome is not None
        pieces = [piece for column in table.values() for piece in column.values()]
        out = sum(int(position.cells.get(f"{seat} out", 0)) for seat in "AB")
        assert len(pieces) + out == box.fact("pieces") * box.fact("colours")
        if not over:
            assert len(table) >= (5 if slug == "qenj2" else 4)
            assert max(map(len, table.values())) < box.cells
        for column in table.values():
            colours = Counter(piece.split()[0] for piece in column.values())
            assert max(colours.values()) <= box.fact("alike")
            if slug in FORCED:
                assert max(column) - min(column) == len(column) - 1     # a block without a hole


@pytest.mark.parametrize("options", [{}, {"unstack": "free"}])
def test_qenj2_always_ends_for_the_squares_grow(options: dict[str, str]) -> None:
    def squares(position: escale.Position) -> int:
        return sum(len(column) ** 2 for column in columns(position).values())

    chance = random.Random(16)
    for seed in range(GAMES // 2 if not options else 4):
        line = list(game_from(ready("qenj2", {"setup": "quick", **options}, seed), chance))
        assert line[-1].outcome is not None
        for before, after in pairwise(line):
            assert after.last is not None
            if after.last.text != "pass":
                assert squares(after) > squares(before)


def test_qenj2_ends_by_a_full_column_or_by_nobody_moving() -> None:
    start = ready("qenj2", {"setup": "quick"}, 1).kernel()
    ended = playouts(start, 3000 if FAST else 30, 7)
    assert sum(ended.endings[:2]) == ended.games


@pytest.mark.parametrize("slug", [slug for slug in SLUGS if slug not in FORCED])
def test_holes_come_and_are_filled(slug: str) -> None:
    made = filled = 0
    for position in random_positions(slug, {}, 40 if FAST else 12):
        holes = {
            f"{letter}{row}" for letter, column in columns(position).items()
            for row in range(min(column), max(column)) if row not in column
        }
        made += bool(holes)
        filled += any(change.to in holes for move in position.moves() for change in move.changes)
    assert made
    assert filled


@pytest.mark.parametrize(("slug", "options"), VARIANTS)
def test_distances_go_round_the_ring(slug: str, options: dict[str, str]) -> None:
    for position in random_positions(slug, options, GAMES // 4 if "unstack" not in options else 2):
        ring, box = sorted(columns(position)), box_of(position)
        north = position.cells["north"] == position.game.seat_names[position.turn or 0]
        for move in position.moves():
            moved = [change for change in move.changes if change.kind == "moved"]
            if not moved:
                continue
            source, target = (moved[0].at or "")[0], (moved[0].to or "")[0]
            rows = sorted((int((change.at or "")[1:]) for change in moved), reverse=not north)
            nearest = sorted(columns(position)[source], reverse=not north)
            assert rows == nearest[: len(rows)]         # none skipped, from the mover's own end
            proxime = columns(position)[source][nearest[0]]
            distance = int(proxime[-1]) if box.forces else len(moved)
            east = (ring.index(target) - ring.index(source)) % len(ring)
            ways = {distance % len(ring)}
            if slug == "qenj2":
                ways.add(-distance % len(ring))
            assert east in ways
            assert east != 0


def test_half_way_round_the_ring_is_one_move() -> None:
    # Six columns: three to the East and three to the West is the same one.
    text = ("-/-/-/..r3y1y3r2b3b1./b2r3......./y3r3y3b1b3y3b3r2./b2b1r3y2y2b2r2../"
            "..r2b1b2y2y1r1./-/-/-/y1y2b3r1r1y1r1.. B 13 north=A")
    moves = [move for move in escale.game("qenj2").position(text).moves() if move.atoms[0] == "e2"]
    assert [move.text for move in moves] == ["e2-h-north", "e2-h-south"]


def test_free_stacks_reach_all_that_ordered_ones_do() -> None:
    ordered = escale.game("qenj2")
    chance = random.Random(3)
    for position in game_from(ready("qenj2", {"setup": "quick"}, 2), chance):
        if position.plies > 5:
            break
        free = ordered.position(position.text, options={"unstack": "free"})
        after = {json.dumps(position.play(move).cells, sort_keys=True) for move in position.moves()}
        freely = {json.dumps(free.play(move).cells, sort_keys=True) for move in free.moves()}
        assert after <= freely
        assert len(freely) == len(free.moves())


@pytest.mark.parametrize(("slug", "options"), VARIANTS)
def test_every_way_of_setting_down_is_understood(slug: str, options: dict[str, str]) -> None:
    several = 0
    for position in random_positions(slug, options, 3):
        if position.turn is None or len(position.moves()) > 2000:
            continue
        rules, game = position.kernel(), position.game
        ways = rules.ways()
        several += len(ways) > len(position.moves())
        for code in ways[:: max(1, len(ways) // 50)]:
            found = position.find(game.join(game.atoms(rules, code)))
            after = rules.copy()
            after.play(code)
            assert position.play(found).cells == game.cells(after)
            assert len(found.atoms) <= len(game.atoms(rules, code))
    assert several or slug == "qenj1"


def test_the_most_moves_there_can_be_fit() -> None:
    # Four stacks of eight between single pieces, all of force 1, each free to go either way.
    # The single ones, of force 3, can go to two stacks each.
    rules = _kernel("qenj2", ["r1r2r3b1b2b3y1y2.", "....y3...."] * 4, free=True)
    assert len(rules.legal_moves()) == 4 * 2 * math.factorial(8) + 4 * 2
    assert rules.capacity >= len(rules.ways())


def _kernel(slug: str, text: list[str], *, free: bool) -> QenjState:
    """A compiled position that no game can reach: pieces are not counted."""
    game = escale.game(slug)
    box: Box = game.box  # type: ignore[attr-defined]
    cells = game.read_board("/".join([*text, *["-"] * (box.columns - len(text))]))
    words = [0] * box.columns
    for place, piece in cells.items():
        words[LETTERS.index(place[0])] |= box.code(str(piece)) << 5 * (int(place[1]) - 1)
    return QenjState(box.number, words, 0, 4, 0, 0, free=free)


# --- passing and ends ----------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_a_stuck_seat_passes_and_the_other_plays_on(slug: str) -> None:
    [example] = [example for example in escale.game(slug).examples if example.id == "pass"]
    stuck = escale.game(slug).position(example.position)
    assert [move.text for move in stuck.moves()] == ["pass"]
    after = stuck.play("pass")
    assert after.turn == 1 - (stuck.turn or 0)
    assert after.plies == stuck.plies + 1
    assert {**after.cells} == stuck.cells
    assert "pass" not in [move.text for move in after.moves()]


@pytest.mark.parametrize("slug", SLUGS)
def test_both_stuck_is_the_end_whoever_is_on_turn(slug: str) -> None:
    [example] = [example for example in escale.game(slug).examples if example.id == "stuck"]
    words = example.position.split()
    for turn in ("A", "B"):
        words[1] = turn
        outcome = escale.game(slug).position(" ".join(words)).outcome
        assert outcome is not None
        assert (outcome.name, outcome.shares) == ("stuck", (0.5, 0.5))


def test_repetition_by_play() -> None:
    # Random games of Qenj 4 that avoid taking out come round again, sooner or later.
    start, chance = ready("qenj4", {}, 3), random.Random(8)
    for _ in range(40):
        position, met = start, Counter[str]()
        while position.turn is not None:
            key = json.dumps([position.turn, position.cells], sort_keys=True)
            met[key] += 1
            moves = position.moves()
            quiet = [m for m in moves if not any(change.kind == "taken" for change in m.changes)]
            position = position.play(chance.choice(quiet or moves))
        assert position.outcome is not None
        key = json.dumps([position.kernel().turn, position.cells], sort_keys=True)
        assert (met[key] == 2) == position.outcome.name.startswith("repetition")
        if met[key] == 2:
            return
    pytest.fail("no repetition in forty games")


# --- set-up --------------------------------------------------------------------------------------


def shown(position: escale.Position, seat: int) -> str:
    """Everything that a seat is given."""
    view = position.seen_by(Seat(seat))
    moves = [
        [move.text, [change.as_json() for change in move.changes]] for move in position.moves()
    ]
    return json.dumps([view.text, view.turn, view.cells, view.scene.as_json(), moves])


@pytest.mark.parametrize("slug", FORCED)
def test_forces_do_not_exist_before_the_deal(slug: str) -> None:
    """Until the last colour is placed, tables that differ only in their luck are the same."""
    game = escale.game(slug)
    chance = random.Random(4)
    one = game.start()
    while one.turn == escale.CHANCE:
        one = one.play(chance.choice(one.moves()))
    other = game.position(one.text, seed=2)
    one = game.position(one.text, seed=1)
    forces = [f"{colour} {force}" for colour in box_of(one).colours for force in (1, 2, 3)]
    while len(columns(one)) < 12 or min(map(len, columns(one).values())) < len(columns(one)["a"]):
        assert one.turn == 0
        for seat in (0, 1):
            assert shown(one, seat) == shown(other, seat)
            assert not any(force in shown(one, seat) for force in forces)
        choices = [move.text for move in one.moves() if move.text not in ("fill", "repeat")]
        last = sum(len(column) for column in columns(one).values()) == len(_spots(slug)) - 1
        choice = chance.choice(choices)
        one, other = one.play(choice), other.play(choice)
        if last:
            break
    assert one.turn == other.turn == 1
    assert all(any(force == piece for force in forces) for column in columns(one).values()
               for piece in column.values())
    assert one.text != other.text


def _spots(slug: str) -> list[tuple[int, int]]:
    from escale.games.qenj.geometry import SPOTS

    return SPOTS[SLUGS.index(slug)]


@pytest.mark.parametrize("slug", FORCED)
def test_fill_is_offered_at_any_time(slug: str) -> None:
    chance = random.Random(9)
    position = escale.game(slug).start()
    while position.turn == escale.CHANCE:
        position = position.play(chance.choice(position.moves()))
    while position.turn == 0:
        assert "fill" in [move.text for move in position.moves()]
        filled = position.play("fill")
        assert filled.turn == escale.CHANCE
        assert filled.cells == position.cells
        colours = [move for move in position.moves() if move.text not in ("fill", "repeat")]
        position = position.play(chance.choice(colours))
    assert position.turn == escale.CHANCE               # the forces


def test_repeat_repeats_the_last_column() -> None:
    position = escale.game("qenj2").start()
    for colour in ("yellow", "red", "red"):
        assert "repeat" not in [move.text for move in position.moves()]
        position = position.play(colour)
    for _ in range(5):                                  # twelve red pieces, two in a column
        position = position.play("repeat")
    assert [columns(position)[letter] for letter in "abcdef"] == [
        {4: "yellow", 5: "red", 6: "red"}
    ] * 6
    assert [move.text for move in position.moves()] == ["blue", "yellow", "fill"]
    with pytest.raises(escale.IllegalMove) as refused:
        position.play("repeat")
    assert refused.value.rule == "qenj2#repeat"


def drawn(start: escale.Position, seed: int) -> tuple[escale.Position, Fraction]:
    """What the lots lead to, and how likely that was."""
    random, likely, position = Random(seed), Fraction(1), start
    while position.turn == escale.CHANCE:
        rules = position.kernel()
        weights = {code: rules.chance_weight(code) for code in rules.legal_moves()}
        move = position.draw(random)
        likely *= Fraction(weights[move.code], sum(weights.values()))
        position = position.play(move)
        if move.text == "redraw":
            return drawn(start, seed + 1000)
    return position, likely


@pytest.mark.parametrize(("slug", "deals"), [
    # 12!/(3!)^4 orders of the dots, as many of the colours, (3!)^4 of the forces.
    ("qenj1", math.factorial(12) // 6**4 * math.factorial(12) // 6**4 * 6**4),
    # 36!/(12!)^3 orders of the colours, and for each colour 12!/(4!)^3 of the forces.
    ("qenj2", math.factorial(36) // math.factorial(12) ** 3
     * (math.factorial(12) // 24**3) ** 3),
    ("qenj3", math.factorial(21) // math.factorial(7) ** 3),
    ("qenj4", math.factorial(18) // math.factorial(6) ** 3),
])
def test_every_deal_is_equally_likely(slug: str, deals: int) -> None:
    """And so, dealing again whatever is not allowed, is every deal that is."""
    options = {"setup": "quick"} if slug in FORCED else {}
    for seed in range(10):
        _, likely = drawn(escale.game(slug).start(**options), seed)  # type: ignore[arg-type]
        assert likely == Fraction(1, deals)


def test_qenj3_is_dealt_again_just_when_three_are_alike() -> None:
    random = Random(12)
    again = 0
    for _ in range(60):
        position = escale.game("qenj3").start()
        while position.turn == escale.CHANCE:
            crowded = any(
                max(Counter(column.values()).values()) > 2 for column in columns(position).values()
            )
            assert ([move.text for move in position.moves()] == ["redraw"]) == crowded
            move = position.draw(random)
            position = position.play(move)
            if move.text == "redraw":
                again += 1
                assert not columns(position)
        gold = {f"{LETTERS[column]}{row + 1}" for column, row in _spots("qenj3")}
        assert {place for place in position.cells if place[1:].isdigit()} == gold
    assert again


def test_dots_and_sides() -> None:
    position = escale.game("qenj1").start(seed=5)
    rows = Counter(str(position.cells[letter])[1] for letter in LETTERS)
    assert rows == {"1": 3, "2": 3, "3": 3, "4": 3}
    position = position.play("fill")
    assert position.turn == 1                           # B chooses
    for side, north in (("north", "B"), ("south", "A")):
        after = position.play(side)
        assert after.cells["north"] == north
        assert after.turn == 0                          # A moves first
        assert {after.cells[letter] for letter in LETTERS} == set(columns_of_dots(after))
    third = escale.game("qenj3").start(seed=5)
    assert third.turn == 0
    assert (third.play("north").turn, third.play("north").cells["north"]) == (1, "A")
    fourth = escale.game("qenj4").start(seed=5)
    assert (fourth.turn, fourth.cells["north"]) == (1, "B")


def columns_of_dots(position: escale.Position) -> list[str]:
    return [f"{letter}{row}" for letter, column in columns(position).items() for row in column]


# --- positions as text ---------------------------------------------------------------------------


@pytest.mark.parametrize(("slug", "text", "why"), [
    ("qenj1", "-/-/-/-/-/-/-/-/-/-/- A 0", "12 "),
    ("qenj1", "r1../-/-/-/-/-/-/-/-/-/-/- A 0", "a: each .* has 4 cells"),
    ("qenj1", "x1.../-/-/-/-/-/-/-/-/-/-/- A 0", "a: expected"),
    ("qenj1", "r.../r.../r.../r.../-/-/-/-/-/-/-/- A 0 dots=111222333444", "red piece.*3 in"),
    ("qenj1", "-/-/-/-/-/-/-/-/-/-/-/- A 0", "turn of chance"),
    ("qenj1", "-/-/-/-/-/-/-/-/-/-/-/- chance 0 dots=1111--------", "row 1, not 4"),
    ("qenj1", "-/-/-/-/-/-/-/-/-/-/-/- chance 0 dots=5", "Expected dots="),
    ("qenj1", "r.../-/-/-/-/-/-/-/-/-/-/- A 0", "Before all .* are laid"),
    ("qenj1", ".r../-/-/-/-/-/-/-/-/-/-/- A 0 dots=111222333444", "placed in order"),
    ("qenj1", "r1.../-/-/-/-/-/-/-/-/-/-/- A 0 dots=111222333444", "stay hidden"),
    ("qenj1", "r1b1../r2b2../r3b3../-/-/-/-/-/-/y1g1../y2g2../y3g3.. A 0 north=C", "north=A or"),
    ("qenj1", "r1.b1./r2b2../r3b3../-/-/-/-/-/-/y1g1../y2g2../y3g3.. A 0 north=A", "has a hole"),
    ("qenj1", "r1r2../b1b2../r3b3../-/-/-/-/-/-/y1g1../y2g2../y3g3.. A 0 north=A", "red piece: 2"),
    ("qenj1", "r1b1../r1b2../r3b3../-/-/-/-/-/-/y1g1../y2g2../y3g3.. A 0 north=A", "1.*1 in"),
    ("qenj1", "r1b1../r2b2../r3b3../-/-/-/-/-/-/y1g1../y2g2../y3g3.. A 0", "placed in order|dots"),
    ("qenj1", "r1b1y1g1/r2b2y2g2/r3b3../-/-/-/-/-/-/-/-/y3g3.. A 0 north=A", "over before"),
    ("qenj3", "wwrbb./..rr.w/-/wwr.../-/.wwrrb/-/-/....br A 9 north=A out=3-3", "has won"),
    ("qenj3", "wwrbb./..rr.w/-/wwr.../-/.wwrrb/-/-/....br A 9 north=A out=4-0", "two numbers"),
    ("qenj3", "wwrbb./..rr.w/-/wwr.../-/.wwrrb/-/-/....br A 9 out=1-2", "nobody sits|placed"),
    ("qenj3", "wwrbbr/..rr.w/-/ww..../-/.wwrrb/-/-/....br A 9 north=A out=1-2", "taken out"),
    ("qenj3", "wwrbb./..rr.w/-/wwr.../-/.wwrrb/-/-/....br A 9 north=A out=1-3", "in all, not"),
    ("qenj4", "wwrbb./.rrr.w/-/w.w.../-/.w.rbb/-/-/..rbb. A 9", "red pebble: 3"),
    ("qenj4", "-/-/-/-/-/-/-/-/- A 0", "turn of chance"),
])
def test_impossible_positions_are_refused(slug: str, text: str, why: str) -> None:
    with pytest.raises(escale.BadPosition, match=why):
        escale.game(slug).position(text)


@pytest.mark.parametrize(("slug", "options"), [*VARIANTS, *((slug, {}) for slug in FORCED)])
def test_contract_from_the_first_lot_to_the_end(slug: str, options: dict[str, str]) -> None:
    position, random = escale.game(slug).start_with(options), Random(17)
    while position.turn is not None:
        if len(position.moves()) < 3000:
            assert list(faults_of(position)) == []
        moves = position.moves()
        position = position.play(
            position.draw(random) if position.turn == escale.CHANCE
            else moves[random.below(len(moves))]
        )
    assert escale.game(slug).position(position.text).outcome == position.outcome


# --- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
@given(data=st.data())
@settings(max_examples=60 if FAST else 10, deadline=None)
def test_whatever_is_pointed_at_is_played_or_refused(slug: str, data: st.DataObject) -> None:
    options = {"setup": "quick"} if slug in FORCED else {}
    position = ready(slug, options, data.draw(st.integers(0, 50)))
    for choice in data.draw(st.lists(st.integers(0, 10**6), max_size=12)):
        if position.turn is None:
            return
        position = position.play(position.moves()[choice % len(position.moves())])
    words = sorted(position.game.vocabulary(position.options))
    atoms = data.draw(st.lists(st.sampled_from(words), max_size=6))
    try:
        position.play("-".join(atoms))
    except escale.IllegalMove as no:
        for lang in ("fr", "en"):
            assert no.refusal.text(lang)
        board = position.game.board
        places = {cell.id for cell in board.cells} | {area.id for area in board.areas}
        assert set(no.refusal.cells) <= places


# --- scenes --------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_columns_close_up_and_the_ring_is_shown(slug: str) -> None:
    chance = random.Random(2)
    options = {"setup": "quick"} if slug in FORCED else {}
    for position in game_from(ready(slug, options, 6), chance):
        scene, box = position.scene(ALL), box_of(position)
        remain = sorted(columns(position))
        across = [cell for cell in scene.cells if cell.id[1:] == "1"]
        across.sort(key=lambda cell: cell.x)
        # The remaining columns side by side, and at each end the one that follows.
        assert [cell.id[0] for cell in across] == [remain[-1], *remain, remain[0]]
        assert [cell.extra for cell in across] == [True, *[False] * len(remain), True]
        steps = {round(b.x - a.x, 6) for a, b in pairwise(across)}
        assert len(steps) == 1
        assert len(scene.cells) == (len(remain) + 2) * box.cells
        left = position.last.changes[-1] if position.last else None
        if left is not None and left.kind == "closed-up":
            assert position.parent is not None
            assert left.at in columns(position.parent)
            assert left.at not in remain
        svg(scene, position.game.art, description=text_board(scene))


def test_where_a_proxime_can_go_round_the_edge() -> None:
    text = "..g3./...g2/y1.../...y2/-/-/-/-/...b1/b2r1../.b3y3r3/r2g1.. A 8 north=B"
    choices = escale.game("qenj1").position(text).choices()
    reach = {atom: node.reach() for atom, node in choices.next.items()}
    assert reach == {"a3": ["d3"], "b4": ["d3"], "d4": ["j3"], "k4": ["b3"]}


def test_pieces_wait_in_piles_one_can_touch() -> None:
    position = escale.game("qenj2").start().play("red")
    scene = position.scene(ALL)
    assert Counter(piece.at for piece in scene.pieces if piece.at in ("red", "blue", "yellow")) == {
        "red": 11, "blue": 12, "yellow": 12
    }
    assert scene.highlights["a5"] == "chosen"
    assert {area.id for area in scene.areas} >= {"red", "blue", "yellow"}


def test_the_family_page_has_four_columns() -> None:
    assert {len(values) for values in FAMILY.values()} == {4}


# --- pointing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("slug", "options"), VARIANTS)
def test_every_column_and_side_of_a_move_has_cells_to_point_at(
    slug: str, options: dict[str, str]
) -> None:
    """And no cell stands for two answers to one question."""
    start = escale.game(slug).start_with(options, seed=1)
    chance = random.Random(f"pointing {slug} {options}")
    for position in game_from(start, chance):
        places = position.scene(ALL).places
        assert places == position.game.board.places, "the state of play does not matter"
        if position.turn in (None, escale.CHANCE):
            continue
        nodes = [position.choices()]
        while nodes:
            node = nodes.pop()
            for atom in node.next:
                if atom in ("north", "south") or atom in LETTERS:
                    assert places[atom]
            cells = [cell for atom in node.next for cell in places.get(atom, ())]
            assert len(cells) == len(set(cells))
            nodes += chance.sample([*node.next.values()], min(2, len(node.next)))


def test_places_are_whole_columns_and_their_halves() -> None:
    places = {slug: escale.game(slug).board.places for slug in SLUGS}
    assert places["qenj2"]["f"] == tuple(f"f{row}" for row in range(1, 10))
    assert {cell[1] for cell in places["qenj2"]["north"]} == set("1234")
    assert {cell[1] for cell in places["qenj2"]["south"]} == set("6789")
    assert {cell[1] for cell in places["qenj1"]["north"]} == set("12")
    assert {cell[1] for cell in places["qenj3"]["south"]} == set("456")
    assert places["qenj4"] == {}


def test_a_turned_board_keeps_its_places() -> None:
    scene = ready("qenj2", {"setup": "quick"}, 1).scene(ALL)
    assert scene.flip().places == scene.places
    assert json.loads(json.dumps(scene.as_json()))["places"]["a"][0] == "a1"


def test_nothing_follows_a_pass() -> None:
    position = escale.game("qenj2").position(
        "..y3y1...../.b3r1r1y1b2r3../-/-/-/-/.y2r3b3r1b1r2y3b1/.b2b2r2y1y2y2r1r3/-/"
        ".r2y3b3b3b2y2y3./-/...r3y1b1b1r2. A 12 north=A"
    )
    assert [move.text for move in position.moves()] == ["pass"]
    with pytest.raises(escale.IllegalMove) as caught:
        position.play("pass-north")
    assert caught.value.refusal.key == "not-here"
