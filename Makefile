# make run: sets everything up and opens the app.   make test: sets everything up and passes all tests.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: run test check bench shots assets papers clean

run: $(VENV)/app
	$(BIN)/streamlit run app.py

# What takes long begins first, so that no core waits at the end; what is timed is left alone.
test: $(VENV)/dev
	$(BIN)/python -m pytest --numprocesses 2 --dist loadscope --no-loadscope-reorder \
	  -m "not timed" tests/benchmarks tests/shell tests/app tests/property tests/unit
	$(BIN)/python -m pytest --numprocesses 2 --dist loadscope -m "not timed" tests/browser
	$(BIN)/python -m pytest -m timed tests/browser tests/benchmarks

check: $(VENV)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m tests.benchmarks.results

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

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis

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
