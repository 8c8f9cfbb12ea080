# `make play` and `make test` need Python 3.11 or newer, a C compiler and make; nothing else.
# The browser tests drive Chromium, and several processes are tested behind Caddy: `make test` installs
# both on Debian when it is allowed to.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL_PACKAGE = { command -v apt-get >/dev/null && \
  { [ "$$(id -u)" = 0 ] && AS= || AS="sudo -n"; \
  $$AS apt-get -qq update && $$AS env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
  --no-install-recommends $(1) >/dev/null; }; }
# What is compiled begins with `# cython:`; setup.py goes by the same line.
COMPILED := $(shell grep -rls --include='*.py' '^# cython:' src/escale) $(shell find src/escale -name '*.pxd')
# When only compiled sources have changed, they alone are compiled; else everything is installed.
INSTALL = $(if $(filter pyproject.toml setup.py,$?), \
  { test -x $(BIN)/python || $(PYTHON) -m venv $(VENV); } && $(BIN)/python -m pip install --quiet \
  --disable-pip-version-check 'setuptools>=80' --editable $(1), \
  $(BIN)/python setup.py --quiet build_ext --inplace)

# The tests that must give the same results uncompiled. Random numbers, keys, games and searches by seed
# are compared within the compiled run: tests/kernel/test_modes.py.
UNCOMPILED := tests/games/test_perft.py tests/games/test_golden.py $(wildcard tests/games/*/test_compare.py)
PYTEST := $(BIN)/pytest -n auto --dist worksteal

.PHONY: play offline test tests test-all bench docs lint format browser proxy clean

play: $(VENV)/installed
	@$(BIN)/escale

# Types are checked beside the tests: mypy has one processor busy for a minute.
test: browser proxy
	@$(MAKE) --no-print-directory --jobs=2 lint tests

tests: $(VENV)/tested
	$(PYTEST) -m "not exhaustive"
	ESCALE_PURE=1 $(PYTEST) -m "not exhaustive" $(UNCOMPILED)

test-all: export ESCALE_TEST_THOROUGHLY := 1
test-all: lint browser proxy
	$(PYTEST)
	ESCALE_PURE=1 $(PYTEST) tests/games tests/kernel

bench: $(VENV)/installed
	$(BIN)/python -m bench playouts
	$(BIN)/python -m bench perft
	$(BIN)/python -m bench search

lint: $(VENV)/tested
	$(BIN)/ruff check
	$(BIN)/lint-imports
	$(BIN)/mypy

format: $(VENV)/tested
	$(BIN)/ruff check --fix

# The package and its server are installed in place, and compiled again when a compiled source changes: an old
# shared library would hide the new source.
# The server, what prints boxes, mail and push. A comma would end the argument.
PLAYED := .[house,mail,mdns,print,push]
$(VENV)/installed: pyproject.toml setup.py $(COMPILED)
	$(call INSTALL,'$(PLAYED)')
	touch $@

# With what the tests need, in one step: compiling takes longest. A comma would end the argument.
TESTED := .[house,mail,mdns,print,push,test]
$(VENV)/tested: pyproject.toml setup.py $(COMPILED)
	$(call INSTALL,'$(TESTED)')
	touch $(VENV)/installed $@

# Best without windows: the same engine needs less than half of the processor time. Where no browser
# can be installed the browser tests say so and are skipped.
browser:
	@command -v chromium-headless-shell >/dev/null || \
	  $(call INSTALL_PACKAGE,chromium-headless-shell) 2>/dev/null || command -v chromium >/dev/null || \
	  command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || \
	  $(call INSTALL_PACKAGE,chromium) || \
	  echo 'Chromium is not here and cannot be installed: THE BROWSER TESTS WILL BE SKIPPED' >&2

# The same for the proxy.
proxy: | browser
	@command -v caddy >/dev/null || $(call INSTALL_PACKAGE,caddy) || \
	  echo 'Caddy is not here and cannot be installed: PROCESSES BEHIND A PROXY WILL NOT BE TESTED' >&2

# What browsers need to play without network, where `escale serve` looks for it. The rules are compiled where
# clang is or can be installed; the sources run uncompiled otherwise.
offline: $(VENV)/installed
	@{ command -v clang-14 >/dev/null && command -v wasm-ld-14 >/dev/null; } || \
	  $(call INSTALL_PACKAGE,clang-14 lld-14) || true
	$(BIN)/escale offline prepare

# The documentation and the Python API as static pages.
docs: $(VENV)/tested
	$(BIN)/mkdocs build --quiet --strict
	@echo 'The pages are in build/docs; `escale serve --docs build/docs` serves them at /docs.'

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src -name '*.so' -delete
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
