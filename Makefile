# Everything that a fresh clone needs: Python ≥ 3.11 and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
MODELS_STAMP := $(VENV)/.installed-models
# Weights of a detector, 4 MB of the package's 29 MB; nothing of it is run.
DETECTOR := @vladmandic/human@3.3.6

.PHONY: help setup quickstart test search check format clean

help:
	@echo "make quickstart   set up, build a small dataset, run three baselines, write the report"
	@echo "make test         set up and run the tests"
	@echo "make search       the same tests on examples drawn at random, many more of them: takes hours"
	@echo "make check        format, lint, types, import contracts"
	@echo "make format       put the code into shape"

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("Fathom needs Python 3.11 or later; set PYTHON=/path/to/python3.11") if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(STAMP)

# Local models are tested too, and torch is large: nothing but the tests needs it.
$(MODELS_STAMP): $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev,dev-models]'
	@if command -v npm >/dev/null; then npm install --silent --no-audit --no-fund --ignore-scripts --prefix $(VENV) $(DETECTOR) || echo "no $(DETECTOR): its tests will say that they were skipped" >&2; fi
	@touch $(MODELS_STAMP)

setup: $(STAMP)

quickstart: $(STAMP)
	$(BIN)/fathom quickstart

# Compiled once: the tests start many processes, and where Python writes no bytecode each would compile it all.
test: $(MODELS_STAMP)
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest -n auto -q --durations=25

search: $(MODELS_STAMP)
	HYPOTHESIS_PROFILE=search $(BIN)/python -m pytest -n auto -q --durations=25

check: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/structure.py --check

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) quickstart
