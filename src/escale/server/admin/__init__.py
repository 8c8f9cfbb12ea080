"""The admin page: the host logs in with a token, and closes, mutes or deletes tables."""
