"""The games behind the interfaces of other libraries: docs/adapters.md.

`actions` and `observations` need nothing; `pettingzoo_env`, `openspiel` and `vector` each need the
packages of an extra, and are imported by those who have them.
"""
