"""The parts that a browser needs to be a house, as `escale offline prepare` has built them.

Their addresses carry their fingerprint, so browsers keep them for ever.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import brotli
import platformdirs

log = logging.getLogger("escale")

FACTS = "offline.json"
TYPES = {
    ".mjs": "text/javascript", ".js": "text/javascript", ".json": "application/json",
    ".zip": "application/zip",
}
PACKED = (".mjs", ".js")
"""Files that are worth compressing; the others are compressed already."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file as it is sent."""

    media_type: str
    body: bytes
    packed: bytes | None
    """The same, compressed by Brotli."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts in one folder."""

    folder: Path
    fingerprint: str
    compiled: bool
    """Whether the rules are compiled; else they are the plain sources, and slower."""
    sizes: Mapping[str, int]

    @property
    def at(self) -> str:
        """The address of the folder."""
        return f"/offline/{self.fingerprint}/"

    @property
    def size(self) -> int:
        """The bytes of all files as they are sent."""
        return sum(map(self.sent, self.sizes))

    def sent(self, name: str) -> int:
        """The bytes of a file as it is sent."""
        part = self.read(name)
        return len(part.packed or part.body)

    def read(self, name: str) -> Part:
        """A file; KeyError for a name that is none of the parts."""
        if name not in self.sizes:
            raise KeyError(name)
        return _read(self.folder / name, self.fingerprint)


@cache
def _read(path: Path, fingerprint: str) -> Part:
    body = path.read_bytes()
    packed = brotli.compress(body, quality=9) if path.suffix in PACKED else None
    return Part(TYPES.get(path.suffix, "application/octet-stream"), body, packed)


def usual_folder() -> Path:
    """Where the parts are looked for: ESCALE_OFFLINE, else beside the database of this user."""
    wanted = os.environ.get("ESCALE_OFFLINE")
    return Path(wanted) if wanted else platformdirs.user_data_path("escale") / "offline"


def find_parts(folder: Path | None = None) -> Parts | None:
    """The parts in a folder, or in the usual one; None if they were not built."""
    folder = folder or usual_folder()
    try:
        facts = json.loads((folder / FACTS).read_text("utf-8"))
        sizes = {str(name): int(size) for name, size in facts["files"].items()}
        found = Parts(folder, str(facts["fingerprint"]), bool(facts["compiled"]), sizes)
        complete = all((folder / name).stat().st_size == size for name, size in sizes.items())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        log.warning("the parts in %s cannot be read; prepare them again: %s", folder, error)
        return None
    if not complete:
        log.warning("the parts in %s are not complete; prepare them again", folder)
        return None
    return found
