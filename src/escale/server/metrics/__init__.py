"""Figures of a running house: what is counted, the last hours, and Prometheus."""
