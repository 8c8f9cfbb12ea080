"""The arena: contenders meet in many games, and the results say who is stronger, and how surely."""
