"""Games that live in other packages: a whole one, new ones, and ones that cannot be used."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

import escale
from escale.devkit.new_game import Plan, write_game
from tests.browser.conftest import CHROMIUM, FLAGS, PATIENCE_MS
from tests.devkit.environments import Environment, claim

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = EXAMPLES / "escale-breakthrough"


@pytest.fixture(scope="module")
def breakthrough(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment in which the ninth game is installed, compiled; and a tenth, Konane."""
    folder = tmp_path_factory.mktemp("breakthrough")
    made = Environment(folder / "environment")
    for source in (EXAMPLE, EXAMPLES / "escale-konane"):
        copy = folder / source.name
        ignored = shutil.ignore_patterns("*.so", "build", "*.egg-info")
        shutil.copytree(source, copy, ignore=ignored)
        made.install(copy)
    return made


@contextmanager
def serving(environment: Environment, folder: Path) -> Iterator[str]:
    """A house of that environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    house = subprocess.Popen(
        [str(environment.python), "-m", "escale", "serve", "--no-browser", "--port", str(port),
         "--database", str(folder / "house.sqlite3")],
        env=environment.variables(PYTHONWARNINGS="default"),
    )
    try:
        while house.poll() is None:
            try:
                urllib.request.urlopen(f"{address}/api/games", timeout=60)
                break
            except OSError:             # it does not listen yet
                time.sleep(0.1)
        yield address
    finally:
        house.kill()
        house.wait()


def test_it_is_compiled_and_on_the_shelf(breakthrough: Environment) -> None:
    code = "import escale, escale_breakthrough.rules as r; print(r.__file__, len(escale.games()))"
    path, games = breakthrough.run("-c", code).split()
    assert path.endswith((".so", ".pyd")) == escale.COMPILED
    assert int(games) == len(escale.games()) + 2
    assert "breakthrough" in breakthrough.run("-m", "escale", "games")


@pytest.mark.parametrize("pure", ["", pytest.param("1", marks=pytest.mark.exhaustive)])
def test_its_own_tests_pass_in_both_modes(breakthrough: Environment, pure: str) -> None:
    more = {"ESCALE_PURE": pure} if pure else {}
    for example in (EXAMPLE, EXAMPLES / "escale-konane"):
        breakthrough.run(
            "-m", "pytest", "-q", "-p", "no:cacheprovider", str(example / "tests"), **more
        )


def test_the_engine_plays_it_at_a_level(breakthrough: Environment) -> None:
    lines = [{"do": "new", "game": "breakthrough"}, {"do": "think", "level": "pilote"}]
    ran = subprocess.run(
        [str(breakthrough.python), "-m", "escale", "engine"],
        input="".join(json.dumps(line) + "\n" for line in lines), capture_output=True, text=True,
        env=breakthrough.variables(), timeout=120, check=True,
    )
    thought = json.loads(ran.stdout.splitlines()[1])["result"]
    assert thought["move"][1] == "2"            # a piece of the front rank
    assert thought["depth"] >= 2


@pytest.mark.skipif(CHROMIUM is None, reason="CHROMIUM IS NOT INSTALLED")
def test_it_is_on_the_shelf_of_the_house_and_can_be_played(
    breakthrough: Environment, tmp_path: Path
) -> None:
    from playwright.sync_api import sync_playwright

    with serving(breakthrough, tmp_path) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}/en/")
        expect(page.get_by_role("link", name="Breakthrough").first).to_be_visible()
        page.goto(f"{address}/en/g/breakthrough/rules")
        expect(page.locator("#capture")).to_contain_text("diagonally")
        page.goto(f"{address}/en/g/breakthrough")
        page.locator("form button.main, form [type=submit]").first.click()
        page.wait_for_url("**/t/**")
        page.wait_for_selector("#table.mine")
        page.locator("#board .mark.next[data-at=d2]").wait_for(state="attached")
        page.locator("#board .piece[data-at=d2]").click()
        page.locator("#board .mark.chosen").first.wait_for(state="attached")
        page.locator("#board .cell[data-at=d3]").click(force=True)
        expect(page.locator("#board .piece.owner-0[data-at=d3]")).to_be_attached()
        browser.close()


@pytest.mark.parametrize(("shape", "size"), [
    pytest.param("square", 4, marks=pytest.mark.exhaustive), ("hexagon", 3),
])
def test_a_new_game_plays_at_once(tmp_path: Path, shape: str, size: int) -> None:
    root = write_game(Plan("three-stones", shape, size), tmp_path)
    made = Environment(tmp_path / "environment")
    made.install(root)
    made.run("-m", "pytest", "-q", "-p", "no:cacheprovider", str(root / "tests"))
    assert "EDIT" in (root / "src" / "escale_three_stones" / "rules.py").read_text("utf-8")


WRONG_KEY = """    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _key(self) -> u64:
        return self.own

