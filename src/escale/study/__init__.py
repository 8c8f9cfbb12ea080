"""The study: hints with their reasons, reviews, analysis, lessons and puzzles.

It asks the searches, and puts what they find into words. It knows no game by name: what a game
adds (phrases for its features, lessons, puzzles) is data in its folder.
"""
