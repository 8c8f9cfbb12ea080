"""The river: read from `map.toml`, checked, and turned into the tables of the compiled rules.

A cell's number is six times its row plus its column, from a0 (0) to f29 (179).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from escale.game.errors import EscaleError

COLUMNS = "abcdef"
WIDTH, ROWS = 6, 30
RAPIDS = range(22, 29)
"""The rows of the current: the seven before the landings."""

#: The steps of an arrow in columns and rows; `^` leads up the page, towards the landings.
ARROWS = {">": (1, 0), "<": (-1, 0), "^": (0, 1), "v": (0, -1)}
START, WATER, ROCK, MOUNTAIN, WATERFALL, FOOTBRIDGE, LANDING = "S.O#WPL"
WATERS = {START, WATER, LANDING, *ARROWS}
"""The cells onto which a canoe can be steered."""
SYMBOLS = {*WATERS, ROCK, MOUNTAIN, WATERFALL, FOOTBRIDGE}

NAMES = tuple(f"{column}{row}" for row in range(ROWS) for column in COLUMNS)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
FAR = 99
"""The distance of a cell from which no landing can be reached."""


class BadMap(EscaleError, ValueError):
    """A map that breaks a rule; the message names the row and the reason."""

    code = "bad-map"


@dataclass(frozen=True)
class River:
    """A valid map."""

    terrain: str
    """The symbols of all cells, by number."""

    @classmethod
    def read(cls, path: Path) -> River:
        """The river in a file; BadMap describes its faults."""
        return cls.parse(path.read_text("utf-8"), path.name)

    @classmethod
    def parse(cls, text: str, name: str = "map") -> River:
        """The river that the text of a map draws."""
        terrain, faults = cls._look(text)
        if faults:
            raise BadMap("; ".join(f"{name}: {fault}" for fault in faults))
        return cls(terrain)

    @classmethod
    def faults(cls, text: str) -> list[str]:
        """Faults in the text of a map, each with its row."""
        return cls._look(text)[1]

    @classmethod
    def _look(cls, text: str) -> tuple[str, list[str]]:
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            return "", [f"not TOML: {error}"]
        terrain, faults = _rows(data)
        if not faults:
            faults = [*_places(terrain), *_arrows(terrain), *_cave(data)]
        if not faults:
            faults = list(_ways(terrain))
        return terrain, faults

    # ---- data for the rules ----

    def cells(self, symbols: Iterable[str]) -> list[int]:
        """The cells with one of these symbols."""
        return [number for number, symbol in enumerate(self.terrain) if symbol in symbols]

    @cached_property
    def footbridge(self) -> int:
        """The cell at the end of the cave."""
        return self.terrain.index(FOOTBRIDGE)

    @cached_property
    def steps(self) -> list[list[int]]:
        """Each cell's neighbours onto which a canoe can be steered."""
        return [_steps(self.terrain, number) for number in range(len(NAMES))]

    @cached_property
    def sources(self) -> list[list[int]]:
        """Each cell's neighbours from which a canoe can be steered on: a landing is the end."""
        onwards = {*WATERS, FOOTBRIDGE} - {LANDING}
        return [
            [near for near in neighbours(number) if self.terrain[near] in onwards]
            for number in range(len(NAMES))
        ]

    @cached_property
    def downstream(self) -> list[int]:
        """The cell to which each cell's arrow leads; -1 if it has no arrow."""
        return [_downstream(number, symbol) for number, symbol in enumerate(self.terrain)]

    @cached_property
    def distance(self) -> list[int]:
        """Steps to the nearest landing on the empty river."""
        return _distance(self.terrain)


