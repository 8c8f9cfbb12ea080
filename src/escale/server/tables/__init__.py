"""Tables at which people play: the house, its tables, what each seat sees, computers."""
