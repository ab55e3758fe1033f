"""A PettingZoo environment (AEC): one house acts at a time, an action picks one of the candidates in its observation."""

from random import Random
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from protocol.answers import AnyAnswer
from server.lab.lab import Lab
from server.lab.layout import CANDIDATE, SIZE, candidate, observation

Observation = dict[str, Any]


class MarchwardenEnv(AECEnv[str, Observation, int]):
    """The game for 3 to 6 learning agents, named by their houses.

    An observation is a dict of arrays: `observation` (the seat's view, layout.py), `candidates` (one row each: legal answers,
    sampled where there are more than fit) and `action_mask` (1 where a row is a candidate; all 0 for a house that is not
    to act). Action k gives the answer of row k; the answers themselves are in `infos[house]["candidates"]`. The winner is
    rewarded with 1 when the game ends, the others share -1. Six houses that decide at once act one after the other, none
    seeing what the others chose.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "marchwarden_v1",
        "render_modes": ["ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, players: int = 6, *, candidates: int = 32, tides: bool = False, render_mode: str | None = None
    ) -> None:
        """`candidates`: rows of an observation and number of actions."""
        super().__init__()
        self._players, self._rows, self._tides = players, candidates, tides
        self.render_mode = render_mode
        self._seeds = Random()  # noqa: S311 - luck of the laboratory
        self.possible_agents = Lab.new(players).houses
        self._observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (SIZE,), np.float32),
                "candidates": spaces.Box(-10.0, 10.0, (candidates, CANDIDATE), np.float32),
                "action_mask": spaces.Box(0, 1, (candidates,), np.int8),
            }
        )
        self._action_space = spaces.Discrete(candidates)

    def observation_space(self, agent: str) -> spaces.Space[Observation]:
        """The same for every house."""
        return self._observation_space

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same for every house."""
        return self._action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game; the same seed and actions give the same game and the same candidates."""
        if seed is not None:
            self._seeds.seed(seed)
        self._rng = Random(self._seeds.getrandbits(64))  # noqa: S311
        self.lab = Lab.new(self._players, self._seeds.randbytes(16), tides=self._tides)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def _ask(self) -> None:
        """Turns to the next house and draws its candidates."""
        self.agent_selection = self.lab.waiting[0]
        self._answers = self.lab.legal(self.agent_selection, self._rows, self._rng)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection]["candidates"] = self._answers

    def observe(self, agent: str) -> Observation:
        """What a house sees, and its candidates if it is to act."""
        answers: list[AnyAnswer] = []
        if not self.lab.over and agent == self.agent_selection:
            answers = self._answers
        rows = np.zeros((self._rows, CANDIDATE), np.float32)
        mask = np.zeros(self._rows, np.int8)
        for n, answer in enumerate(answers):
            rows[n] = candidate(answer)
        mask[: len(answers)] = 1
        return {"observation": observation(self.lab.observe(agent), agent), "candidates": rows, "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The house to act answers with that candidate. Raises `ValueError` if there is no such candidate."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None or not 0 <= action < len(self._answers):
            raise ValueError(f"action {action} is not one of the {len(self._answers)} candidates; use the action mask")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.lab.play(agent, self._answers[action])
        if result := self.lab.result:
            share = -1.0 / (len(self.agents) - 1)
            self.rewards = {house: 1.0 if house == result.winner else share for house in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
            self.infos = {house: {} for house in self.agents}
            self._accumulate_rewards()
            self._deads_step_first()
        else:
            self._ask()

    def render(self) -> str | None:
        """The public document in one line, for `ansi`."""
        if self.render_mode != "ansi":
            return None
        view = self.lab.spectate()
        waiting = ", ".join(view.get("waiting", ()))
        return f"round {view['round']}, {view['phase']} {view.get('step', '')}: {waiting or 'over'}"

    def close(self) -> None:
        """Nothing is held."""
