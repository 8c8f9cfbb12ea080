"""Bots for people who visit: the list of them, the lobby, and the form that challenges one."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from escale.server.tables.orders import BotSeat, Order, PersonSeat
from escale.store import Bot
from tests.server.pages.test_pages import (
    HOSTILE,
    PREFIX,
    QuietHouse,
    client,
    house,
    in_every_language,
    read,
    said,
    visit,
)

__all__ = ["client", "house"]

WALKER = Bot("Walker", "1" * 64, 0, "Walks at random.", (), won=3, drawn=1, lost=2)
SLEEPER = Bot("Sleeper", "2" * 64, 0, HOSTILE, ("tortuga",))


@pytest.fixture
def at_home(house: QuietHouse) -> QuietHouse:
    house.bots.accounts = [SLEEPER, WALKER]
    house.bots.awake = {"Walker"}
    return house


def send(client: TestClient, **fields: str) -> tuple[int, str]:
    given = {name.replace("_", "-"): value for name, value in fields.items()}
    answer = client.post("/tables", data={"game": "tortuga", "lang": "en", **given})
    return answer.status_code, answer.text


@in_every_language
def test_bots_are_listed_with_what_they_play_and_have_done(
    client: TestClient, lang: str, at_home: QuietHouse
) -> None:
    answer = client.get(f"{PREFIX[lang]}/bots")
    assert "<script>alert" not in answer.text
    root = read(answer.text)
    awake, asleep = root.findall(".//li[@class]")           # who listens comes first
    assert awake.get("class") == "bot-card listening"
    told = said(awake)
    for words in {
        "fr": ("robot Walker", "à l’écoute", "6 parties : gagnées 3, nulles 1, perdues 2"),
        "en": ("bot Walker", "listening", "6 games: won 3, drawn 1, lost 2"),
    }[lang]:
        assert words in told.replace("\xa0", " "), told
    ways = [a.get("href") for a in awake.findall(".//a")]
    assert len(ways) == 8
    assert f"{PREFIX[lang]}/g/tortuga?bot=Walker#way-bot" in ways
    assert asleep.findall(".//a") == []
    assert ("n’est pas connecté" if lang == "fr" else "not connected") in said(asleep)
    lobby = said(visit(client, f"{PREFIX[lang]}/lobby"))
    assert ("robot Walker" if lang == "fr" else "bot Walker") in lobby
    assert "Sleeper" not in lobby

    at_home.bots.accounts = []
    assert ("pas encore de robot" if lang == "fr" else "no bots yet") in said(
        visit(client, f"{PREFIX[lang]}/bots")
    )


def test_a_box_offers_the_bots_that_play_it(client: TestClient, at_home: QuietHouse) -> None:
    def radios(path: str) -> dict[str, tuple[bool, bool]]:
        form = visit(client, path).find(".//form[@aria-labelledby='way-bot']")
        assert form is not None
        return {
            str(one.get("value")): (one.get("checked") is not None, one.get("disabled") is not None)
            for one in form.findall(".//input[@name='bot']")
        }

    assert radios("/en/g/tortuga") == {"Walker": (True, False), "Sleeper": (False, True)}
    assert radios("/en/g/canoe") == {"Walker": (True, False)}
    asked = said(visit(client, "/en/g/tortuga?bot=Sleeper"))
    assert "Sleeper is not listening at the moment" in asked
    at_home.bots.awake = set()
    root = visit(client, "/en/g/tortuga")
    assert "No bot is listening at the moment." in said(root)
    form = root.find(".//form[@aria-labelledby='way-bot']")
    assert form is not None
    assert form.find(".//button") is None
    at_home.bots.accounts = []
    assert visit(client, "/en/g/tortuga").find(".//form[@aria-labelledby='way-bot']") is None


def test_the_form_challenges_a_bot(client: TestClient, at_home: QuietHouse) -> None:
    status, _ = send(
        client, way="bot", bot="Walker", name="Ana", my_seat="1", clock="live", minutes="5",
        increment="3", option_first="south",
    )
    assert status == 303
    [order] = at_home.orders
    assert order.seats == [BotSeat("Walker"), PersonSeat("Ana", later=True)]
    assert order.clock is not None
    assert order.clock.initial == 300
    assert order.options["first"] == "south"
    assert not order.public

    status, _ = send(
        client, game="canyon-1997", way="link", seats="4", seat_0="me", seat_1="bot:Walker",
        seat_2="mousse", seat_3="open",
    )
    assert status == 303
    assert at_home.orders[-1].seats[1] == BotSeat("Walker")
    status, _ = send(client, game="canyon-1997", way="bot", seats="3", bot="Walker")
    assert [type(seat) for seat in at_home.orders[-1].seats] == [PersonSeat, BotSeat, BotSeat]


def test_a_bot_that_does_not_listen_is_not_challenged(
    client: TestClient, at_home: QuietHouse
) -> None:
    for fields in ({"way": "bot", "bot": "Sleeper"}, {"way": "link", "seat_1": "bot:Sleeper"}):
        status, text = send(client, **fields)
        assert status == 422
        assert "The bot “Sleeper” is not listening at the moment" in said(read(text))
    orders: list[Order] = at_home.orders
    assert orders == []
