# Python 3.11 or newer and make are all this needs; everything else is set up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
KERNEL := $(foreach module,memory kernel,solver/search/$(module).py solver/search/$(module).pxd) .build/compile_kernel.py

.PHONY: play test bench lint format clean

play: $(READY)
	$(BIN)/noughts serve $(SERVE)

test: $(READY)
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 4 --dist loadfile $(TESTS)

bench: $(READY)
	$(BIN)/python -m tests.benchmarks

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(READY): pyproject.toml $(KERNEL)
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Noughts needs Python 3.11 or newer; name one with: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/noughts --version
	touch $(READY)

clean:
	rm -rf $(VENV) build dist solver/search/*.so
