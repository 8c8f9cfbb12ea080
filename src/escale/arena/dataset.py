"""Games as data for learning: positions, moves, values and results, a row for each move.

A file has JSON lines, or Parquet if its name ends in `.parquet`; both give the same rows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from itertools import chain, islice
from pathlib import Path
from typing import Any

from escale.arena.pairings import Pairing, pairings, played
from escale.arena.runners import pool_of
from escale.game.errors import BadOption, BadTranscript

PARQUET = ".parquet"
ROW_GROUP_ROWS = 50_000
"""The rows in one row group of Parquet."""
GAMES_PER_TASK = 4
"""Games that a process plays before it returns their rows."""


@dataclass(frozen=True, slots=True)
class Row:
    """One move of a game, with its value and the game's result."""

    game: str
    pairing: str
    """The number of the game in the arena; rows with the same number are in the order of play."""
    position: str
    """A position's text: `Game.position` sets it up again, with everything that was hidden."""
    seat: int
    contender: str
    move: str
    expected: tuple[float, ...] | None
    """Each seat's share of the win that the contender expected; None if it had no expectation."""
    shares: tuple[float, ...]
    """Each seat's share of the win at the end."""
    ending: str
    plies_left: int
    """The number of plies from here to the end."""


def self_play(
    slug: str, options: dict[str, str], first: str, second: str, games: int, random_plies: int,
    seats: int | None = None,
) -> list[Pairing]:
    """The games of two contenders, or of one with itself; all of them are different."""
    many = pairings(slug, options, first, second, 2 * 6 * games, random_plies, seats)
    return list(dict.fromkeys(many))[:games]


def rows_of(pairing: Pairing) -> list[Row]:
    """A game, played to its end."""
    *line, (end, _) = played(pairing)
    outcome = end.outcome
    assert outcome is not None
    return [
        Row(
            pairing.game, pairing.key, position.text, position.turn, pairing.seated[position.turn],
            choice.move.text, choice.shares, outcome.shares, outcome.name,
            end.plies - position.plies,
        )
        for position, choice in line if position.turn is not None and choice is not None
    ]


def games_of(wanted: list[Pairing], processes: int) -> Iterator[list[Row]]:
    """The games of several pairings, in their order, however many processes play."""
    if processes == 1:
        yield from map(rows_of, wanted)
        return
    with pool_of(processes) as pool:
        yield from pool.map(rows_of, wanted, chunksize=GAMES_PER_TASK)


def write(path: Path | str, games: Iterable[list[Row]]) -> int:
    """Write games to a file as they are played; returns the number of rows."""
    path = Path(path)
    rows = (asdict(row) for row in chain.from_iterable(games))
    return (_write_parquet if path.suffix == PARQUET else _write_lines)(path, rows)


def read(path: Path | str) -> list[Row]:
    """The rows of a file; BadTranscript if it is not such a file."""
    path = Path(path)
    try:
        rows = _read_parquet(path) if path.suffix == PARQUET else map(
            json.loads, path.read_text("utf-8").splitlines()
        )
        return [_row(row) for row in rows]
    except (ValueError, TypeError):
        raise BadTranscript(f"{path}: not a file of games that the arena wrote") from None


def _row(row: Any) -> Row:
    wanted = {field.name for field in fields(Row)}
    if not isinstance(row, dict) or row.keys() != wanted:
        raise ValueError(f"expected {sorted(wanted)}")
    expected = row["expected"]
    return Row(**{
        **row, "shares": tuple(row["shares"]),
        "expected": None if expected is None else tuple(expected),
    })


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    count = 0
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def _write_parquet(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    arrow, parquet = _arrow()
    shares = arrow.list_(arrow.float64())
    kinds = {
        "seat": arrow.int8(), "expected": shares, "shares": shares, "plies_left": arrow.int32()
    }
    schema = arrow.schema([
        (field.name, kinds.get(field.name, arrow.string())) for field in fields(Row)
    ])
    count = 0
    with parquet.ParquetWriter(path, schema, compression="zstd") as file:
        left = iter(rows)
        while group := list(islice(left, ROW_GROUP_ROWS)):
            file.write_table(arrow.Table.from_pylist(group, schema))
            count += len(group)
    return count


def _read_parquet(path: Path) -> list[dict[str, Any]]:
    _, parquet = _arrow()
    rows: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return rows


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise BadOption("Parquet needs pyarrow: pip install 'escale-games[parquet]'") from None
    return pyarrow, parquet
