# Python 3.11 or newer and make are all this needs; everything else is set up in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
READY_DEV := $(VENV)/ready-dev
TOOLS := $(VENV)/tools
READY_TOOLS := $(TOOLS)/ready
PEERS := $(VENV)/peers
READY_PEERS := $(PEERS)/ready
TYPES := $(wildcard solver/kernel/compiled/*.pxd)
KERNEL := $(TYPES) $(TYPES:solver/kernel/compiled/%.pxd=solver/kernel/%.py)

# Whatever is installed is named by a lock file, with its digest. No source packages: what builds them is in no lock file.
INSTALL := -m pip install --quiet --disable-pip-version-check
LOCKED := $(INSTALL) --require-hashes --only-binary :all: --requirement
COMPILE := $(TOOLS)/bin/uv pip compile --quiet --universal --python-version 3.11 --only-binary :all: --generate-hashes \
	--custom-compile-command 'make lock' --system-certs $(LOCK)
BUILD_REQUIREMENTS := import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], sep="\n")
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11) and "Noughts needs Python 3.11 or newer; name one with: make PYTHON=...")
DIST := dist
UNCOMPILED := "The kernel is not compiled, so that it searches many times slower: that takes a C compiler, and make -B $(READY)."

# The processes that tests start are many: each would compile the project anew.
unexport PYTHONDONTWRITEBYTECODE

# Tests also wait, for servers, browsers and slow lines: one process more than there are cores.
MORE = $(shell $(BIN)/python -c 'import os; print(1 + (os.cpu_count() or 1))')
PYTEST = $(BIN)/python -m pytest --maxprocesses 4 --dist loadfile --numprocesses $(MORE)

.PHONY: play test test-all exhaustive golden bench load peers lint format licences audit picture lock docs release clean

play: $(READY)
	$(BIN)/noughts serve $(SERVE)

test: $(READY_DEV)
	$(PYTEST) -m "not slow and not exhaustive" $(TESTS)

# 5 is pytest's word for no tests: none of those named is slow.
test-all: test $(READY_TOOLS)
	$(PYTEST) -m "slow and not exhaustive" --hypothesis-profile some $(or $(TESTS),tests) || [ $$? = 5 ]

# Every case of what the other tests sample, and all properties on four times as many examples.
exhaustive: $(READY_DEV)
	$(PYTEST) -m "exhaustive or hypothesis" --hypothesis-profile many $(TESTS)

# Writes what commands, the library and pages say now into the golden files; git diff shows what that changes.
golden: $(READY_DEV)
	NOUGHTS_CACHE=off $(BIN)/python -m tests.figures
	NOUGHTS_CACHE=off $(BIN)/python -m tests.transcripts
	NOUGHTS_CACHE=off $(BIN)/python -m tests.web.said
	NOUGHTS_CACHE=off $(BIN)/python -m tests.web.answers
	NOUGHTS_CACHE=off $(BIN)/python -m tests.web.scenes
	NOUGHTS_CACHE=off $(BIN)/python -m tests.web.desk

bench: $(READY_DEV)
	$(BIN)/python -m tests.benchmarks

# Two hours of both cores; shorter with LOAD_SECONDS, LOAD_SOAK, LOAD_KILLS, LOAD_FUZZ and LOAD_BOTS in the environment.
load: $(READY_DEV)
	$(BIN)/python -m pytest $(if $(TESTS),$(TESTS),tests/load) -q -s
	$(if $(TESTS),,LOAD_BOTS=$${LOAD_BOTS:-100} $(BIN)/python -m pytest tests/solver/cli/test_prove_command.py -q -k bad_bot)

# What the field's own tools say of the rules, the values, the environments and the API.
peers: $(READY_PEERS)
	$(PEERS)/bin/python -m tests.peers

lint: $(READY_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY_DEV)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Whatever is required must be under a permissive licence; reads what is installed, without a network.
licences: $(READY_DEV)
	$(BIN)/python -m piplicenses --packages $$(sed -n 's/^\([a-z0-9-]*\)==.*/\1/p' requirements.lock)

# Fails if something is known against a locked version, and also if nothing can be known: the last line says which.
audit: $(READY_TOOLS) licences
	$(TOOLS)/bin/python -m pip_audit --strict --disable-pip --require-hashes $(addprefix --requirement=,$(wildcard *.lock))

picture: $(READY_DEV)
	$(BIN)/python -m tests.browser.picture

# Keeps what is locked as far as pyproject.toml allows; newer versions with: make lock LOCK=--upgrade
lock: $(READY_TOOLS)
	$(TOOLS)/bin/python -c '$(BUILD_REQUIREMENTS)' | $(COMPILE) --output-file requirements.lock --extra metrics pyproject.toml -
	$(COMPILE) --output-file requirements-dev.lock --constraints requirements.lock --extra dev pyproject.toml
	$(COMPILE) --output-file requirements-tools.lock --group tools

# The documents and the library's reference as one site, which any server of files can show.
docs: $(READY_DEV)
	$(BIN)/python -m tests.manual $(DIST)/docs

# All of a release that needs no other machine: the archive, the wheel of this system, what they are made of, the notes
# of the newest version, and the digests. Nothing is uploaded.
release: $(READY_DEV) $(READY_TOOLS)
	mkdir -p $(DIST)
	NOUGHTS_KERNEL=compiled $(BIN)/python -m build --no-isolation --outdir $(DIST) .
	$(TOOLS)/bin/cyclonedx-py requirements requirements.lock --pyproject pyproject.toml --output-reproducible \
		--output-file $(DIST)/noughts.cdx.json
	awk '/^## /{versions += 1} versions == 1' CHANGELOG.md > $(DIST)/NOTES.md
	cd $(DIST) && sha256sum -- *.tar.gz *.whl *.json NOTES.md > SHA256SUMS

# Two environments are made at the same time, one inside the other: the folder of the outer one comes first.
$(VENV):
	mkdir -p $(VENV)

# The bytecode is for those who may not write into the checkout, or do not wish to. Tools get theirs as they are used.
$(READY): pyproject.toml setup.py requirements.lock $(KERNEL) | $(VENV)
	$(PYTHON) -c '$(NEW_ENOUGH)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python $(LOCKED) requirements.lock
	rm -f solver/kernel/compiled/*.so
	$(BIN)/python $(INSTALL) --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q -j 0 solver webapp
	$(BIN)/noughts --version
	@ls solver/kernel/compiled/*.so >/dev/null 2>&1 || echo $(UNCOMPILED) >&2
	touch $(READY)

$(READY_DEV): requirements-dev.lock | $(READY)
	$(BIN)/python $(LOCKED) requirements-dev.lock --no-compile
	touch $(READY_DEV)

$(READY_TOOLS): requirements-tools.lock | $(VENV)
	$(PYTHON) -c '$(NEW_ENOUGH)'
	$(PYTHON) -m venv $(TOOLS)
	$(TOOLS)/bin/python $(LOCKED) requirements-tools.lock --no-compile
	touch $(READY_TOOLS)

# Sees what is locked for development and adds what pip can have; `make peers` says what it could not. On every system it
# has another torch, so that there are versions, but no digests.
$(READY_PEERS): tests/peers/constraints.txt | $(READY_DEV)
	$(PYTHON) -m venv $(PEERS)
	$(BIN)/python -c 'import site; print(site.getsitepackages()[0])' \
		> $$($(PEERS)/bin/python -c 'import site; print(site.getsitepackages()[0])')/development.pth
	for peer in open-spiel sb3-contrib; do \
		$(PEERS)/bin/python $(INSTALL) --only-binary :all: --constraint tests/peers/constraints.txt $$peer || true; done
	touch $(READY_PEERS)

clean:
	rm -rf $(VENV) dist *.egg-info solver/kernel/compiled/*.so
	find solver webapp -name __pycache__ -exec rm -r {} +
