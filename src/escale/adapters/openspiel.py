"""Every game as a Python game of OpenSpiel: importing this module registers them.

```python
>>> import pyspiel
>>> import escale.adapters.openspiel
>>> game = pyspiel.load_game("escale_canyon_1997(players=4,short=on)")
>>> state = game.new_initial_state()
>>> state.is_chance_node(), game.num_distinct_actions()
(True, 247)

```

A game's options are parameters, and so is the number of `players` where there is a choice. One
action is one atom; chance decides by atoms, too. An information state is a text: the moves as all
seats may read them, and what the seat sees now. An observation is a vector (`observations.py`),
with its parts by their names.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pyspiel

from escale.adapters.actions import Decision, actions_of
from escale.adapters.observations import layout_of
from escale.adapters.public_moves import PublicMoves
from escale.game.game import Game
from escale.game.viewer import SPECTATOR, Seat
from escale.games import games
from escale.kernel import CHANCE, Random
from escale.kernel.batch import rewards

LONGEST_GAME_STEPS = 1_000_000
"""More steps than a game has: games of Canyon (1997) end by themselves, but have no fixed limit."""


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game with its options; OpenSpiel knows a subclass for each."""

    game: ClassVar[Game[Any]]
    kind: ClassVar[pyspiel.GameType]

    def __init__(self, params: dict[str, Any]) -> None:
        game = self.game
        chosen = {option.name: str(params.get(option.name, option.default))
                  for option in game.options}
        self.start = game.start_with(chosen, seats=int(params.get("players", game.seats[0])))
        """The position before the first move."""
        self.actions = actions_of(game, self.start.options)
        """The meaning of each action."""
        seats = self.start.seats
        super().__init__(self.kind, pyspiel.GameInfo(
            num_distinct_actions=len(self.actions), max_chance_outcomes=len(self.actions),
            num_players=seats, min_utility=-1.0, max_utility=1.0, utility_sum=0.0,
            max_game_length=LONGEST_GAME_STEPS,
        ), params)

    def new_initial_state(self) -> SpielState:
        """The position before the first move."""
        return SpielState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Any = None
    ) -> Observer:
        """An observer for players."""
        if params:
            raise ValueError(f"there are no parameters for observations, such as {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return Observer(self, kind)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """A position, the half-made move, and the moves before as all seats may read them."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.decision = Decision(game.start)
        self.public = PublicMoves()

    def current_player(self) -> int:
        """The seat to move, chance, or the end."""
        turn = self.decision.turn
        if turn is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if turn == CHANCE else turn

    def _legal_actions(self, player: int) -> list[int]:
        return self.decision.legal

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each action with its probability."""
        return self.decision.chances

    def _apply_action(self, action: int) -> None:
        before, after = self.decision, self.decision.step(action)
        if not after.chosen:
            last = after.position.last
            assert last is not None
            self.public = self.public.after(before.position, last.code, after.position)
        self.decision = after

    def _action_to_string(self, player: int, action: int) -> str:
        return self.decision.actions.atoms[action]

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.decision.turn is None

    def returns(self) -> list[float]:
        """1 for a sole winner; all together 0."""
        outcome = self.decision.position.outcome
        return [0.0] * self.decision.position.seats if outcome is None else rewards(outcome.shares)

    def resample_from_infostate(self, player_id: int, sampler: Any) -> SpielState:
        """A state that a player cannot distinguish from this one, each equally likely.

        The public text of the moves stays as it is; other seats see what they are imagined to have.
        Do not read its `history()`, which has the actions that led to the real state.
        """
        random = Random(int(sampler() * (1 << 53)))
        other: SpielState = self.clone()
        position = self.decision.position.imagine(player_id, random)
        chosen = self.decision.chosen if self.decision.turn == player_id else ()
        other.decision = Decision(position, chosen)
        return other

    def __str__(self) -> str:
        return " ".join([self.decision.position.text, *self.decision.chosen])


class Observer:
    """One kind of observation for a player: see OpenSpiel's `observation.py`."""

    def __init__(self, game: SpielGame, kind: pyspiel.IIGObservationType) -> None:
        self._kind = kind
        self._own = kind.private_info != pyspiel.PrivateInfoType.NONE
        self._layout = layout_of(game.start.game, game.start.options)
        self.tensor: np.ndarray[Any, np.dtype[np.float32]] | None = None
        self.dict: dict[str, np.ndarray[Any, np.dtype[np.float32]]] = {}
        if kind.public_info and not kind.perfect_recall:
            self.tensor = np.zeros(self._layout.size, np.float32)
            self.dict = {
                part.name: self.tensor[part.start: part.start + part.size].reshape(part.shape)
                for part in self._layout.parts
            }

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill in the vector."""
        if self.tensor is not None:
            viewer = Seat(player) if self._own else SPECTATOR
            self.tensor[:] = self._layout.vector(state.decision, viewer)

    def string_from(self, state: SpielState, player: int) -> str:
        """The same in words: a position's text, without what is hidden."""
        position = state.decision.position
        viewer = Seat(player) if self._own else SPECTATOR
        half_made = state.decision.chosen if viewer == Seat(position.kernel().turn) else ()
        if self._kind.public_info:
            moves = [f"{player}: {state.public} |"] if self._kind.perfect_recall else []
            return " ".join([*moves, position.text_for(viewer), *half_made])
        seen = position.game.seen(position.cells, viewer)
        public = position.game.seen(position.cells, SPECTATOR)
        own = [f"{name}: {value}" for name, value in seen.items() if public[name] != value]
        return " ".join([*own, *half_made])


def _register(game: Game[Any]) -> None:
    fewest, most = game.seats
    chance = game.drawing is not None
    modes, knows = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    players = {"players": fewest} if fewest < most else {}
    kind = pyspiel.GameType(
        short_name=f"escale_{game.slug.replace('-', '_')}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance else modes.DETERMINISTIC,
        information=(
            knows.IMPERFECT_INFORMATION if game.hides else knows.PERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        parameter_specification={
            **players, **{option.name: option.default for option in game.options}
        },
    )
    # A class, because OpenSpiel frees it after the interpreter has ended, and freeing a function
    # needs an interpreter.
    own = type(f"Spiel{type(game).__name__}", (SpielGame,), {"game": game, "kind": kind})
    pyspiel.register_game(kind, own)


for _game in games():
    _register(_game)
