# `make play` and `make test` need Python 3.11 or newer, a C compiler and make; nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMPILED := $(wildcard src/escale/kernel/*.py src/escale/kernel/*.pxd src/escale/games/*/rules.py)

.PHONY: play test test-all bench lint format clean

play: $(VENV)/installed
	@$(BIN)/escale

test: lint
	$(BIN)/pytest -n auto -m "not exhaustive"
	ESCALE_PURE=1 $(BIN)/pytest -n auto -m "not exhaustive" tests/witness tests/perft tests/golden tests/games tests/kernel

test-all: lint
	$(BIN)/pytest -n auto
	ESCALE_PURE=1 $(BIN)/pytest -n auto tests/witness tests/perft tests/golden tests/games tests/kernel

bench: $(VENV)/installed
	$(BIN)/escale bench playouts
	$(BIN)/escale bench perft
	$(BIN)/escale bench search

lint: $(VENV)/tested
	$(BIN)/ruff check
	$(BIN)/mypy

format: $(VENV)/tested
	$(BIN)/ruff check --fix

# The package is installed in place, and compiled again when a compiled source changes: an old
# shared library would hide the new source.
$(VENV)/installed: pyproject.toml setup.py $(COMPILED)
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src -name '*.so' -delete
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
