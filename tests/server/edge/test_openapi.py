"""The OpenAPI document is true: whatever is sent to the API, it answers as the document says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast
from unittest import SkipTest

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from msgspec import structs
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.checks import not_a_server_error as no_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from escale.game.errors import BadMessage
from escale.match.events import ACTIONS, EVENTS
from escale.match.limits import NAME_LETTERS
from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.edge.problems import STATUS, sentences
from tests.server.hosting import OPEN, Hosted, Table, hosted, person

load_all_checks()

CHECKS = [
    no_server_error, status_code_conformance, content_type_conformance,
    response_headers_conformance, response_schema_conformance, unsupported_method,
]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    with hosted(tmp_path_factory.mktemp("house"), limits=Limits.none()) as running:
        yield running


@pytest.fixture(scope="module")
def table(house: Hosted) -> Table:
    table = house.create("canyon-1972", person("Ana"), person("Bo"))
    table.play(0, table.get("/moves")["moves"][0]["text"])
    return table


DOCUMENT = schemathesis.openapi.from_dict(create_app().openapi())
OPERATIONS: dict[str, Any] = {
    found.label: found
    for one in DOCUMENT.get_all_operations() if (found := cast(Any, one).ok())
}


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("name", OPERATIONS)
def test_the_api_keeps_what_its_document_says(
    name: str, mode: GenerationMode, house: Hosted, table: Table
) -> None:
    try:
        strategy = OPERATIONS[name].as_strategy(generation_mode=mode)
    except SkipTest:
        pytest.skip("nothing wrong can be sent there")

    @given(strategy)
    @settings(
        max_examples=12, deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Any) -> None:
        check(case, house, table)

    try:
        ask()
    except SkipTest:
        pytest.skip("nothing wrong can be sent there")


def check(case: Any, house: Hosted, table: Table) -> None:
    # Half of the time at a table that exists, with a seat at it.
    real = case.path_parameters.get("id") is not None and len(str(case.path_parameters)) % 2
    if real:
        case.path_parameters["id"] = table.id
    if "wait" in (case.query or {}):
        case.query["wait"] = 0
    answer = case.call(base_url=house.url, headers=table.headers if real else {})
    # What is wrong must be refused, unless the wrong part was replaced above; 413 is a refusal too.
    checks = CHECKS if real or answer.status_code == 413 else [*CHECKS, negative_data_rejection]
    case.validate_response(answer, checks=checks)
    assert "Traceback" not in answer.text
    assert "/src/" not in answer.text


def test_every_refusal_is_documented_and_has_its_sentence(house: Hosted) -> None:
    for code in STATUS:
        for lang in ("fr", "en"):
            assert sentences().sentence(f"problem.{code}", lang)
    assert sentences().missing() == []
    document = house.client.get("/api/openapi.json").json()
    for path, operations in document["paths"].items():
        for operation in operations.values():
            assert operation["summary"], path
            assert operation["description"], path
            assert "HTTPValidationError" not in str(operation["responses"]), path


def test_every_operation_has_a_group_and_a_name_of_its_own(house: Hosted) -> None:
    document = house.client.get("/api/openapi.json").json()
    groups = {tag["name"] for tag in document["tags"]}
    operations = [one for verbs in document["paths"].values() for one in verbs.values()]
    names = [one["operationId"] for one in operations]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch("[a-z]+(_[a-z]+)*", name) for name in names)
    assert {tag for one in operations for tag in one["tags"]} == groups
    assert all(len(one["tags"]) == 1 for one in operations)


def test_the_document_says_which_token_an_operation_reads(house: Hosted) -> None:
    document = house.client.get("/api/openapi.json").json()
    schemes = document["components"]["securitySchemes"]
    assert all((one["type"], one["scheme"]) == ("http", "bearer") for one in schemes.values())
    read = {
        f"{verb} {path}": operation.get("security", [])
        for path, verbs in document["paths"].items() for verb, operation in verbs.items()
    }
    assert {name for wanted in read.values() for one in wanted for name in one} == set(schemes)
    assert read["get /api/games"] == []
    assert read["get /api/tables/{id}"] == [{"seatToken": []}, {"botToken": []}, {}]
    # A token is required where a request without one is refused.
    required = {name for name, wanted in read.items() if wanted and {} not in wanted}
    assert required == {
        "get /api/bots/me", "post /api/bots/me", "get /api/bots/me/events",
    }
    for name in required:
        verb, path = name.split()
        answer = house.client.request(verb, path, json={} if verb == "post" else None)
        assert (answer.status_code, answer.json()["code"]) == (401, "no-bot")


def test_the_limits_of_the_document_are_those_of_the_schema(house: Hosted) -> None:
    shapes = house.client.get("/api/openapi.json").json()["components"]["schemas"]
    for kind in (*EVENTS.values(), *ACTIONS.values()):
        assert set(shapes[kind.__name__]["properties"]) == {
            "do", *(each.encode_name for each in structs.fields(kind))}
    assert shapes["Rename"]["properties"]["name"]["maxLength"] == NAME_LETTERS
    # A name that fits, and one that does not: over HTTP, and for who writes events in Python.
    table = house.create("tortuga", person("Ana"), person("Bo"))
    table.act("rename", 0, name="x" * NAME_LETTERS)
    assert table.act("rename", 0, 400, name="x" * (NAME_LETTERS + 1))["code"] == BadMessage.code


def test_a_waiting_table_has_no_secrets_for_programs(house: Hosted) -> None:
    waiting = house.create("canyon-1997", person(), OPEN, OPEN)
    assert waiting.get()["secret"] is None
