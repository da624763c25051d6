# make run: sets everything up and opens the app.   make test: sets everything up and runs all tests.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run test test-matrix quick fuzz check check-js bundles bench shots assets papers tables clean

run: $(VENV)/app
	$(BIN)/streamlit run server.py

# All parts run, whatever fails, and one summary names every failure.
test: $(VENV)/dev
	$(BIN)/python -m tests.runner.full

# The tests without a browser on eight kinds of machine; ROW=avx2 runs one of them.
test-matrix: $(VENV)/dev
	$(BIN)/python -m tests.runner.matrix $(ROW)

# The checks and the tests closest to what differs from HEAD (or BASE=revision), within a minute.
quick: $(VENV)/dev
	@BASE=$(BASE) $(BIN)/python -m tests.runner.quick

# 2,000 mutated uploads and 1,000 URLs; make test reads 200 and 100 of them.
fuzz: $(VENV)/dev
	$(BIN)/python -m tests.fuzz

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m assets.check_bundles
	$(BIN)/python -m tests.benchmarks.results

# Types, lint, unit tests and stale bundles of the browser code, which need Node.
check-js: node_modules/.installed
	npm run --silent types
	npm run --silent lint
	npm test --silent
	npm run --silent stale

# assets/bundles from assets/components.
bundles: node_modules/.installed
	npm run --silent bundle

# Measures what is not fresh; exits with 1 if a claim is missed.
bench: $(VENV)/dev
	$(BIN)/python -m tests.benchmarks

shots: $(VENV)/dev
	$(BIN)/python -m tests.browser.shots

assets: $(VENV)/dev
	$(BIN)/python -m assets.make

# Every figure and table of the papers again, in a few minutes; the README's table is made of them.
papers: $(VENV)/dev
	$(BIN)/python -m assets.make_papers

# The papers' tables at their own schedules: hours, seed by seed; goes on where it stopped.
# WORKERS=2 computes two seeds at once, ONLY=rot-mnist/p4 a batch, a table, a row or a seed.
tables: $(VENV)/dev
	$(BIN)/python -m assets.make_tables --workers $(or $(WORKERS),1) --only "$(ONLY)"

clean:
	rm -rf $(VENV) $(VENV)-lowest .pytest_cache .mypy_cache .ruff_cache .hypothesis node_modules

node_modules/.installed: package.json package-lock.json
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null && npm --version >/dev/null 2>&1 || \
	  { echo "The browser code is checked with Node 20 or newer and npm: install them, then try again."; exit 1; }
	npm ci --silent
	@touch $@

$(VENV)/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed, this is " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

$(VENV)/app: requirements.txt | $(VENV)/pip
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	@touch $@

$(VENV)/dev: requirements.txt pyproject.toml | $(VENV)/pip
	$(BIN)/python -m pip install --quiet --requirement requirements.txt --group dev
	@touch $(VENV)/app $@
