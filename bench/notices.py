"""What notices cost a house in which many people play games of days.

    python -m bench notices --people 500 --games 2000

Opens a house with so many notebooks, all of which want notices, and so many games between them. In
turns with and without notices, a move is played in each game, and the processor's time of the house
is taken. Then everything that waits in the outbox is sent, to a receiver that takes no time.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import process_time
from typing import Annotated

import typer

from escale.match.clock import Pace
from escale.match.events import Play
from escale.server.people.channels import Channels
from escale.server.people.letters import Message
from escale.server.people.notebooks import Notebooks
from escale.server.settings import Settings
from escale.server.tables.house import House
from escale.server.tables.names import fingerprint
from escale.server.tables.orders import OpenSeat, Order, PersonSeat, Sitting
from escale.server.tables.people import NOTEBOOK
from escale.server.tables.table import Table
from escale.store.records import Endpoint

GAME = "tortuga"
AT_ONCE = 40
"""Games in which something happens at the same time, so that they share commits."""
ROUNDS = 3


def main(
    people: Annotated[int, typer.Option(min=2)] = 500,
    games: Annotated[int, typer.Option(min=1)] = 2000,
) -> None:
    """What notices cost a house in which many people play games of days."""
    asyncio.run(measure(people, games))


async def measure(people: int, games: int) -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Settings(database=f"sqlite:///{Path(folder) / 'house.db'}", workers=1))
        notebooks = Notebooks(house)
        await notebooks.open()
        await house.open()
        tables = await furnish(house, notebooks, people, games)
        service = notebooks.notice_service
        wanted = service._wanted
        costs: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(ROUNDS):
            for told in (False, True):
                service._wanted = wanted if told else {}
                costs[told].append(await play(house, tables))
        with_notices, without = median(costs[True]), median(costs[False])
        print(f"{people} notebooks, {games} games of days at {GAME}")
        print(f"a turn without notices  {without:6.3f} ms of a processor")
        print(f"a turn with notices     {with_notices:6.3f} ms")
        print(f"notices alone           {with_notices - without:6.3f} ms")

        service.channels = TakesNoTime(house.settings, service.base(), house.now)
        before, began = await service._store.waiting(house.now() + 60_000), process_time()
        ahead = house.now() + 60_000
        house.now = lambda: ahead
        messages = 0
        while more := await service.send_waiting():
            messages += more
        spent = process_time() - began
        print(f"sent: {messages} messages, {1000 * spent / max(1, messages):.2f} ms each, "
              f"{1000 * spent / games:.3f} ms for each game; the outbox had {len(before)} and more")
        await house.close()


class TakesNoTime(Channels):
    """Channels whose receivers answer at once."""

    async def send(self, endpoint: Endpoint, message: Message) -> int:
        return 200


async def furnish(house: House, notebooks: Notebooks, people: int, games: int) -> list[str]:
    """The tables, with both players in notebooks that want notices."""
    made = [(await notebooks.create("bench", "en"))[0] for _ in range(people)]
    for number, own in enumerate(made):
        await notebooks.notice_service._store.add(
            Endpoint(f"endpoint{number}", own.id, "hook", "http://192.0.2.1/", house.now())
        )
    await notebooks.notice_service.learn()
    chance = random.Random(1)

    async def open_table() -> str:
        order = Order(
            game=GAME, seats=[PersonSeat("Ana"), OpenSeat()], clock=Pace.daily(3),
            options={"first": "south"},
        )
        created = await house.create(order)
        table = await house.table(created.table)
        assert table is not None
        one, other = chance.sample(made, 2)
        await table.sit(1, Sitting("Bo"), f"seat of {created.table}")
        await notebooks.keep(one, table, created.token)
        await notebooks.keep(other, table, f"seat of {created.table}")
        assert table.held(NOTEBOOK + one.id) == (0,)
        assert fingerprint(NOTEBOOK + one.id) == one.holder
        return table.id

    found: list[str] = []
    while len(found) < games:
        number = min(AT_ONCE, games - len(found))
        found += await asyncio.gather(*(open_table() for _ in range(number)))
    return found


async def play(house: House, tables: Sequence[str]) -> float:
    """Play a move in each game; milliseconds of a processor for each."""
    async def read(id: str) -> Table:
        table = await house.table(id)
        assert table is not None
        table.match.position.moves()                # what is legal is not the question here
        return table

    async def move(table: Table) -> None:
        [seat] = table.match.choosing
        n = len(table.match.events)
        text = table.match.position.moves()[0].text
        await table.do(Play(id=f"p{n}", seat=seat, n=n, move=text), (seat,))

    spent = 0.0
    for first in range(0, len(tables), AT_ONCE):
        # Of so many games not all are in memory: those are read before.
        now = [await read(id) for id in tables[first: first + AT_ONCE]]
        began = process_time()
        await asyncio.gather(*map(move, now))
        spent += process_time() - began
    return 1000 * spent / len(tables)
