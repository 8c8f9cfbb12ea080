"""The study: hints with their reasons, reviews, analysis, lessons and puzzles.

It runs searches, and puts their results into words. It knows no game by name: what a game
adds (phrases for its features, lessons, puzzles) is data in its folder.
"""
