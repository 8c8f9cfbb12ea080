"""Programs that attack the house: a short form in `make test`, the long one in `make test-all`.

They send to 127.0.0.1 only, to a house that they have started, for a bounded time.
"""
