# make app        everything a fresh machine needs, then the app in the browser
# make app-small  the same without torch and transformers: no local or tiny models
# make quick      the tests of the inner loop, in under a minute on two cores
# make test       everything the tests need, then all checks and all tests but the slow third
# make test-all   the same with the rest of the tests, which takes four times as long
# See README.md for the plain commands on Windows, docs/installing.md for what is downloaded.

PYTHON ?= python3
UV ?= uv
VENV := .venv
BIN := $(VENV)/bin
CHROMIUM := $(shell command -v chromium || command -v chromium-browser || command -v google-chrome)

# What is compiled once is kept: the tests start some hundred processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: app app-small quick test test-all tests rest explore locks test-cluster check family experiment benchmarks calibration clean

app: $(VENV)/.app
	$(BIN)/streamlit run app.py

app-small: $(VENV)/.small
	$(BIN)/streamlit run app.py

# The checks, of which mypy's takes minutes on one core, run beside the tests.
test: $(VENV)/.test browser
	$(MAKE) -j 2 check tests

test-all: test
	$(MAKE) rest

# A module of tests runs on one worker, so what its tests share is made once; those in the browser,
# which take longest, come first. What failed is run once more by itself, with nothing beside it: a
# failure that stays is one, and one that goes away is printed above, an unsteady test to be mended.
PYTEST = OMP_NUM_THREADS=1 $(BIN)/python -m pytest
define run-tests
	$(PYTEST) -n 2 --dist loadfile --no-loadscope-reorder --durations 40 --durations-min 5 -m $(1) || { \
	  [ $$? -eq 1 ] && $(PYTEST) --last-failed --last-failed-no-failures none -m $(1); }
endef

tests: $(VENV)/.test
	$(call run-tests,"not rest and not cluster")

# What tests/tiers.py leaves out of `make test`.
rest: $(VENV)/.test browser
	$(call run-tests,"rest and not cluster")

# The inner loop: every package of the code, but nothing that simulates, trains, draws or drives a browser.
quick: $(VENV)/.test
	BIASLAB_EXAMPLES=quick OMP_NUM_THREADS=1 $(BIN)/python -m pytest -q -n 2 -m "not slow and not browser and not cluster"

# The property tests with examples of their own; a failure prints the example, which becomes a test.
explore: $(VENV)/.test
	BIASLAB_EXAMPLES=explore OMP_NUM_THREADS=1 $(BIN)/python -m pytest -n 2 --dist loadfile -m "not browser and not cluster"

# Runs local models on a Ray cluster of two nodes, both on this machine; takes about two minutes.
test-cluster: $(VENV)/.cluster
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest -m cluster tests/models/cluster/test_cluster.py

check: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Trains and measures the whole family of tiny models; takes some hours of two cores.
family: $(VENV)/.app
	$(BIN)/python -m research.family --work build/family --jobs 2
	$(BIN)/python -m research.shipped --work build/shipped --jobs 2

# Trains what is missing of the experiment (research/docs/experiment.md), and first says how long that takes.
experiment: $(VENV)/.app
	$(BIN)/python -m research.experiment --work build/experiment

# Asks every study of simulated learners whose bias is known; about half an hour of two cores.
calibration: $(VENV)/.app
	OMP_NUM_THREADS=1 $(BIN)/python -m research.calibration

benchmarks: $(VENV)/.test
	for script in benchmarks/*.py; do $(BIN)/python $$script; done

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "BiasLab needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Set PYTHON to a newer one: make app PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)

# Exactly the locked versions, each file known by its hash; a lock is complete, so nothing is
# resolved. For Linux the public index has torch for CUDA only, with gigabytes of NVIDIA's libraries:
# the build without is taken where pip knows an index or a folder that has it (docs/installing.md).
PIP = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
LOCKED = $(PIP) --require-hashes
define install
	$(LOCKED) -r locks/$(1)
	$(LOCKED) -r locks/torch-cpu.txt || { \
	  echo "pip knows no CPU build of torch (docs/installing.md): taking the one for NVIDIA GPUs."; \
	  $(LOCKED) -r locks/torch-cuda.txt; }
	$(PIP) --no-build-isolation --editable .
endef

$(VENV)/.small: locks/app-small.txt pyproject.toml | $(VENV)/bin/python
	$(LOCKED) -r locks/app-small.txt
	$(PIP) --no-build-isolation --editable .
	touch $@

$(VENV)/.app: locks/app.txt locks/torch-cpu.txt locks/torch-cuda.txt pyproject.toml | $(VENV)/bin/python
	$(call install,app.txt)
	touch $@ $(VENV)/.small

# Of the packages' twenty thousand modules the tests use few: these are compiled when first read.
$(VENV)/.test: PIP += --no-compile
$(VENV)/.test: locks/test.txt locks/torch-cpu.txt locks/torch-cuda.txt pyproject.toml | $(VENV)/bin/python
	$(call install,test.txt)
	touch $@ $(VENV)/.app $(VENV)/.small

$(VENV)/.cluster: requirements-cluster.txt $(VENV)/.test
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-cluster.txt
	touch $@

# Writes locks/ anew from requirements*.txt; needs uv.
locks:
	$(PYTHON) locks/make.py $(UV)

# The browser test needs Chromium; it is installed where a package manager has it and this
# user may install. Elsewhere the test says what is missing.
.PHONY: browser
browser:
ifeq ($(CHROMIUM),)
	@if command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium; \
	elif command -v apt-get >/dev/null && sudo -n true 2>/dev/null; then \
	  sudo apt-get update -qq && sudo apt-get install -y -qq --no-install-recommends chromium; \
	elif command -v brew >/dev/null; then \
	  brew install --quiet --cask chromium; \
	else \
	  echo "Chromium is not installed: the browser test will be skipped. Install Chromium or Chrome to run it."; \
	fi
endif

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build *.egg-info

# Asks studies in other tools, each really installed, of a server on this machine.
.PHONY: test-tools
test-tools: $(VENV)/.tools
	OMP_NUM_THREADS=1 $(BIN)/python -m pytest tests/runs/tools

$(VENV)/.tools: requirements-tools.txt $(VENV)/.test
	$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-tools.txt
	touch $@
