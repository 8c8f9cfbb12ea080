"""The house on the web: pages, HTTP and live connections around play, store and opponents."""
