"""Every game as an environment of PettingZoo (AEC): one agent after another, one atom a step.

```python
>>> from escale.adapters.pettingzoo import Environment
>>> env = Environment("tortuga")
>>> env.reset(seed=7)
>>> for agent in env.agent_iter(6):
...     observation, reward, terminated, truncated, info = env.last()
...     env.step(int(info["action_mask"].argmax()))
>>> env.decision.position.plies
3

```

Observations are vectors (`observations.py`), and `info["action_mask"]` has 1 for each legal action.
An action that is not legal ends the game: its seat loses, and the others share the win.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from escale.adapters.actions import Decision
from escale.adapters.observations import layout_of
from escale.game.viewer import ALL, SPECTATOR, Seat, Viewer
from escale.games import game as game_named
from escale.kernel import Random
from escale.kernel.batch import rewards
from escale.render.svg import svg
from escale.render.text import board_in_words

MODES = ("human", "ansi", "svg")


class Environment(AECEnv):  # type: ignore[misc]
    """A game, whose seats are the agents `player_0`, `player_1`, …

    The modes of rendering are `human`, which prints the board, `ansi`, which returns it as text,
    and `svg`, which returns a drawing.
    """

    def __init__(
        self, game: str, *, seats: int | None = None, render_mode: str | None = None,
        **options: str,
    ) -> None:
        super().__init__()
        self.start = game_named(game).start_with(options, seats=seats)
        """The position before the first move."""
        self.metadata = {
            "name": f"escale_{game.replace('-', '_')}", "render_modes": [*MODES],
            "is_parallelizable": False,
        }
        if render_mode not in (None, *MODES):
            raise ValueError(f"render_mode is one of {', '.join(MODES)}")
        self.render_mode = render_mode
        self.layout = layout_of(self.start.game, self.start.options)
        """The layout of an observation."""
        self.possible_agents = [f"player_{seat}" for seat in range(self.start.seats)]
        self._seats = {agent: Seat(seat) for seat, agent in enumerate(self.possible_agents)}
        self.actions = Decision(self.start).actions
        """The meaning of each action."""
        self.state_space = self._box()
        self.observation_spaces = {agent: self._box() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(len(self.actions)) for agent in self.possible_agents}
        self._random = Random(secrets.randbits(64))

    def _box(self) -> Box:
        return Box(0.0, 1.0, (self.layout.size,), np.float32)

    def observation_space(self, agent: str) -> Box:
        """The space of observations: vectors of numbers from 0 to 1."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """The space of actions: one number for each atom."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; with a seed, all later chance outcomes are the same."""
        if seed is not None:
            self._random = Random(seed)
        self.agents = self.possible_agents[:]
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._look(Decision(self.start))

    def _look(self, decision: Decision) -> None:
        """Go to the next decision of a seat, or to the end."""
        self.decision = decision = decision.settled(self._random)
        """The position, and the half-made move."""
        none = np.zeros(len(self.actions), np.int8)
        self.infos = {agent: {"action_mask": none} for agent in self.agents}
        if decision.turn is None:
            assert decision.position.outcome is not None
            self._end(rewards(decision.position.outcome.shares))
            return
        self.agent_selection = self.possible_agents[decision.turn]
        mask = none.copy()
        mask[decision.legal] = 1
        self.infos[self.agent_selection] = {"action_mask": mask}

    def _end(self, earned: list[float]) -> None:
        self.rewards = dict(zip(self.possible_agents, earned, strict=True))
        self.terminations = dict.fromkeys(self.agents, True)

    def step(self, action: int | None) -> None:
        """Choose one more atom for the seat to move."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if int(action) in self.decision.legal:
            self._look(self.decision.step(int(action)))
        else:
            others = 1 / (self.start.seats - 1)         # the others share the win
            self._end(rewards([others if one != agent else 0.0 for one in self.possible_agents]))
        self._accumulate_rewards()

    def _vector(self, viewer: Viewer) -> NDArray[np.float32]:
        return np.frombuffer(self.layout.vector(self.decision, viewer), np.float32)

    def observe(self, agent: str) -> NDArray[np.float32]:
        """The observation of an agent's seat."""
        return self._vector(self._seats[agent])

    def state(self) -> NDArray[np.float32]:
        """The observation of a viewer who may see everything."""
        return self._vector(ALL)

    def render(self) -> str | None:
        """The table, as a spectator sees it."""
        game, scene = self.start.game, self.decision.position.scene(SPECTATOR)
        if self.render_mode == "svg":
            return svg(scene, art=game.art)
        text = board_in_words(game, scene, "en")
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """There is nothing to close."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