def way(river: River, start: int, end: int, points: int, taken: Set[int]) -> list[int]:
    """The cells between `start` and `end` on a way that a canoe with `points` points may take.

    It goes exactly as many steps as it has points, and enters no cell twice; points are given up at
    a landing, and if no landing can be reached: then it goes the shortest way.
    """
    away = _away(river, end, start, taken)
    if away[start] < points and river.terrain[end] != LANDING and not _shut(river, away, taken):
        found = _winding(river, start, end, points, away, {start})
        if found is not None:
            return found
    shortest = []
    cell = start
    while away[cell] > 1:
        cell = min(river.steps[cell], key=lambda near: away.get(near, FAR))
        shortest.append(cell)
    return shortest


def _away(river: River, end: int, start: int, taken: Set[int]) -> dict[int, int]:
    """For each free cell that a canoe from `start` can reach, the number of steps to `end`."""
    away, edge = {end: 0}, [end]
    for cell in edge:
        for near in river.sources[cell]:
            free = near not in taken and near != river.footbridge
            if near not in away and (free or near == start):
                away[near] = away[cell] + 1
                edge.append(near)
    return away


def _shut(river: River, away: Iterable[int], taken: Set[int]) -> bool:
    """Whether no free landing is next to one of these cells."""
    return all(
        near in taken or river.terrain[near] != LANDING
        for cell in away for near in river.steps[cell]
    )


def _winding(
    river: River, cell: int, end: int, left: int, away: Mapping[int, int], entered: set[int]
) -> list[int] | None:
    """The cells between on a way of exactly `left` steps; None if there is none."""
    if left == 1:
        return [] if end in river.steps[cell] else None
    for near in sorted(river.steps[cell], key=lambda near: away.get(near, FAR)):
        if near == end or near in entered or away.get(near, FAR) >= left:
            continue
        rest = _winding(river, near, end, left - 1, away, entered | {near})
        if rest is not None:
            return [near, *rest]
    return None


def neighbours(number: int) -> Iterator[int]:
    """The cells around one, up to eight."""
    row, column = divmod(number, WIDTH)
    for r in range(max(0, row - 1), min(ROWS, row + 2)):
        for c in range(max(0, column - 1), min(WIDTH, column + 2)):
            if (r, c) != (row, column):
                yield r * WIDTH + c


def _steps(terrain: str, number: int) -> list[int]:
    return [near for near in neighbours(number) if terrain[near] in WATERS]


def _downstream(number: int, symbol: str) -> int:
    if symbol not in ARROWS:
        return -1
    row, column = divmod(number, WIDTH)
    right, up = ARROWS[symbol]
    row, column = row + up, column + right
    return row * WIDTH + column if 0 <= row < ROWS and 0 <= column < WIDTH else -1


def _distance(terrain: str) -> list[int]:
    """Counted from the landings outwards; it stops at cells that canoes can only leave."""
    distance = [0 if symbol == LANDING else FAR for symbol in terrain]
    edge = [number for number, symbol in enumerate(terrain) if symbol == LANDING]
    steps = 0
    while edge:
        steps += 1
        near = {
            other for number in edge for other in neighbours(number)
            if distance[other] == FAR and terrain[other] in {*WATERS, FOOTBRIDGE}
        }
        for number in near:
            distance[number] = steps
        edge = [number for number in near if terrain[number] in WATERS]
    return distance


# ---- checks of a map ----


def _rows(data: Mapping[str, object]) -> tuple[str, list[str]]:
    """The symbols of all cells, the start first, if every row is there and well written."""
    river = data.get("river")
    if not isinstance(river, str):
        return "", ["expected river, a drawing of the rows"]
    lines = [line for line in river.splitlines() if line.strip() and line.strip() != COLUMNS]
    faults, rows = [], []
    for expected, line in zip(range(ROWS - 1, -1, -1), lines, strict=False):
        number, _, symbols = line.strip().partition(" ")
        rows.append(symbols)
        if number != str(expected):
            return "", [f"row {expected}: expected here, found {line.strip()!r}"]
        if len(symbols) != WIDTH:
            faults.append(f"row {expected}: {len(symbols)} cells, not {WIDTH}")
        faults += [
            f"row {expected}: unknown symbol {symbol!r}"
            for symbol in dict.fromkeys(symbols) if symbol not in SYMBOLS
        ]
    if len(lines) < ROWS:
        faults.append(f"row {ROWS - 1 - len(lines)}: missing")
    faults += [f"row {line.split()[0]}: beyond row 0" for line in lines[ROWS:]]
    return "".join(reversed(rows)), faults


