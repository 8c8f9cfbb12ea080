"""Thinking about a position: by a level, by a method with settings, or within a limit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from escale import kernel
from escale.game.errors import BadOption, NotNow
from escale.game.moves import Move
from escale.game.position import Position
from escale.kernel import Evaluation, Limit, Line, SearchResult
from escale.opponents.levels import CEILINGS, Way, way_of


def think(
    position: Position, player: str | Way | None = None, limit: Limit | None = None, *,
    seed: int = 0, lines: int = 1, among: Iterable[Move] | None = None,
    evaluation: Evaluation | None = None, open_cards: bool = False,
) -> SearchResult[Move]:
    """Choose a move; the same seed and budget give the same move.

    The player is a level, by name, or a way of thinking. A level has a budget of its own and a
    ceiling of time, which the limit may lower. Without a player the limit decides: simulations mean
    Monte-Carlo tree search, over information sets if the game hides something; nodes or a depth
    mean alpha-beta; with time alone the game's own method is used. The result names the method.

    `lines` is the number of moves to compare, `among` are these moves, if not all. Another
    `evaluation` than the game's own is for matches between the two. With `open_cards` nothing is
    hidden from the seat to move: for analysis, problems and reviews, never at a table.
    """
    if position.turn is None or position.turn == kernel.CHANCE:
        raise NotNow("it is no seat's turn to think")
    limit = limit or Limit()
    seconds = limit.seconds
    if isinstance(player, str):
        way = way_of(position.game, player)
        seconds = min(CEILINGS[player], seconds or CEILINGS[player])
    else:
        way = player or Way(_method_within(position, limit), ())
    limit, settings = _budget(way, limit, seconds)
    if way.method == "alphabeta" and position.seats != 2:
        raise BadOption(f"alphabeta is for two seats, not {position.seats}")
    # A seat must not use what it cannot know: it thinks about a table that it imagines.
    if open_cards and way.method == "ismcts":
        settings["open_cards"] = True
    imagined = position if open_cards else position.imagine(position.turn, kernel.Random(seed))
    found = kernel.search(
        imagined.kernel(), way.method, limit, seed=seed, lines=lines,
        among=None if among is None else [move.code for move in among],
        evaluation=evaluation or position.game.evaluation, **settings,
    )
    by_moves = tuple(_as_moves(position, imagined, line) for line in found.lines)
    return SearchResult(
        found.method, by_moves, found.simulations, found.nodes, found.depth, found.milliseconds
    )


def method_for(position: Position) -> str:
    """The search that plays this game best; docs/strength.md has the measurements."""
    return position.game.search if position.seats == 2 else tree_search(position)


def tree_search(position: Position) -> str:
    """The tree search for a game: over information sets if the game hides something."""
    return "ismcts" if position.game.search == "ismcts" else "mcts"


def _method_within(position: Position, limit: Limit) -> str:
    if limit.simulations is not None:
        return tree_search(position)
    return method_for(position) if limit.nodes is limit.depth is None else "alphabeta"


def _budget(way: Way, limit: Limit, seconds: float | None) -> tuple[Limit, dict[str, int]]:
    """The limit of the search, and its other settings."""
    unit = kernel.SETTINGS[way.method][0]
    settings = dict(way.settings)
    if way.budgeted and (limit.nodes or limit.simulations or limit.depth):
        raise BadOption("a level or a way of thinking has a budget of its own")
    if limit.simulations if unit == "nodes" else limit.nodes or limit.depth:
        raise BadOption(f"{way.method} counts {unit}")
    if not way.budgeted and not limit:
        raise BadOption("thinking needs a budget: simulations, nodes or seconds")
    nodes, simulations = limit.nodes, limit.simulations
    if unit == "nodes":
        nodes = settings.pop(unit, nodes)
    else:
        simulations = settings.pop(unit, simulations)
    return Limit(nodes, simulations, limit.depth, seconds), settings


def _as_moves(position: Position, imagined: Position, line: Line[int]) -> Line[Move]:
    """The kernel's line as moves; in an imagined position only the first is certain."""
    proven = line.proven and imagined is position
    _, *further = _moves(imagined, line.moves)
    return Line(
        (Move(position, line.moves[0]), *further), line.shares, proven,
        line.plies_to_end if proven else None,
    )


def _moves(position: Position, codes: tuple[int, ...]) -> Iterator[Move]:
    here = position
    for code in codes:
        move = next((move for move in here.moves() if move.code == code), None)
        if move is None:
            return
        yield move
        here = here.play(move)
