"""An environment for reinforcement learning: every game as PettingZoo's AEC, with action masks and what each seat sees.

Generic: it knows no game. An agent is a seat. An action is an index into the list of what the seat may choose between
(:meth:`umpire.Game.offers`): ``infos[agent]["actions"]`` has the actions themselves, ``action_mask`` says which indices
there are. ``max_actions`` bounds the list; where more could be chosen, some are left out evenly, and
``infos[agent]["whole"]`` is false. An observation is made of what the seat knows and of nothing else: each value in its view is
hashed, with the path to it, to a place among ``features``, with a sign, and is added up there. ``infos[agent]["view"]``
has the view itself.

The reward is given at the end: 1 to the winner and -1 to each other seat; 0 to all where nobody wins. A game that is not
over after ``max_plies`` is truncated.
"""

from __future__ import annotations

import json
from typing import Any
from zlib import crc32

import gymnasium
import numpy as np
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from ._play import Game, games

Observation = dict[str, Any]


def hashed(view: Any, features: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Any JSON value as an array of fixed length: numbers add their logarithm with its sign, everything else adds 1, at a
    place that follows from the path and, but for numbers, from the value. The order of lists counts."""
    found = np.zeros(features, dtype=np.float32)

    def add(path: str, weight: float) -> None:
        place = crc32(path.encode())
        found[place % features] += weight if place & 0x8000_0000 else -weight

    def walk(path: str, value: Any) -> None:
        if isinstance(value, dict):
            for name, part in value.items():
                walk(f"{path}/{name}", part)
        elif isinstance(value, list):
            for at, part in enumerate(value):
                walk(f"{path}/{at}", part)
        elif isinstance(value, bool) or value is None or isinstance(value, str):
            add(f"{path}={value}", 1.0)
        else:
            add(path, float(np.sign(value) * np.log1p(abs(value))))
            add(f"{path}#", 1.0)

    walk("", view)
    return found


class UmpireEnv(AECEnv[str, Observation, int]):
    """A game as an environment."""

    metadata = {"name": "umpire_v0", "render_modes": ["ansi", "svg"], "is_parallelizable": False}

    def __init__(
        self,
        game: str,
        *,
        options: dict[str, Any] | None = None,
        max_actions: int = 512,
        features: int = 512,
        max_plies: int = 2000,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._name, self._options = game, options
        self.max_actions, self.features, self.max_plies = max_actions, features, max_plies
        self.render_mode = render_mode
        if game not in games():
            raise ValueError(f"there is no game {game!r}; the games are {', '.join(games())}")
        # Which seats are in use follows from the options alone.
        self.possible_agents = Game.new(game, seed="seats", options=options).seats
        self._spaces = {agent: gymnasium.spaces.Discrete(max_actions) for agent in self.possible_agents}
        bounds: dict[str, Any] = {"low": -np.inf, "high": np.inf, "shape": (features,), "dtype": np.float32}
        mask: dict[str, Any] = {"low": 0, "high": 1, "shape": (max_actions,), "dtype": np.int8}
        self._observed = {
            agent: gymnasium.spaces.Dict(
                {"observation": gymnasium.spaces.Box(**bounds), "action_mask": gymnasium.spaces.Box(**mask)}
            )
            for agent in self.possible_agents
        }
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """An array of ``features`` numbers, and a mask of ``max_actions``."""
        return self._observed[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """An index below ``max_actions``."""
        return self._spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deals a game. The same seed deals the same game; without one, each is another."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        deal = "".join(f"{word:08x}" for word in self._random.integers(0, 2**32, size=4))
        #: The game that is played: its ``record`` can be kept, and judged.
        self.game = Game.new(self._name, seed=deal, options=self._options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._choices: list[dict[str, Any]] = []
        self._seen: dict[str, tuple[int, dict[str, Any]]] = {}
        self._turn()

    def step(self, action: int | None) -> None:
        """Takes the action of that index for the seat that decides."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= int(action) < len(self._choices):
            raise ValueError(f"{action!r} is none of the {len(self._choices)} actions that {agent} may choose")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.game.play(self._choices[int(action)])
        look = self.game.look("referee")
        if look["status"] == "complete":
            winner = look["outcome"]["winner"]
            for seat in self.agents:
                self.rewards[seat] = 0.0 if winner is None else 1.0 if seat == winner else -1.0
                self.terminations[seat] = True
        elif self.game.ply >= self.max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn()
        self._accumulate_rewards()

    def _turn(self) -> None:
        """Finds who decides, and what may be chosen."""
        self.infos = {agent: {} for agent in self.agents}
        self._choices = []
        deciders = self.game.deciders
        if not deciders or any(self.truncations.values()):
            # They leave in their order.
            self.agent_selection = self.agents[0]
            return
        # Where several may decide, the first in seat order.
        self.agent_selection = next(seat for seat in self.possible_agents if seat in deciders)
        self._choices, whole = self.game.offers(self.agent_selection, self.max_actions)
        self.infos[self.agent_selection] = {
            "actions": self._choices,
            "whole": whole,
            "view": self._look(self.agent_selection)["state"],
        }

    def _look(self, agent: str) -> dict[str, Any]:
        ply, look = self._seen.get(agent, (-1, {}))
        if ply != self.game.ply:
            look = json.loads(self.game.view(agent))
            self._seen[agent] = (self.game.ply, look)
        return look

    def observe(self, agent: str) -> Observation:
        """What a seat sees, and which indices it may choose."""
        look = self._look(agent)
        mask = np.zeros(self.max_actions, dtype=np.int8)
        if agent == self.agent_selection:
            mask[: len(self._choices)] = 1
        seen = {"decision": look["decision"], "state": look["state"]}
        return {"observation": hashed(seen, self.features), "action_mask": mask}

    def render(self) -> str | None:
        """The board as the spectator sees it: an SVG, or the view as text."""
        if self.render_mode == "svg":
            from . import board_svg

            return board_svg(self.game.record, viewer="spectator")
        if self.render_mode == "ansi":
            return json.dumps(self.game.look("spectator"), indent=1)
        return None

    def close(self) -> None:
        """Nothing is held open."""


def env(game: str, **settings: Any) -> AECEnv[str, Observation, int]:
    """A game as an environment that refuses wrong calls with a reason, as PettingZoo's own ones do."""
    from pettingzoo.utils import wrappers

    wrapped: AECEnv[str, Observation, int] = wrappers.OrderEnforcingWrapper(UmpireEnv(game, **settings))
    return wrapped