def _places(terrain: str) -> Iterator[str]:
    """Each special place is where it belongs, as often as it should be."""
    for row in range(ROWS):
        symbols = terrain[row * WIDTH : (row + 1) * WIDTH]
        if START in symbols and row > 0:
            yield f"row {row}: a start cell that is not in row 0"
        if LANDING in symbols and row < ROWS - 1:
            yield f"row {row}: a landing that is not in row {ROWS - 1}"
        flows = any(symbol in ARROWS for symbol in symbols)
        if flows and row not in RAPIDS:
            yield f"row {row}: a current outside rows {RAPIDS[0]} to {RAPIDS[-1]}"
        if not flows and row in RAPIDS:
            yield f"row {row}: no current, and it is one of the seven rows of rapids"
    for symbol, name, wanted, row in (
        (START, "start cells", 6, 0), (LANDING, "landings", 3, ROWS - 1),
    ):
        if terrain.count(symbol) != wanted:
            yield f"row {row}: {terrain.count(symbol)} {name}, not {wanted}"
    bridges = [number // WIDTH for number, symbol in enumerate(terrain) if symbol == FOOTBRIDGE]
    if not bridges:
        yield f"row {RAPIDS[0] - 1}: no footbridge, here or elsewhere"
    yield from (f"row {row}: a second footbridge" for row in bridges[1:])


def _arrows(terrain: str) -> Iterator[str]:
    """Every arrow leads on, along the current, into the waterfall."""
    wrong = {
        ROCK: "a rock", MOUNTAIN: "a mountain", LANDING: "a landing", FOOTBRIDGE: "the footbridge",
        WATER: "still water", START: "a start cell",
    }
    for number, symbol in enumerate(terrain):
        if symbol not in ARROWS:
            continue
        here = f"row {number // WIDTH}: the arrow on {NAMES[number]} leads"
        to = _downstream(number, symbol)
        if to < 0:
            yield f"{here} off the map"
        elif terrain[to] in wrong:
            yield f"{here} into {wrong[terrain[to]]}"
        else:
            seen = {number}
            while terrain[to] in ARROWS and to not in seen:
                seen.add(to)
                to = _downstream(to, terrain[to])
                if to < 0:
                    break
            if to == number:
                yield f"{here} in a circle"


def _cave(data: Mapping[str, object]) -> Iterator[str]:
    if data.get("cave") != [WATERFALL, FOOTBRIDGE]:
        yield (f"rows {RAPIDS[0]} to {RAPIDS[-1]}: expected cave = "
               f'["{WATERFALL}", "{FOOTBRIDGE}"], from the waterfall to the footbridge')


def _ways(terrain: str) -> Iterator[str]:
    """Every cell of a canoe leads to a landing, and every landing can be reached from the start."""
    distance = _distance(terrain)
    for number, symbol in enumerate(terrain):
        if symbol in {*WATERS, FOOTBRIDGE} and distance[number] == FAR:
            yield f"row {number // WIDTH}: no landing can be reached from {NAMES[number]}"
    reached = {number for number, symbol in enumerate(terrain) if symbol == START}
    edge = set(reached)
    while edge:
        edge = {
            near for number in edge if terrain[number] != LANDING
            for near in _steps(terrain, number)
        } - reached
        reached |= edge
    for number, symbol in enumerate(terrain):
        if symbol == LANDING and number not in reached:
            yield f"row {number // WIDTH}: {NAMES[number]} cannot be reached from the start"


RIVER = River.read(Path(__file__).with_name("map.toml"))
"""The river of the box."""
