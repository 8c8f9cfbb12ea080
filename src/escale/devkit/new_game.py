"""`escale new-game`: writes a small complete game, which its author then changes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from escale.game.errors import BadOption, BadSetting
from escale.game.grids import Grid, hexagon, square

TEMPLATE = Path(__file__).parent / "template"
PACKAGE = "package"
"""The folder of the template that becomes the package. All its files end in `.txt`, so that no tool
takes them for code of this package."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The name of the new game, and its board."""

    slug: str
    shape: str
    size: int

    def __post_init__(self) -> None:
        if not re.fullmatch("[a-z][a-z0-9]*(-[a-z0-9]+)*", self.slug):
            raise BadSetting("new-game", got=self.slug[:60])
        try:
            self.grid()
        except ValueError as error:
            raise BadOption(str(error)) from None

    def grid(self) -> Grid:
        """The board."""
        return hexagon(self.size) if self.shape == "hexagon" else square(self.size)

    def words(self) -> dict[str, str]:
        """The text for each mark of the template."""
        grid = self.grid()
        line = 3 if len(grid.cells) < 25 else 4
        return {
            "SLUG": self.slug,
            "TITLE": self.slug.replace("-", " ").capitalize(),
            "PACKAGE": f"escale_{self.slug.replace('-', '_')}",
            "CLASS": "".join(part.capitalize() for part in self.slug.split("-")),
            "SHAPE": self.shape,
            "SIZE": str(self.size),
            "LINE": str(line),
            "WINNING": repr(_winning(grid, line)).replace("'", '"'),
            "EXAMPLES": _examples(grid, line),
            **_threat(grid, line),
            "BOARD": _board_drawing(grid),
        }


def write_game(plan: Plan, folder: Path) -> Path:
    """Write the new game below `folder`; BadOption if something is there already."""
    words = plan.words()
    root = folder / f"escale-{plan.slug}"
    if root.exists():
        raise BadSetting("exists", path=root)
    for source in sorted(TEMPLATE.rglob("*.txt")):
        relative = _filled(source.relative_to(TEMPLATE).as_posix(), words).removesuffix(".txt")
        target = root / relative
        if relative.split("/")[0] == PACKAGE:
            target = root / "src" / words["PACKAGE"] / Path(*relative.split("/")[1:])
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_filled(source.read_text("utf-8"), words), "utf-8")
    return root


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub("@([A-Z]+)@", lambda mark: words[mark[1]], text)


def _lines(grid: Grid) -> tuple[list[str], list[str]]:
    """A longest column and another one, each from South."""
    names = sorted({cell[0] for cell in grid.bits})
    columns = [sorted(cell for cell in grid.bits if cell[0] == name) for name in names]
    longest = max(columns, key=len)
    return longest, columns[-1]


def _winning(grid: Grid, line: int) -> list[str]:
    """Moves with which the first seat fills a line."""
    mine, theirs = _lines(grid)
    pairs = zip(mine[: line - 1], theirs[: line - 1], strict=True)
    return [*(move for pair in pairs for move in pair), mine[line - 1]]


def _text(grid: Grid, cells: dict[str, str], turn: str, plies: int) -> str:
    letters = {"black": "B", "white": "W"}
    rows = ("".join(letters[cells[c]] if c in cells else "." for c in row) for row in grid.rows)
    board = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{board} {turn} {plies}"


