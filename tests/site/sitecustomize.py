"""Every Python that tests start begins with this: nothing gives way to others.

What thinks and draws for a house lets everything else on the machine go first. Beside other work it
would have no time at all, and tests that wait for it would fail.
"""

import os

if hasattr(os, "nice"):
    os.nice = lambda increment: 0
