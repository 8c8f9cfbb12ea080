"""Programs that attack the house: a short form in `make test`, the long one in `make test-all`."""
