"""What the database holds: tables one plays at, the tokens that hold their seats, their events,
reviews of matches that are over; the accounts of bots; the notebooks of people; and evenings.

A change here needs a new file in `migrations/versions`; a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    false,
    true,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("header", Text, nullable=False),
    Column("secret", Text),
    Column("public", Boolean, nullable=False),
    Column("over", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("due", BigInteger),
    Column("next_secret", Text),
    Column("closed", Boolean, nullable=False, server_default=false()),
    Column("muted", Boolean, nullable=False, server_default=false()),
    Column("seen", BigInteger),
    Column("reported", BigInteger),
    Index("tables_over_public", "over", "public"),
    Index("tables_due", "due"),
    Index("tables_created", "created"),
)
"""`header` is JSON; `over`, and `due`, the time at which something will happen by itself, make it
unnecessary to fold the events of tables without visitors; `next_secret` is the rematch's; `closed`
and `muted` are decisions of the host; `seen` protects a table with visitors from being deleted;
`reported` is when a player last reported it to the host, who has not settled that yet. Times are
Unix milliseconds.
"""

tokens = Table(
    "tokens",
    metadata,
    Column("table_id", String(64), ForeignKey("tables.id"), primary_key=True),
    Column("sha256", String(64), primary_key=True),
    Column("seats", Text, nullable=False),
    Index("tokens_sha256", "sha256"),
    sqlite_with_rowid=False,
)
"""`seats` is a JSON list. A bot's token holds seats at many tables."""

bots = Table(
    "bots",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("sha256", String(64), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
    Column("about", Text, nullable=False, server_default=""),
    Column("games", Text, nullable=False, server_default="[]"),
    Column("won", Integer, nullable=False, server_default="0"),
    Column("drawn", Integer, nullable=False, server_default="0"),
    Column("lost", Integer, nullable=False, server_default="0"),
)
"""`sha256` is of the bot's token; `games` is a JSON list of those that it plays, empty for all of
them. Its won, drawn and lost games are counted when they end, since tables are deleted some day.
"""

events = Table(
    "events",
    metadata,
    Column("table_id", String(64), ForeignKey("tables.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("entry", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""`entry` is JSON. The primary key refuses a second event of the same number; in SQLite the events
of a table lie together, without a second tree for the key."""

reviews = Table(
    "reviews",
    metadata,
    Column("table_id", String(64), ForeignKey("tables.id"), primary_key=True),
    Column("made", BigInteger, nullable=False),
    Column("review", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""`review` is JSON (`study/review.py`). It follows from the events and can be made again, so
backups do not contain it.
"""

notebooks = Table(
    "notebooks",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("holder", String(64), nullable=False, unique=True),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Column("name", String(40), nullable=False, server_default=""),
    Column("lang", String(10), nullable=False, server_default=""),
    Column("progress", Text, nullable=False, server_default="{}"),
    Column("rated", Boolean, nullable=False, server_default=false()),
    Column("holiday", Text, nullable=False, server_default="{}"),
    Index("notebooks_seen", "seen"),
)
"""A notebook holds seats under `holder`, which stands in `tokens.sha256` as the SHA-256 of a token
would; no client can send what it is made from. `progress` is JSON: puzzles and lessons; `rated`
says whether its owner wants a rating; `holiday` is JSON: until when their clocks of days stand
still."""

devices = Table(
    "devices",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("notebook_id", String(40), ForeignKey("notebooks.id"), nullable=False),
    Column("label", String(80), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
    Index("devices_notebook_id", "notebook_id"),
)
"""`sha256` is of the secret in a browser's cookie, which opens the notebook."""

openings = Table(
    "openings",
    metadata,
    Column("sha256", String(64), primary_key=True),
    Column("notebook_id", String(40), ForeignKey("notebooks.id"), nullable=False),
    Column("until", BigInteger, nullable=False),
    Index("openings_notebook_id", "notebook_id"),
)
"""Codes and links that open a notebook on one more device, once, until a time."""

endpoints = Table(
    "endpoints",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("notebook_id", String(40), ForeignKey("notebooks.id"), nullable=False),
    Column("kind", String(10), nullable=False),
    Column("address", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("keys", Text, nullable=False, server_default=""),
    Column("sha256", String(64)),
    Column("confirmed", Boolean, nullable=False, server_default=true()),
    Column("pace", String(10), nullable=False, server_default="now"),
    Column("zone", String(60), nullable=False, server_default=""),
    Index("endpoints_notebook_id", "notebook_id"),
    Index("endpoints_sha256", "sha256"),
)
"""Where a person wants to be told that a game waits for them; `failures` are those in a row. `keys`
are the public keys of a browser, as JSON; `sha256` is of the secret in the address of a feed. An
address for mail is `confirmed` by the link in the first one; `pace` says whether notices are sent
at once or gathered once or twice a day, in the time zone `zone`."""

outbox = Table(
    "outbox",
    metadata,
    Column("endpoint_id", String(24), primary_key=True),
    Column("table_id", String(64), primary_key=True),
    Column("n", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("why", String(10), nullable=False),
    sqlite_with_rowid=False,
)
"""Notices to be sent at a time, written in the transaction of event `n` which made it a person's
turn, or which is told for another reason (`why`). No foreign keys: a notice must never keep an
event from being written."""

quiet = Table(
    "quiet",
    metadata,
    Column("notebook_id", String(40), primary_key=True),
    Column("table_id", String(64), primary_key=True),
    sqlite_with_rowid=False,
)
"""Tables of which a person wants no notices."""

rated_games = Table(
    "rated_games",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("game", String(40), nullable=False),
    Column("players", Text, nullable=False),
    Column("shares", Text, nullable=False),
    Index("rated_games_at", "at"),
    sqlite_with_rowid=False,
)
"""The log from which ratings are computed: the notebook of each seat, and each seat's share of the
win, as JSON lists. It is written in the transaction of the event that ends the game."""

seeks = Table(
    "seeks",
    metadata,
    Column("table_id", String(64), ForeignKey("tables.id"), primary_key=True),
    Column("strength", String(20), nullable=False),
)
"""Which strength of opponent was asked for in the lobby, where a table was opened from there. It is
in no backup."""

evenings = Table(
    "evenings",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("plan", Text, nullable=False),
    Column("code", String(10), nullable=False, unique=True),
    Column("series", String(64), nullable=False),
    Column("secret", String(64), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("closed", Boolean, nullable=False, server_default=false()),
    Index("evenings_series", "series"),
    Index("evenings_changed", "changed"),
)
"""`plan` is the JSON with which an evening began; `code` is what guests type; evenings of one
`series` have a table of the season together; the names of its tables follow from `secret`."""

evening_tokens = Table(
    "evening_tokens",
    metadata,
    Column("evening_id", String(64), ForeignKey("evenings.id"), primary_key=True),
    Column("sha256", String(64), primary_key=True),
    Column("who", Integer, primary_key=True, autoincrement=False),
    Index("evening_tokens_sha256", "sha256"),
    sqlite_with_rowid=False,
)
"""`sha256` is what a notebook holds seats under. `who` is a guest's number; 0 is the host, and -1
the secret of the link that makes another device the host's."""

evening_events = Table(
    "evening_events",
    metadata,
    Column("evening_id", String(64), ForeignKey("evenings.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("entry", Text, nullable=False),
    sqlite_with_rowid=False,
)
"""Like `events`: `entry` is JSON, and the primary key refuses a second event of the same number."""

house = Table(
    "house",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""What the house itself has drawn at random once, by name."""

probe = Table(
    "probe",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
)
"""One row, for checking whether the database can be written to."""
