"""Benchmarks: `python -m bench` lists them. They are not part of the package."""
