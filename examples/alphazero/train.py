"""Train a network by games against itself: `python -m examples.alphazero.train net.npz`.

In each round, some processes play games with the newest network, and this one learns from them. The
settings decide everything: the same command trains the same network.
"""

from __future__ import annotations

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")      # before NumPy: each process has one core

import argparse
import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from escale.adapters.vector import VectorEnvironment

from .network import Adam, Network
from .selfplay import Memory, Samples, SelfPlay, share_won


@dataclass(frozen=True)
class Settings:
    """All that decides what is learnt."""

    game: str = "tortuga"
    """Of two seats, without chance after the first move, and nothing hidden."""
    seed: int = 1
    rounds: int = 120
    processes: int = 2
    games: int = 128
    """At once, in each process."""
    simulations: int = 24
    """For each decision."""
    samples: int = 2500
    """From each process, in each round."""
    hidden: int = 256
    memory: int = 150_000
    """Samples to learn from: the newest."""
    batch: int = 512
    passes: int = 2
    """How often a sample is drawn in each round, if all are new; older ones take their share."""
    rate: float = 1e-3
    """Of learning, at first; at the end it is a tenth."""
    decay: float = 1e-2


def train(settings: Settings, out: Path) -> Iterator[tuple[float, float]]:
    """Play and learn, and write the network to a file after every round; the losses of each."""
    shape = VectorEnvironment(settings.game, 1)
    network = Network.untrained(
        shape.layout.size, len(shape.actions), settings.hidden, settings.seed
    )
    adam, memory = Adam(network.weights, settings.decay), Memory(settings.memory)
    random = np.random.default_rng(settings.seed)
    with players(settings) as play:
        for number in range(settings.rounds):
            samples = play(network)
            memory.add(samples)
            rate = settings.rate * (1 - 0.9 * number / settings.rounds)
            losses = []
            for _ in range(1 + settings.passes * len(samples.results) // settings.batch):
                policy, value, gradient = network.loss(*memory.draw(settings.batch, random))
                adam.step(gradient, rate)
                losses.append((policy, value))
            network.save(out, game=settings.game)
            policy, value = np.mean(losses, axis=0)
            yield float(policy), float(value)


@contextmanager
def players(settings: Settings) -> Iterator[Callable[[Network], Samples]]:
    """Processes that play, and go on with their games whenever they are given a network."""
    context = multiprocessing.get_context("spawn")
    pipes = []
    for number in range(settings.processes):
        pipe, theirs = context.Pipe()
        context.Process(target=player, args=(theirs, settings, number), daemon=True).start()
        theirs.close()                                      # so that a dead player is noticed
        pipes.append(pipe)

    def play(network: Network) -> Samples:
        for pipe in pipes:
            pipe.send(network)
        return Samples.joined([pipe.recv() for pipe in pipes])

    try:
        yield play
    finally:
        for pipe in pipes:
            pipe.close()


def player(pipe: Connection, settings: Settings, number: int) -> None:
    """One of the processes."""
    seed = settings.processes * settings.seed + number
    table = SelfPlay(settings.game, settings.games, settings.simulations, seed)
    while True:
        try:
            network = pipe.recv()
            pipe.send(table.play(network, settings.samples))
        except (EOFError, BrokenPipeError):
            return                                          # the training is over


def main() -> None:
    """Read the command line, train, and tell how it goes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, help="the file to write the network to")
    for field in fields(Settings):
        parser.add_argument(f"--{field.name}", type=type(field.default), default=field.default)
    given = vars(parser.parse_args())
    out, settings = given.pop("out"), Settings(**given)
    begun = time.monotonic()
    print("round  seconds  policy loss  value loss  won against random, without search")
    for number, (policy, value) in enumerate(train(settings, out), 1):
        network, _ = Network.load(out)
        won = share_won(network, settings.game, games=500, seed=number)
        print(f"{number:5}  {time.monotonic() - begun:7.0f}  {policy:11.3f}  {value:10.3f}"
              f"  {won:7.1%}", flush=True)


if __name__ == "__main__":
    main()
