"""The study: positions, hints, analysis, puzzles, reviews and lessons.

Each feature has a file with its messages and jobs, which is all that worker processes import, and
one with its routes and pages.
"""
