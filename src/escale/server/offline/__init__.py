"""Away from the house: the part of it that runs in a browser, and what the house gives along.

`device.py` and `thinking.py` run in the browser, without FastAPI and without a database; all other
modules of this room run in the house.
"""
