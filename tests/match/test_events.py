"""The schema: what is written is read again as it was, and every kind is dealt with everywhere."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs

import escale
from escale.match.events import (
    ACTIONS,
    EVENTS,
    Event,
    Play,
    Played,
    Said,
    Sat,
    as_json,
    checked_event,
    read_action,
    read_event,
    read_hello,
    read_message,
    sender_id,
)
from escale.match.ledger import Ledger
from escale.match.match import Match
from tests.games.golden import TRANSCRIPTS

PLAY = {"do": "play", "id": "1", "seat": 0, "n": 3, "move": "d2-d3"}


def refused(read: Any, message: Any) -> str:
    text = message if isinstance(message, str) else json.dumps(message)
    with pytest.raises(escale.BadMessage) as no:
        read(text)
    return str(no.value)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_every_line_that_was_ever_written_is_written_the_same(path: Any) -> None:
    for line in path.read_text("utf-8").splitlines()[1:]:
        assert json.dumps(as_json(read_event(line)), ensure_ascii=False) == line


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_the_ledger_knows_every_kind(kind: type[Event]) -> None:
    class Unknown(Event, frozen=True, tag="unknown"):
        """An event that the ledger has never heard of."""

    def refused(event: Event) -> str:
        """Why the ledger does not apply an event that has nothing in its fields, if it says so."""
        with suppress(TypeError):           # it knows the event, and looks at its fields
            try:
                Ledger(escale.game("canoe").start())._apply(event)
            except escale.EscaleError as error:
                return str(error)
        return ""

    assert refused(Unknown()) == "nothing is known of Unknown"
    empty = kind(**{field.name: None for field in structs.fields(kind)})
    assert "nothing is known" not in refused(empty)


@pytest.mark.parametrize(
    "kind", [*EVENTS.values(), *ACTIONS.values()], ids=lambda kind: str(kind.__name__)
)
def test_every_kind_says_what_it_is(kind: Any) -> None:
    assert kind.__doc__
    assert kind.__doc__ != kind.__base__.__doc__


def test_a_number_comes_first_and_nothing_is_written_that_is_not_there() -> None:
    event = Sat(1, "Ana", None, n=4, at=7)
    assert list(as_json(event)) == ["n", "do", "seat", "name", "level", "at"]
    assert list(as_json(structs.replace(event, value="abc", id="x"))) == [
        "n", "do", "seat", "name", "level", "value", "at", "id"]


@given(st.text(), st.integers(), st.none() | st.integers())
def test_what_is_made_in_python_is_checked_as_if_it_had_been_sent(
    text: str, seat: int, at: int | None
) -> None:
    said = Said(seat, text, at=at)
    try:
        checked = checked_event(said)
    except escale.BadMessage:
        return
    assert checked == said
    assert read_event(json.dumps({"do": "say", "seat": seat, "text": text,
                                  **({} if at is None else {"at": at})})) == said
    assert 0 <= seat < 6
    assert text.strip()
    assert len(text) <= 500


def test_a_refusal_says_what_was_expected_and_where() -> None:
    assert refused(read_action, {**PLAY, "do": "dance"}) == (
        f"do: expected one of {', '.join(ACTIONS)}")
    assert refused(read_message, {"do": "hello"}) == (
        f"do: expected one of {', '.join(ACTIONS)}, view")
    assert refused(read_hello, {"do": "play"}) == "do: expected one of hello"
    assert refused(read_action, {**PLAY, "seat": "0"}) == "seat: expected `int`, got `str`"
    assert refused(read_action, {**PLAY, "seat": True}) == "seat: expected `int`, got `bool`"
    assert refused(read_action, {**PLAY, "colour": 1}) == "object contains unknown field `colour`"
    assert refused(read_action, {**PLAY, "n": -1}) == "n: expected `int` >= 0"
    assert refused(read_action, {**PLAY, "move": "a\nb"}) == (
        "move: expected a text without control characters and direction marks")
    without = {name: value for name, value in PLAY.items() if name != "n"}
    assert refused(read_action, without) == "object missing required field `n`"
    assert refused(read_action, "") == "input data was truncated"
    assert refused(read_action, "[" * 5000)
    assert len(refused(read_action, {**PLAY, "x" * 9000: 1})) < 400


def test_an_action_is_read() -> None:
    assert read_action(json.dumps(PLAY)) == Play(3, "d2-d3", id="1", seat=0)


def test_a_line_end_does_not_slip_through_a_pattern() -> None:
    refused(read_event, {"do": "rematch", "table": "abc\n"})
    refused(read_event, {"do": "sit", "seat": 0, "name": "Ana\n", "level": None})


def test_the_sender_of_something_unreadable_is_known_if_possible() -> None:
    assert sender_id('{"do": "say", "id": "7", "seat": "x"}') == "7"
    assert sender_id('{"do": "say", "id": 7}') is None
    assert sender_id("nonsense") is None


def test_one_code_for_what_is_not_possible_now() -> None:
    match = Match(escale.game("tortuga").start(first="south"))
    with pytest.raises(escale.NotNow) as no:
        match.add(Played(1, "d6-d5"))
    assert no.value.code == "not-your-turn"
    match.resign(0)
    with pytest.raises(escale.NotNow) as no:
        match.add(Played(0, "d2-d3"))
    assert no.value.code == "over"
