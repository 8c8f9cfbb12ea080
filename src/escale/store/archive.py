"""The file of a backup: one format for every database.

It is gzip, so that `zcat` shows it, and in it one JSON object a line: a header, a line for each
table with the SHA-256 of its contents, and at the end the names of all tables. A new gzip member
begins every few tables, so that the tables after a damaged part of the file can be read.
"""

from __future__ import annotations

import mmap
import os
import zlib
from collections.abc import Generator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

import msgspec

from escale.match.limits import TableName
from escale.store.errors import BadDatabase
from escale.store.records import (
    Bot,
    Device,
    Endpoint,
    Integer,
    KeptEvening,
    Notebook,
    RatedGame,
)

FORMAT = 1
MEMBER_BYTES = 1 << 17
"""Bytes of lines in one gzip member, unless one line alone is longer."""
GZIP_LEVEL = 6
GZIP_WINDOW_BITS = 31
"""zlib's `wbits` for gzip with its header."""
MAGIC = b"\x1f\x8b\x08"
PIECE_BYTES = 1 << 20
TABLE_BYTES = 1 << 26
"""The longest line of a table that is read: none of a house is half as long."""
LINE_BYTES = 1 << 28
"""The longest line of another kind: the end of a file has all people of a house."""
TABLE_LINE = b'{"sha256"'
"""The beginning of a table's line."""


class Row(msgspec.Struct, frozen=True):
    """An event, as the database has it."""

    n: Integer
    at: Integer
    entry: str


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """A table with everything that belongs to it, as the database has it."""

    id: TableName
    header: str
    secret: str | None = None
    public: bool
    over: bool
    created: Integer
    due: Integer | None = None
    next_secret: str | None = None
    closed: bool = False
    muted: bool = False
    reported: Integer | None = None
    tokens: list[tuple[str, str]]
    """Pairs of a token's SHA-256 and the JSON list of its seats."""
    events: list[Row]


class Header(msgspec.Struct, frozen=True):
    """The first line."""

    escale_backup: int
    """The version of the format."""
    schema: str
    """The version of the database's schema."""
    made: int
    """In Unix milliseconds."""
    tables: int | None = None
    """The number of tables; earlier files do not have it."""


class People(msgspec.Struct, frozen=True):
    """Bots, notebooks and what belongs to them, and evenings, as lists; earlier files lack some.
    """

    bots: list[Bot] = []
    notebooks: list[Notebook] = []
    devices: list[Device] = []
    house: dict[str, str] = {}
    """What the house has drawn at random once, by name: the cookies of devices go by it."""
    evenings: list[KeptEvening] = []
    endpoints: list[Endpoint] = []
    quiet: list[tuple[str, str]] = []
    """Notebooks, and the tables of which they want no notices."""
    rated: list[RatedGame] = []


class End(People, frozen=True, kw_only=True):
    """The last line: the list of what must be in the file, and the people of the house."""

    names: list[str]


class _ArchivedTable(msgspec.Struct, frozen=True):
    """A table, and the SHA-256 of its bytes."""

    sha256: str
    table: msgspec.Raw


class ArchiveWriter:
    """Writes one table after another."""

    def __init__(
        self, file: BinaryIO, schema: str, now: int, tables: int | None = None
    ) -> None:
        self._file = file
        self._names: list[str] = []
        self.people = People()
        """The accounts and notebooks, for the end of the file."""
        self._lines = [msgspec.json.encode(Header(FORMAT, schema, now, tables))]
        self._flush()                                   # readable even if the rest is damaged

    def add(self, record: Record) -> None:
        """Write a table."""
        table = msgspec.json.encode(record)
        self._lines.append(
            msgspec.json.encode(_ArchivedTable(sha256(table).hexdigest(), msgspec.Raw(table)))
        )
        self._names.append(record.id)
        if sum(map(len, self._lines)) >= MEMBER_BYTES:
            self._flush()

    def finish(self) -> None:
        """Write the end; without it the file counts as cut off."""
        self._flush()
        self._lines = [msgspec.json.encode(
            End(names=self._names, **msgspec.structs.asdict(self.people))
        )]
        self._flush()
        self._file.flush()
        os.fsync(self._file.fileno())

    def _flush(self) -> None:
        if self._lines:
            packer = zlib.compressobj(GZIP_LEVEL, wbits=GZIP_WINDOW_BITS)
            lines = b"".join(line + b"\n" for line in self._lines)
            self._file.write(packer.compress(lines) + packer.flush())
            self._lines = []


class Archive:
    """A file of a backup, to be read as often as needed."""

    def __init__(self, path: Path) -> None:
        """Open a backup; StoreError if it is none, or of a newer version."""
        self.path = path
        self.names: list[str] | None = None
        """The tables that must be in it; None if its end is missing, or it is not read yet."""
        self.people = People()
        """The people of the house, who stand at its end."""
        try:
            first = next(self._lines(), b"")
        except OSError as error:
            raise BadDatabase("cannot-read", path=path, why=error) from error
        try:
            self.header = msgspec.json.decode(first, type=Header)
        except msgspec.DecodeError:
            raise BadDatabase("not-backup", path=path) from None
        if self.header.escale_backup > FORMAT:
            raise BadDatabase("newer-file", path=path)

    def records(self) -> Iterator[Record]:
        """Yield the tables that are undamaged; `names` has all that must be in the file."""
        self.names = None
        for line in self._lines():
            try:
                found = msgspec.json.decode(line, type=_ArchivedTable)
                if sha256(found.table).hexdigest() == found.sha256:
                    yield msgspec.json.decode(found.table, type=Record)
            except msgspec.DecodeError:
                self._note_end(line)

    def _note_end(self, line: bytes) -> None:
        try:
            end = msgspec.json.decode(line, type=End)
        except msgspec.DecodeError:
            return
        self.names, self.people = end.names, end

    def _lines(self) -> Iterator[bytes]:
        """Yield all lines that can be unpacked; damaged ones are left out."""
        with self.path.open("rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as packed:
                start = packed.find(MAGIC)
                while start >= 0:
                    end = yield from _member(packed, start)
                    start = packed.find(MAGIC, end)


def _member(packed: mmap.mmap, start: int) -> Generator[bytes, None, int]:
    """Yield the lines of the gzip member at `start`; return where to search for the next one.

    A small file may unpack to a huge text: it is unpacked in pieces, and never kept whole.
    """
    unpacker = zlib.decompressobj(wbits=GZIP_WINDOW_BITS)
    line, at = bytearray(), start
    try:
        while not unpacker.eof and (unpacker.unconsumed_tail or at < len(packed)):
            piece = unpacker.unconsumed_tail
            if not piece:
                piece = packed[at: at + PIECE_BYTES]
                at += len(piece)
            *ends, rest = unpacker.decompress(piece, PIECE_BYTES).split(b"\n")
            for end in ends:
                yield bytes(line + end)
                line.clear()
            line += rest
            if len(line) > (TABLE_BYTES if line.startswith(TABLE_LINE) else LINE_BYTES):
                return at - len(unpacker.unconsumed_tail)
    except zlib.error:
        return start + 1
    return at - len(unpacker.unused_data) if unpacker.eof else start + 1
