"""The house on the web: pages, HTTP and live connections around matches, store and opponents."""
