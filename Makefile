# make run: sets everything up and opens the app.   make test: sets everything up and runs all tests.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run test test-matrix extend quick fuzz check check-js reference bundles bench shots assets site papers tables clean

run: $(VENV)/app
	$(BIN)/streamlit run server.py

# Runs all parts even if some fail; a summary lists every failure.
test: $(VENV)/dev
	$(BIN)/python -m tests.runner.full

# Runs the tests that need no browser in eight environments; ROW=avx2 runs one of them.
test-matrix: $(VENV)/dev
	$(BIN)/python -m tests.runner.matrix $(ROW)

# Adds a group, a kernel, a rule, a data set and a method to a copy of the project and runs its tests that need
# no browser; ONLY=tests/property runs some of them.
extend: $(VENV)/dev
	$(BIN)/python -m tests.extend $(ONLY)

# Runs the checks and the tests closest to the changes since HEAD (or BASE=revision), within a minute.
quick: $(VENV)/dev
	@BASE=$(BASE) $(BIN)/python -m tests.runner.quick

# Tests 2,000 mutated uploads and 1,000 URLs; make test uses 200 and 100 of them.
fuzz: $(VENV)/dev
	$(BIN)/python -m tests.fuzz

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m assets.check_bundles
	$(BIN)/python -m tests.benchmarks.results
	$(BIN)/mkdocs build --strict --quiet

# Builds the reference of the public names from their docstrings, in build/reference.
reference: $(VENV)/dev
	$(BIN)/mkdocs build --strict

# Checks types, lint, unit tests and stale bundles of the browser code; needs Node.
check-js: node_modules/.installed
	npm run --silent types
	npm run --silent lint
	npm test --silent
	npm run --silent stale

# Bundles assets/components into assets/bundles.
bundles: node_modules/.installed
	npm run --silent bundle

# Runs the benchmarks without a fresh result; exits with 1 if a claim fails.
bench: $(VENV)/dev
	$(BIN)/python -m tests.benchmarks

shots: $(VENV)/dev
	$(BIN)/python -m tests.browser.shots

assets: $(VENV)/dev
	$(BIN)/python -m assets.make

# Writes the site without a server to build/site; APP=https://... links its pages to a running app.
site: $(VENV)/dev
	$(BIN)/python -m assets.site --app "$(APP)"

# Computes every figure and table of the papers in a few minutes, and updates the README's table.
papers: $(VENV)/dev
	$(BIN)/python -m assets.make_papers

# Computes the papers' tables at their own schedules, seed by seed, in hours; continues where it stopped.
# WORKERS=2 computes two seeds at once; ONLY=rot-mnist/p4 selects a batch, a table, a row or a seed.
tables: $(VENV)/dev
	$(BIN)/python -m assets.make_tables --workers $(or $(WORKERS),1) --only "$(ONLY)"

clean:
	rm -rf $(VENV) $(VENV)-lowest .pytest_cache .mypy_cache .ruff_cache .hypothesis node_modules build

node_modules/.installed: package.json package-lock.json
	@node -e 'process.exit(process.versions.node.split(".")[0] < 20 ? 1 : 0)' 2>/dev/null && npm --version >/dev/null 2>&1 || \
	  { echo "Checking the browser code requires Node 20 or newer and npm: install them, then try again."; exit 1; }
	npm ci --silent
	@touch $@

$(VENV)/pip:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python must be 3.11 or newer; got " + sys.version)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@touch $@

$(VENV)/app: requirements.txt | $(VENV)/pip
	$(BIN)/python -m pip install --quiet --requirement requirements.txt
	@touch $@

$(VENV)/dev: requirements.txt pyproject.toml | $(VENV)/pip
	$(BIN)/python -m pip install --quiet --requirement requirements.txt --group dev
	@touch $(VENV)/app $@
