"""OpenSpiel's own suites, as they are, and what a player cannot know."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough, ismcts

import escale
from escale.adapters.openspiel import SpielState
from tests.games import OURS

NAMES = {game.slug: f"escale_{game.slug.replace('-', '_')}" for game in OURS}
QUICK = [slug for slug in NAMES if slug != "canyon-1997"]


def canyon(rounds: int, players: int = 3) -> SpielState:
    """Canyon (1997) after some rounds at random."""
    state: SpielState = pyspiel.load_game(
        f"escale_canyon_1997(players={players})"
    ).new_initial_state()
    choice = random.Random(rounds)
    while int(state.decision.position.cells["round"]) <= rounds:
        state.apply_action(choice.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("slug", NAMES)
def test_random_games_pass_the_suite(slug: str) -> None:
    game = pyspiel.load_game(NAMES[slug])
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


@pytest.mark.exhaustive
@pytest.mark.parametrize("slug", NAMES)
def test_more_random_games_with_every_option_pass_the_suite(slug: str) -> None:
    facts = escale.game(slug)
    for option in facts.options:
        for value in option.values:
            game = pyspiel.load_game(f"{NAMES[slug]}({option.name}={value})")
            pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    for players in range(facts.seats[0], facts.seats[1] + 1):
        params = f"(players={players})" if facts.seats[1] > 2 else ""
        game = pyspiel.load_game(f"{NAMES[slug]}{params}")
        pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def _replayed(name: str, folder: Path, seed: int) -> str:
    """A playthrough, written down and replayed."""
    flags.FLAGS.mark_as_parsed()
    path = folder / "playthrough.txt"
    path.write_text(generate_playthrough.playthrough(name, None, seed=seed), "utf-8")
    expected, actual = generate_playthrough.replay(str(path))
    assert expected == actual
    return str(actual)


@pytest.mark.parametrize("slug", QUICK)
def test_playthroughs_are_replayed(slug: str, tmp_path: Path) -> None:
    text = _replayed(NAMES[slug], tmp_path, 1)
    assert 'GameType.long_name = "' + escale.game(slug).title in text
    assert "IsTerminal() = True" in text


@pytest.mark.exhaustive
def test_a_playthrough_of_canyon_is_replayed(tmp_path: Path) -> None:
    text = _replayed("escale_canyon_1997(players=3)", tmp_path, 1)
    assert "PrivateObservationString(0)" in text


@pytest.mark.parametrize("players", [3, 6])
def test_what_is_resampled_looks_the_same_to_the_player(players: int) -> None:
    state = canyon(0, players)
    choice, sampler = random.Random(1), pyspiel.UniformProbabilitySampler(7, 0.0, 1.0)
    observer = state.get_game().make_py_observer()
    differ: set[str] = set()
    while int(state.decision.position.cells["round"]) < 2:
        for player in range(players if not state.is_chance_node() else 0):
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.current_player() == state.current_player()
            if state.current_player() == player:
                assert other.legal_actions() == state.legal_actions()
            vectors = []
            for each in (state, other):
                observer.set_from(each, player)
                assert observer.tensor is not None
                vectors.append(observer.tensor.copy())
            assert np.array_equal(*vectors)
            before, after = state.decision.position.cells, other.decision.position.cells
            differ |= {name for name in before if before[name] != after[name]}
        state.apply_action(choice.choice(state.legal_actions()))
    seats = escale.game("canyon-1997").seat_names[:players]
    assert {f"{seat} hand" for seat in seats} <= differ
    assert differ <= {f"{seat} {what}" for seat in seats for what in ("hand", "chosen")}


def test_secret_bids_are_told_when_all_have_bid() -> None:
    state = canyon(0)
    while not any("chosen" in name for name in state.decision.position.cells):
        state.apply_action(random.Random(1).choice(state.legal_actions()))
    first = (state.current_player() - 1) % 3
    name = escale.game("canyon-1997").seat_names[first]
    bid = state.decision.position.cells[f"{name} chosen"]
    for player in range(3):
        told, seen = state.information_state_string(player).split(" | ")
        assert told.endswith(" bid?")
        assert (f".s{bid}" in seen) == (player == first)
        assert (".s?" in seen) == (player != first)
    other = state.resample_from_infostate((first + 1) % 3, lambda: 0.3)
    while (imagined := other.decision.position.cells[f"{name} chosen"]) == bid:
        other = other.resample_from_infostate((first + 1) % 3, random.Random(2).random)
    for each, shown in ((state, bid), (other, imagined)):
        for action in ("bid2", "bid3"):
            each.apply_action(each.decision.actions.numbers[action])
        for player in range(3):
            told, _ = each.information_state_string(player).split(" | ")
            assert " bid? bid? bid3 [" in told
            assert f".b{shown}." in told


def test_a_search_of_openspiel_plays_canyon() -> None:
    state = canyon(7)                   # hands of one card
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    bot = ismcts.ISMCTSBot(
        state.get_game(), _Even(), uct_c=1.4, max_simulations=30,
        random_state=np.random.RandomState(3),
    )
    assert bot.step(state) in state.legal_actions()


class _Even:
    """Knows nothing of a state."""

    def evaluate(self, state: Any) -> list[float]:
        return [0.0] * int(state.num_players())

    def prior(self, state: Any) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]
