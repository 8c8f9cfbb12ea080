"""`python -m escale` is `escale`."""

from __future__ import annotations

from escale.cli import main

if __name__ == "__main__":
    main()
