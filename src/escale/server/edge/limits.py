"""How much one address, one seat and one bot may ask of the house."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The limits of addresses, seats and bots; a whole club may share one address."""

    requests: float = 40
    """Requests a second from one address, in addition to `request_burst` at once."""
    request_burst: int = 400
    actions: float = 10
    """Actions a second with one token or connection, in addition to `action_burst` at once."""
    action_burst: int = 60
    tables: float = 0.5
    """New tables a second for one address, in addition to `table_burst` at once."""
    table_burst: int = 60
    messages: float = 100
    """Messages a second over all live connections of one address, besides `message_burst`."""
    message_burst: int = 1000
    work: float = 0.25
    """Seconds of a processor a second for one address, in addition to `work_burst` at once, for
    computations beside the tables."""
    work_burst: float = 10
    work_seconds: float = 2
    """The most that one request may cost."""
    study: float = 0.5
    """Seconds of a processor a second for one address, in addition to `study_burst` at once, for
    hints, reviews and analysis."""
    study_burst: float = 120
    study_seconds: float = 2
    """The most that a hint, or one value of a review or an analysis, may cost."""
    logins: float = 0.1
    """Wrong attempts a second to log in as the host from one address, besides `login_burst`."""
    login_burst: int = 5
    codes: float = 0.05
    """Attempts a second to open a notebook by a code from one address, besides `code_burst`."""
    code_burst: int = 10
    all_codes: float = 1
    """The same for all addresses together: of a billion codes, few are tried while one is valid."""
    all_code_burst: int = 60
    mails: float = 1 / 3600
    """Addresses for mail that are asked to confirm for one address, besides `mail_burst` …"""
    mail_burst: int = 4
    all_mails: float = 1 / 120
    """… and for all addresses together."""
    all_mail_burst: int = 60
    bot_requests: float = 60
    """Requests a second from one bot at any address, besides `bot_request_burst` at once."""
    bot_request_burst: int = 600
    bot_actions: float = 30
    """Actions a second of one bot at all its tables, besides `bot_action_burst` at once."""
    bot_action_burst: int = 300
    bot_tables: float = 0.5
    """New tables a second for one bot, in addition to `bot_table_burst` at once."""
    bot_table_burst: int = 60
    sockets: int = 400
    """Live connections from one address."""
    connections: int = 500
    """Connections of all kinds from one address."""
    backlog: int = 2_000_000
    """Bytes that may wait for a live connection which reads slowly …"""
    address_backlog: int = 16_000_000
    """… and for all connections of one address."""
    body: int = 20_000
    """The most bytes of a request."""
    transcript: int = 400_000
    """The most bytes of a table that was played on a device, and of nothing else."""
    message: int = 8_000
    """The most bytes of a message over a live connection."""

    @classmethod
    def none(cls) -> Limits:
        """No limits, for measurements on one machine."""
        return cls(requests=1e9, request_burst=10**9, actions=1e9, action_burst=10**9,
                   tables=1e9, table_burst=10**9, messages=1e9, message_burst=10**9,
                   codes=1e9, code_burst=10**9, mails=1e9, mail_burst=10**9, all_mails=1e9,
                   all_mail_burst=10**9, all_codes=1e9, all_code_burst=10**9,
                   work=1e9, work_burst=1e9, study=1e9, study_burst=1e9,
                   sockets=10**9, connections=10**9,
                   bot_requests=1e9, bot_request_burst=10**9, bot_actions=1e9,
                   bot_action_burst=10**9, bot_tables=1e9, bot_table_burst=10**9)
