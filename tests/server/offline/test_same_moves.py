"""The compiled parts play as the machine does, byte for byte."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from escale.server.offline.parts import find_parts, usual_folder
from tests.server.offline import seeded_games

GAMES = 200
RUN = """
import {{ loadPyodide }} from "file://{folder}/pyodide.mjs";
import {{ readFileSync }} from "node:fs";
const lockFileURL = "{folder}/pyodide-lock.json";
const python = await loadPyodide({{ indexURL: "{folder}/", lockFileURL }});
const archive = new Uint8Array(readFileSync("{folder}/escale.zip"));
python.unpackArchive(archive, "zip", {{ extractDir: "/escale" }});
python.FS.writeFile("/escale/seeded_games.py", readFileSync("{games}", "utf8"));
console.log(python.runPython(`
import json, sys, warnings
sys.path.insert(0, "/escale")
warnings.simplefilter("ignore")
import seeded_games
json.dumps(seeded_games.digests({number}))`));
"""


@pytest.mark.exhaustive
@pytest.mark.skipif(
    find_parts() is None or shutil.which("node") is None,
    reason=f"NO PARTS IN {usual_folder()}, OR NO NODE: THEIR MOVES ARE NOT COMPARED",
)
def test_seeded_games_are_the_same_in_webassembly(tmp_path: Path) -> None:
    parts = find_parts()
    assert parts is not None
    for name in parts.sizes:
        body = (parts.folder / name).read_bytes()
        if name.endswith(".packed"):
            name, body = name.removesuffix(".packed"), gzip.decompress(body)
        (tmp_path / name).write_bytes(body)
    script = tmp_path / "run.mjs"
    script.write_text(RUN.format(
        folder=tmp_path, games=Path(seeded_games.__file__).absolute(), number=GAMES
    ))
    ran = subprocess.run(["node", str(script)], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
    there = json.loads(ran.stdout.splitlines()[-1])
    assert len(there) == GAMES
    assert there == seeded_games.digests(GAMES)