def _examples(grid: Grid, line: int) -> str:
    """The examples: what each paragraph allows, forbids or ends."""
    moves = _winning(grid, line)

    def after(count: int) -> dict[str, str]:
        return {move: ("black", "white")[i % 2] for i, move in enumerate(moves[:count])}

    def table(**fields: Any) -> str:
        lines = (f"{name} = {_toml(value)}" for name, value in fields.items())
        return "\n".join(["[[example]]", *lines, ""])

    first = moves[0]
    last = len(moves)
    over = {"ending": "line", "winner": "black"}
    return "\n".join([
        table(id="place", rules=["place"], beside="place",
              position=_text(grid, {}, "black", 0), move=first,
              after=_text(grid, after(1), "white", 1),
              fr=f"Noir pose sa première pierre en {first}.",
              en=f"Black places the first stone on {first}."),
        table(id="taken", rules=["place"], position=_text(grid, after(1), "white", 1),
              attempt=first, refused="place", cells=[first],
              fr=f"La case {first} est prise.", en=f"The cell {first} is taken."),
        table(id="line", rules=["line"], beside="line",
              position=_text(grid, after(last - 1), "black", last - 1), move=moves[-1], **over,
              fr=f"Noir aligne {line} pierres et gagne.",
              en=f"Black has {line} stones in a line and wins."),
        table(id="line-over", rules=["line"], position=_text(grid, after(last), "white", last),
              attempt=moves[1], refused="line", **over,
              fr="La partie est finie.", en="The game is over."),
        *_full(grid, line, table),
    ])


def _threat(grid: Grid, line: int) -> dict[str, str]:
    """A position of the lesson: White must take the last cell of Black's line."""
    *moves, _, blocked = _winning(grid, line)
    cells = {move: ("black", "white")[i % 2] for i, move in enumerate(moves)}
    return {"THREAT": _text(grid, cells, "white", len(moves)), "BLOCKED": blocked}


def _full(grid: Grid, line: int, table: Any) -> list[str]:
    """A board that the last stone fills without a line, and the full board."""
    cells = _drawn(grid, line)
    seats = ("black", "white")
    plies = len(cells)
    last = next(cell for cell, seat in cells.items() if seat == seats[(plies - 1) % 2])
    before = {cell: seat for cell, seat in cells.items() if cell != last}
    over = {"ending": "full", "winner": "nobody"}
    return [
        table(id="full", rules=["full"],
              position=_text(grid, before, seats[(plies - 1) % 2], plies - 1), move=last, **over,
              fr="La dernière pierre remplit le plateau : partie nulle.",
              en="The last stone fills the board: a draw."),
        table(id="full-over", rules=["full"], position=_text(grid, cells, seats[plies % 2], plies),
              attempt=last, refused="full", **over,
              fr="Il n’y a plus de case vide.", en="There is no empty cell left."),
    ]


def _drawn(grid: Grid, line: int) -> dict[str, str]:
    """A full board without a line, found by a repeatable search."""
    chance = Random(f"{len(grid.cells)} {line}")
    cells = list(grid.bits)
    seats = [("black", "white")[i % 2] for i in range(len(cells))]
    while True:
        chance.shuffle(seats)
        board = dict(zip(cells, seats, strict=True))
        for _ in range(20 * len(cells)):
            broken = _in_line(grid, board, line)
            if not broken:
                return board
            one = chance.choice(broken)
            other = chance.choice([cell for cell in cells if board[cell] != board[one]])
            board[one], board[other] = board[other], board[one]


def _in_line(grid: Grid, board: dict[str, str], line: int) -> list[str]:
    """The cells of some line of one colour; none where there is no line."""
    for cell in board:
        for direction in grid.directions:
            run = [cell]
            while len(run) < line:
                further = grid.step(run[-1], direction)
                if further is None or board[further] != board[cell]:
                    break
                run.append(further)
            if len(run) == line:
                return run
    return []


def _board_drawing(grid: Grid) -> str:
    """The ground under the cells, for art.svg."""
    outline = " ".join(
        "M" + " ".join(f"{x:g} {y:g}" for x, y in cell.outline) + "Z" for cell in grid.cells
    )
    return (
        f'<rect width="{grid.width:g}" height="{grid.height:g}" rx="24" fill="#6b4f3a"/>\n'
        f'      <path fill="#e9d8b4" stroke="#8a6f52" stroke-width="3" d="{outline}"/>'
    )


def _toml(value: object) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return f'"{value}"'
