"""The study: hints with their reasons, reviews, analysis, lessons and puzzles.

It runs searches, and puts their results into words. It knows no game by name: the additions of a
game (phrases for its features, lessons, puzzles) are data in its folder.
"""
