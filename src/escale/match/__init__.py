"""A game being played: events, the fold over them, clocks, seating, transcripts, verification."""
