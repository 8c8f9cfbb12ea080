"""The arena: contenders meet in many games; the results show who is stronger, with an interval."""
