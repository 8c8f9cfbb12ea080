"""Processes and threads that work beside the event loop. Know no table."""
