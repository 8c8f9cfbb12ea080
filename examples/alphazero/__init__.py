"""AlphaZero in a few hundred lines of NumPy, on Escale's vectorised environment."""
