"""People without accounts: their notebooks, and the lobby where they meet."""
