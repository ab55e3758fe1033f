"""Many games at once, spread over processes, for learners that think about all of them in one batch."""

from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from server.lab.env import MarchwardenEnv
from server.lab.layout import CANDIDATE, SIZE


class Batch(NamedTuple):
    """Where all games stand, one row a game: who is to act there, what it sees, and what the last action ended.

    `agent` is the place of the house in `houses`. In a game that has just ended `done` is set, `rewards` has what each
    house gets, and everything else is of the new game that has begun in its place.
    """

    agent: NDArray[np.int64]
    observation: NDArray[np.float32]
    candidates: NDArray[np.float32]
    action_mask: NDArray[np.int8]
    rewards: NDArray[np.float32]
    done: NDArray[np.bool_]


def _blank(games: int, players: int, rows: int) -> Batch:
    return Batch(
        np.zeros(games, np.int64),
        np.zeros((games, SIZE), np.float32),
        np.zeros((games, rows, CANDIDATE), np.float32),
        np.zeros((games, rows), np.int8),
        np.zeros((games, players), np.float32),
        np.zeros(games, np.bool_),
    )


class _Games:
    """The games of one process."""

    def __init__(self, seeds: list[int], players: int, rows: int) -> None:
        self._envs = [MarchwardenEnv(players, candidates=rows) for _ in seeds]
        self._players, self._rows = players, rows
        for env, seed in zip(self._envs, seeds, strict=True):
            env.reset(seed)

    def batch(self, ended: dict[int, list[float]]) -> Batch:
        """Where they stand; `ended` has the rewards of the games that are over."""
        batch = _blank(len(self._envs), self._players, self._rows)
        for n, env in enumerate(self._envs):
            seen = env.observe(env.agent_selection)
            batch.agent[n] = env.possible_agents.index(env.agent_selection)
            batch.observation[n], batch.candidates[n] = seen["observation"], seen["candidates"]
            batch.action_mask[n] = seen["action_mask"]
            if n in ended:
                batch.rewards[n], batch.done[n] = ended[n], True
        return batch

    def step(self, actions: NDArray[np.int64]) -> Batch:
        """One action in every game; those that end begin anew."""
        ended = {}
        for n, (env, action) in enumerate(zip(self._envs, actions, strict=True)):
            env.step(int(action))
            if env.lab.over:
                ended[n] = [env.rewards[house] for house in env.possible_agents]
                env.reset()
        return self.batch(ended)


def _work(pipe: Connection, seeds: list[int], players: int, rows: int) -> None:
    games = _Games(seeds, players, rows)
    pipe.send(games.batch({}))
    while (actions := pipe.recv()) is not None:
        pipe.send(games.step(actions))


class SelfPlay:
    """`games` games of `players` houses over `workers` processes. Use it in a `with` block, or call `close`.

    `batch` is where all games stand; `step` with one action a game gives the next batch. The processes import the main
    module anew, so a script must do its work under `if __name__ == "__main__"`.
    """

    def __init__(self, games: int, *, workers: int = 1, players: int = 6, candidates: int = 32, seed: int = 0) -> None:
        """The same seed and actions give the same games, however many workers play them."""
        self.houses = MarchwardenEnv(players).possible_agents
        context = get_context("spawn")
        shares = np.array_split(np.arange(games), min(workers, games))
        self._sizes = [len(share) for share in shares]
        self._pipes: list[Connection] = []
        self._processes: list[BaseProcess] = []
        for share in shares:
            ours, theirs = context.Pipe()
            seeds = [seed * 1_000_003 + int(n) for n in share]
            process = context.Process(target=_work, args=(theirs, seeds, players, candidates), daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)
        self.batch = self._gather()

    def step(self, actions: NDArray[np.int64] | list[int]) -> Batch:
        """One action in every game, a row of its candidates. Raises `ValueError` if they are not, and nothing is played."""
        games = sum(self._sizes)
        if len(actions) != games:
            raise ValueError(f"{len(actions)} actions for {games} games; give one for each")
        chosen = np.asarray(actions, np.int64)
        rows = self.batch.action_mask.shape[1]
        wrong = (chosen < 0) | (chosen >= rows)
        wrong[~wrong] = self.batch.action_mask[~wrong, chosen[~wrong]] == 0
        if wrong.any():
            raise ValueError(f"no candidate in game {int(np.argmax(wrong))} has that number; use the action mask")
        start = 0
        for pipe, size in zip(self._pipes, self._sizes, strict=True):
            pipe.send(chosen[start : start + size])
            start += size
        self.batch = self._gather()
        return self.batch

    def _gather(self) -> Batch:
        parts: list[Batch] = [pipe.recv() for pipe in self._pipes]
        return Batch(*(np.concatenate([part[n] for part in parts]) for n in range(len(Batch._fields))))

    def close(self) -> None:
        """Ends the processes."""
        for pipe in self._pipes:
            pipe.send(None)
            pipe.close()
        for process in self._processes:
            process.join()
        self._pipes, self._processes = [], []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def random_actions(batch: Batch, rng: np.random.Generator) -> NDArray[Any]:
    """A random candidate in every game."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.action_mask], np.int64)
