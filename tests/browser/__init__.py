"""The house as people see it: a real server, and Chromium."""