"""


@pytest.mark.skipif(not escale.COMPILED, reason="there is nothing to compare with")
def test_what_only_a_check_would_notice_is_found(tmp_path: Path) -> None:
    """A shift of too few bits, a key without a seat's pieces, bad levels, a missing sentence."""
    root = write_game(Plan("three-stones", "square", 8), tmp_path)
    folder = root / "src" / "escale_three_stones"
    for name, right, wrong in (
        ("rules.py", "ONE << (move & 63)", "1 << (move & 63)"),     # a C int has 32 bits
        ("rules.py", "    # EDIT: the three methods", WRONG_KEY + "    # EDIT: the three methods"),
        ("levels.toml", "bosco", "bosun"),
        ("__init__.py", 'Impossible("stones")', 'Impossible("luck")'),
    ):
        text = (folder / name).read_text("utf-8")
        assert text.count(right) == 1, right
        (folder / name).write_text(text.replace(right, wrong), "utf-8")
    made = Environment(tmp_path / "environment")
    made.install(root)
    told = json.loads(made.run("-c", (
        "import escale, json\n"
        "from escale.devkit.check import check\n"
        "print(json.dumps(dict(check(escale.game('three-stones'), games=3))))\n"
    )))
    assert "uncompiled" in told["compiled as uncompiled"][0]
    assert told["keys"][0].startswith("`_key` is the same for ")
    assert [fault.split(" (")[0].split(": expected")[0].rpartition("/")[2]
            for fault in told["files"]] == ["levels.toml", "missing text impossible.luck"]


BROKEN = {
    "it raises": "raise RuntimeError('no board')",
    "it has no games": "",
    "it is no game": "GAMES = (1,)",
    "it lacks facts": "from escale.games.canoe import Canoe\n"
                      "class Half(Canoe):\n    slug = 'half'\n"
                      "class Bare(Half):\n    def __getattribute__(self, name):\n"
                      "        if name == 'title': raise AttributeError(name)\n"
                      "        return super().__getattribute__(name)\n"
                      "GAMES = (Bare(),)",
    "its name is taken": "from escale.games.canoe import Canoe\nGAMES = (Canoe(),)",
}


@pytest.mark.parametrize("code", BROKEN.values(), ids=BROKEN)
def test_a_package_that_cannot_be_used_is_named_and_the_others_stay(
    tmp_path: Path, code: str
) -> None:
    made = Environment(tmp_path / "environment")
    claim(made.packages, "escale-broken", "escale_broken", code)
    script = (
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as told:\n"
        "    warnings.simplefilter('always')\n"
        "    import escale\n"
        "    games = len(escale.games())\n"
        "print(games)\n"
        "print(*[str(one.message) for one in told], sep='\\n')\n"
    )
    count, *told = made.run("-c", script).splitlines()
    assert int(count) == len(escale.games())
    assert any("escale_broken (escale-broken 1.0)" in line for line in told)
