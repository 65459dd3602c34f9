# Needs Python 3.11 or newer and make; everything else goes into .venv.
#
#   make run     a server on 127.0.0.1:50051
#   make test    the tests
#   make help    the rest

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
PYTEST_ARGS ?= -n 2

# The first of these that is new enough builds the environment; `make PYTHON=...` names another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

# --- environment: each stamp holds until pyproject.toml or constraints.txt changes ---

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

# The build backend is installed first and used as it is, so that it too is the constrained one.
$(VENV)/.installed-backend: pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) install -c constraints.txt hatchling editables
	@touch $@

define install
	@echo "installing muggins[$(1)] into $(VENV)"
	@$(PIP) install --no-build-isolation -c constraints.txt -e '.[$(1)]'
	@touch $@
endef

# Each adds to the one before it, never two at a time.
$(VENV)/.installed-run: $(VENV)/.installed-backend
	$(call install,server$(,)ai)

$(VENV)/.installed-test: $(VENV)/.installed-run
	$(call install,server$(,)ai$(,)research$(,)test)

$(VENV)/.installed-dev: $(VENV)/.installed-test
	$(call install,server$(,)ai$(,)research$(,)test$(,)dev)

$(VENV)/.installed-bench: $(VENV)/.installed-test
	$(call install,server$(,)ai$(,)research$(,)test$(,)bench)

, := ,

.PHONY: install
install: $(VENV)/.installed-dev ## the environment, with all that the other targets need

# --- use ---

# The opponents' machine code is made once and kept; later changes are compiled as they are met.
$(VENV)/.warm: $(VENV)/.installed-run
	@echo "compiling the opponents (once, about a minute)"
	@$(BIN)/python -m muggins_ai.warm
	@touch $@

.PHONY: run demo
run: $(VENV)/.warm ## serve on 127.0.0.1:50051
	$(BIN)/muggins serve

demo: $(VENV)/.installed-run ## watch opponents play one whole match
	$(BIN)/muggins demo

# --- verify ---

.PHONY: test soak bench
test: $(VENV)/.installed-test ## run the tests
	$(BIN)/python -m pytest $(PYTEST_ARGS)

soak: $(VENV)/.installed-test ## the long tests, in 20 minutes; a line of counts at the end
	@$(BIN)/python -m tests.soak $(SOAK_ARGS)

bench: $(VENV)/.installed-bench ## measure, as ratios, and print the report
	$(BIN)/python -m tests.bench

.PHONY: check static formatted lint types types-second imports generated contract
check: static test ## all that CI runs but the long tests

static: formatted lint types types-second imports generated contract ## all but the tests

formatted: $(VENV)/.installed-dev
	$(BIN)/ruff format --check

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check

types: $(VENV)/.installed-dev
	$(BIN)/mypy

types-second: $(VENV)/.installed-dev
	$(BIN)/pyright

imports: $(VENV)/.installed-dev
	$(BIN)/lint-imports

generated: $(VENV)/.installed-dev
	$(BIN)/python protos/generate.py --check

contract: $(VENV)/.installed-dev
	$(BIN)/buf lint
	$(BIN)/buf breaking --against tests/compat/contract.binpb

# --- change ---

.PHONY: format protos clean
format: $(VENV)/.installed-dev ## format, and mend what can be mended
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format

protos: $(VENV)/.installed-dev ## regenerate the code of the protos
	$(BIN)/python protos/generate.py

clean: ## remove the environment and every cache
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
