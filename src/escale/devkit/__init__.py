"""For authors of games: the conformance kit behind `escale check`."""
