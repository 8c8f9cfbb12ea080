"""The admin page: the host logs in with a token, looks tables over, and decides about them."""
