"""The environment: PettingZoo's own tests, and what those do not ask."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import umpire
from umpire.env import UmpireEnv, env, hashed

GAMES = list(umpire.games())


@pytest.mark.parametrize("game", GAMES)
def test_the_api(game: str) -> None:
    api_test(env(game, max_plies=300), num_cycles=600)


@pytest.mark.parametrize("game", GAMES)
def test_the_seed(game: str) -> None:
    seed_test(lambda: env(game, max_plies=300), num_cycles=200)


def played(game: str, seed: int, **settings: Any) -> UmpireEnv:
    """A game of random actions."""
    played = UmpireEnv(game, **settings)
    played.reset(seed=seed)
    random = np.random.default_rng(seed)
    for agent in played.agent_iter():
        seen, _, over, left, info = played.last()
        if over or left:
            played.step(None)
            continue
        assert seen is not None
        mask = seen["action_mask"]
        assert mask.sum() == len(info["actions"]) > 0
        assert played.observation_space(agent).contains(seen)
        played.step(int(random.choice(np.flatnonzero(mask))))
    return played


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_records_that_hold(game: str) -> None:
    endings = set()
    for seed in range(3):
        done = UmpireEnv(game)
        done.reset(seed=seed)
        rewards = dict.fromkeys(done.possible_agents, 0.0)
        random = np.random.default_rng(seed)
        while not (any(done.terminations.values()) or any(done.truncations.values())):
            done.step(int(random.integers(len(done.infos[done.agent_selection]["actions"]))))
            rewards = {seat: rewards[seat] + done.rewards[seat] for seat in rewards}
        verdict = umpire.validate(done.game.record)["verdict"]
        assert verdict["plies"] == done.game.ply
        if verdict["status"] == "complete":
            winner = verdict["outcome"]["winner"]
            endings.add("won" if winner else "drawn")
            expected = {seat: 0.0 if winner is None else 1.0 if seat == winner else -1.0 for seat in rewards}
            assert rewards == expected
        else:
            assert done.game.ply == done.max_plies
    assert endings <= {"won", "drawn"}


def test_a_game_is_won_by_somebody_and_everybody_is_told() -> None:
    won = played("drako", 1)
    assert not won.agents
    assert umpire.validate(won.game.record)["verdict"]["status"] == "complete"


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_sees_its_view_alone(game: str) -> None:
    opened = UmpireEnv(game)
    opened.reset(seed=5)
    seen = opened.agent_selection
    for agent in opened.agents:
        look = json.loads(opened.game.view(agent))
        expected = hashed({"decision": look["decision"], "state": look["state"]}, opened.features)
        assert (opened.observe(agent)["observation"] == expected).all()
        assert bool(opened.observe(agent)["action_mask"].any()) == (agent == seen)
        # Nobody is told of others what is for them to choose.
        assert bool(opened.infos[agent]) == (agent == seen)
    assert opened.infos[seen]["view"] == umpire.view(opened.game.record, seen)


def test_hashes_tell_apart() -> None:
    one = hashed({"a": [1, 2], "b": "x", "c": None, "d": True}, 512)
    assert (one == hashed({"d": True, "c": None, "b": "x", "a": [1, 2]}, 512)).all()
    for other in ({"a": [2, 1], "b": "x"}, {"a": [1, 2], "b": "y"}, {"a": [1, 2, 0], "b": "x"}):
        assert (hashed(other, 512) != one).any()
    assert (hashed(-5, 8) == -hashed(5, 8) + 2 * hashed(0, 8)).all()


def test_wrong_use_is_refused() -> None:
    with pytest.raises(ValueError, match="chess"):
        UmpireEnv("chess")
    opened = UmpireEnv("drako", max_actions=4)
    opened.reset(seed=1)
    actions = opened.infos[opened.agent_selection]["actions"]
    assert len(actions) == 4 and not opened.infos[opened.agent_selection]["whole"]
    with pytest.raises(ValueError, match="none of the 4"):
        opened.step(4)
    before = opened.game.ply
    with pytest.raises(ValueError):
        opened.step(None)
    assert opened.game.ply == before


def test_it_can_be_drawn() -> None:
    for mode, begin in (("svg", "<svg"), ("ansi", "{")):
        opened = UmpireEnv("drako", render_mode=mode)
        opened.reset(seed=1)
        shown = opened.render()
        assert shown is not None and shown.startswith(begin)
