"""A house whose pages one can visit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from escale.server.app import create_app
from escale.server.edge.limits import Limits
from escale.server.settings import Settings


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder: Path = tmp_path_factory.mktemp("house")
    settings = Settings(database=f"sqlite:///{folder}/escale.db", workers=1, limits=Limits.none())
    with TestClient(create_app(settings), "http://localhost", follow_redirects=False) as client:
        yield client
