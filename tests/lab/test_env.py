"""The PettingZoo environment, by PettingZoo's own tests and ours."""

import warnings
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from protocol.legal import draw
from server.lab.env import MarchwardenEnv
from server.lab.layout import CANDIDATE, SIZE, candidate
from server.lab.vector import SelfPlay, random_actions


def masked(env: MarchwardenEnv, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])))


@pytest.mark.parametrize("players", [3, 6])
def test_pettingzoo_finds_nothing_wrong(players):
    with warnings.catch_warnings():
        # these three are matters of taste: agents are named by their houses, and an observation has its action mask with it
        warnings.filterwarnings("ignore", message="Observation space for each agent probably should be")
        warnings.filterwarnings("ignore", message="We recommend agents to be named")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        api_test(MarchwardenEnv(players), num_cycles=300, verbose_progress=False)


def test_pettingzoo_finds_it_seeded():
    seed_test(MarchwardenEnv, num_cycles=60)


def test_a_whole_game_stays_within_its_spaces():
    env = MarchwardenEnv(5, candidates=12, tides=True)
    env.reset(3)
    rng = np.random.default_rng(3)
    total = dict.fromkeys(env.agents, 0.0)
    moved = 0
    for agent in env.agent_iter():
        seen, reward, ended, cut, info = env.last()
        assert seen is not None and not cut
        total[agent] += reward
        if ended:
            assert not seen["action_mask"].any()
            env.step(None)
            continue
        assert env.observation_space(agent).contains(seen)
        assert seen["observation"].shape == (SIZE,)
        rows = [candidate(answer) for answer in info["candidates"]]
        assert seen["action_mask"].sum() == len(rows)
        np.testing.assert_array_equal(seen["candidates"][: len(rows)], np.array(rows))
        env.step(masked(env, rng))
        moved += 1
    assert moved > 50
    assert sorted(total.values()) == [-0.25, -0.25, -0.25, -0.25, 1.0]


def test_others_have_no_candidates():
    env = MarchwardenEnv(3)
    env.reset(1)
    acting, *others = env.agents[:]
    assert env.agent_selection in env.agents
    for house in (acting, *others):
        mine = house == env.agent_selection
        assert env.observe(house)["action_mask"].any() == mine
        assert bool(env.infos[house]) == mine


def test_an_action_that_is_no_candidate_is_refused():
    env = MarchwardenEnv(3, candidates=64)
    env.reset(1)
    env._answers = env._answers[:2]
    for action in (2, -1, 64, None):
        with pytest.raises(ValueError, match="use the action mask"):
            env.step(action)


def test_rendering_says_where_it_stands():
    env = MarchwardenEnv(3, render_mode="ansi")
    env.reset(1)
    assert "round 1, planning" in (env.render() or "")
    assert MarchwardenEnv(3).render_mode is None


def test_different_answers_look_different():
    env = MarchwardenEnv(6)
    env.reset(2)
    prompt = env.lab.prompt(env.agent_selection)
    answers = [draw(prompt, Random(n)) for n in range(20)]
    rows = {candidate(answer).tobytes() for answer in answers}
    assert len(rows) == sum(answer not in answers[:n] for n, answer in enumerate(answers))
    assert candidate(answers[0]).shape == (CANDIDATE,)


def batches(workers: int) -> list[np.ndarray]:
    rng = np.random.default_rng(0)
    found = []
    with SelfPlay(3, workers=workers, players=3, candidates=8, seed=9) as play:
        for _ in range(120):
            batch = play.step(random_actions(play.batch, rng))
            found.append(np.concatenate([part.ravel() for part in batch]))
            assert (batch.rewards[batch.done].sum(axis=1) == 0).all()
            assert not batch.rewards[~batch.done].any()
        with pytest.raises(ValueError, match="give one for each"):
            play.step([0, 0])
        with pytest.raises(ValueError, match="use the action mask"):
            play.step([0, 0, 99])
    return found


def test_many_games_are_the_same_however_many_processes_play_them():
    for one, two in zip(batches(1), batches(2), strict=True):
        np.testing.assert_array_equal(one, two)
