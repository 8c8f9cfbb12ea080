"""What hostile clients do, as programs: a short form for `make test`, the long one exhaustive.

They send to 127.0.0.1 only, to a house that they have started, for a bounded time.
"""
