"""Which language is spoken, and where one is sent."""

from __future__ import annotations

import pytest

from escale.server.edge import locale


@pytest.mark.parametrize(("header", "lang"), [
    ("fr", "fr"), ("fr-CA,fr;q=0.9,en;q=0.8", "fr"), ("en", "en"), ("en-US", "en"),
    ("de,en;q=0.7,fr;q=0.3", "en"), ("EN;q=0.5, FR;q=0.6", "fr"), ("en;q=0", "fr"),
    ("*", "fr"), ("", "fr"), (";;;,,,q=", "fr"), ("en;q=abc,fr;q=0.1", "fr"), ("x" * 5000, "fr"),
])
def test_the_language_that_a_browser_likes_best(header: str, lang: str) -> None:
    assert locale.preferred(header) == lang


@pytest.mark.parametrize("path", ["/", "/mine", "/g/tortuga/rules", "/lobby"])
def test_addresses_make_the_round_trip(path: str) -> None:
    for lang in ("fr", "en"):
        assert locale.split(locale.address(path, lang)) == (lang, path)


@pytest.mark.parametrize("path", [
    "//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example", "elsewhere",
    "javascript:alert(1)", "/a\nb", "/a b", "/a\\b", "", "/é",
])
def test_nobody_is_sent_elsewhere(path: str) -> None:
    assert locale.local(path) == "/"


def test_addresses_of_the_house_are_kept() -> None:
    assert locale.local("/g/tortuga/rules?x=1&y=%20") == "/g/tortuga/rules?x=1&y=%20"


@pytest.mark.parametrize("path", [
    "/en//elsewhere.example", "/en//elsewhere.example?x=1", "/en/en//elsewhere.example",
    "/en/\\elsewhere.example", "//en//elsewhere.example",
])
def test_nobody_is_sent_elsewhere_in_another_language(path: str) -> None:
    for lang in ("fr", "en"):
        assert not locale.in_language(path, lang).startswith(("//", "/\\"))
