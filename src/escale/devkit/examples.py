"""Checks the examples of a game, each alone and all together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from escale.game.errors import EscaleError, IllegalMove
from escale.game.examples import Example
from escale.game.game import Game
from escale.game.languages import AUTHORED
from escale.game.position import Position


def example_faults(game: Game[Any]) -> Iterator[str]:
    """Faults in a game's examples."""
    seen: set[str] = set()
    for example in game.examples:
        if example.id in seen:
            yield f"two examples are called {example.id}"
        seen.add(example.id)
        faults = [*_untrue(game, example), *_form(game, example), *_captions(example)]
        yield from (f"{example.id}: {fault}" for fault in faults)
    yield from _missing(game)


def _untrue(game: Game[Any], example: Example) -> list[str]:
    """Statements of the example that are not true; empty if all are."""
    faults: list[str] = []
    try:
        position = game.position(example.position, line=example.line)
        if example.legal is not None:
            found = sorted(move.text for move in position.moves())
            if found != sorted(example.legal):
                faults.append(f"legal moves are {found}, not {sorted(example.legal)}")
        if example.attempt is not None:
            faults += _faults_of_attempt(position, example)
        if example.move is not None:
            position = position.play(example.move)
            if example.after is not None and position.text != example.after:
                faults.append(f"{example.move} leads to {position.text!r}, not {example.after!r}")
    except EscaleError as error:
        return [*faults, str(error)]
    outcome = position.outcome
    ending = outcome.name if outcome else None
    if ending != example.ending:
        faults.append(f"ending is {ending}, not {example.ending}")
    winner = outcome.winner_name if outcome else None
    if winner != example.winner:
        faults.append(f"winner is {winner}, not {example.winner}")
    return faults


def _faults_of_attempt(position: Position, example: Example) -> list[str]:
    assert example.attempt is not None
    try:
        position.play(example.attempt)
    except IllegalMove as no:
        faults = []
        if no.refusal.paragraph != example.refused:
            faults.append(f"{example.attempt} is refused by {no.refusal.paragraph}, "
                          f"not {example.refused}: {no.refusal.text('en')}")
        if example.cells and set(no.refusal.cells) != set(example.cells):
            faults.append(f"{example.attempt} highlights {no.refusal.cells}, not {example.cells}")
        return faults
    return [f"{example.attempt} is legal"]


def citable(game: Game[Any]) -> set[str]:
    """The paragraphs that a refusal of the game may cite."""
    return {game.moving, *game.cites, *(ending.paragraph for ending in game.endings)}


def _form(game: Game[Any], example: Example) -> Iterator[str]:
    """Faults in the fields of one example."""
    numbers = game.rules[AUTHORED[0]].numbers
    unknown = [name for name in example.rules if name not in numbers]
    yield from (f"no paragraph {name}" for name in unknown)
    if not unknown and list(example.rules) != sorted(set(example.rules), key=numbers.__getitem__):
        yield "rules must name paragraphs in the order of the page, each once"
    if not example.rules:
        yield "rules must name the paragraphs that it shows"
    for text in (example.position, example.after):
        if text is not None and game.position(text).text != text:
            yield f"{text!r} is written {game.position(text).text!r}"
    if example.move is None and example.attempt is None and example.legal is None:
        yield "expected a move, an attempt or all legal moves"
    if example.after is not None and example.move is None:
        yield "after needs a move"
    if (example.attempt is None) != (example.refused is None):
        yield "an attempt needs the paragraph that refuses it, and only an attempt has one"
    elif example.attempt is not None:
        if example.refused not in example.rules:
            yield f"{example.refused} refuses the attempt, so rules must name it"
        places = {cell.id for cell in game.board.cells}.intersection(game.split(example.attempt))
        if places and not example.ending and not example.cells:
            yield "a refusal during the game lights something: name the cells"


def _captions(example: Example) -> Iterator[str]:
    captions = [example.caption[lang] for lang in AUTHORED]
    if len(set(captions)) < len(captions):
        yield "the captions are the same in two languages"
    for caption in captions:
        if not caption.strip().endswith((".", "!", "?")):
            yield f"a caption is a sentence: {caption!r}"
        if "'" in caption:
            yield f"a caption has a straight apostrophe: {caption!r}"


def _missing(game: Game[Any]) -> Iterator[str]:
    """Faults of coverage: things that no example shows."""
    refused = {example.refused for example in game.examples}
    yield from (
        f"no example of an attempt that {name} forbids"
        for name in sorted(citable(game)) if name not in refused
    )
    endings = {example.ending for example in game.examples}
    yield from (
        f"no example ends by {ending.name}" for ending in game.endings if ending.name not in endings
    )
    shown = {name for example in game.examples for name in example.rules}
    yield from (
        f"no example shows the section {section.id}"
        for section in game.rules[AUTHORED[0]].sections
        if section.paragraphs and not shown.intersection(rule.id for rule in section.paragraphs)
    )
    chosen = {
        choice for example in game.examples
        for choice in game.position(example.position).options.items()
    }
    yield from (
        f"no example has {option.name}={value}"
        for option in game.options for value in option.values if (option.name, value) not in chosen
    )
