"""Processes and threads that work beside the event loop. This package knows nothing of tables."""
