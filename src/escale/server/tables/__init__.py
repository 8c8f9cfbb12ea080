"""Tables that are being played at: the house, its tables, what each seat sees, computers."""
