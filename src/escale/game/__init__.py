"""The contract of a game: positions, moves, choices, refusals, scenes, rules pages, texts."""
