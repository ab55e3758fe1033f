# Needs only Python 3.11+ and make: everything else goes into .venv, in the exact versions of requirements.lock.
PYTHON ?= python3
PORT ?= 8000
BIN := .venv/bin

.DEFAULT_GOAL := help
.PHONY: help install run cluster demo test test-web test-cluster shots browser lint docs rules soak soak-server hostile remote bench compiled lock clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

install: .venv/.installed ## make .venv with everything a developer needs

.venv/.installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "marchwarden needs Python 3.11 or newer; try: make PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

run: install ## serve on port $(PORT) with a demo table of bots to watch, until Ctrl-C
	$(BIN)/marchwarden serve --demo --port $(PORT)

cluster: install ## three nodes on the PostgreSQL and with the nats-server of this machine, until Ctrl-C
	$(BIN)/python -m tests.cluster

demo: install ## play a whole six-player game of bots over sockets on the terminal
	$(BIN)/marchwarden demo --fast

lint: install ## style, types and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# These only count: no sockets, no clocks, no processes. They run on two cores at a time, all others one after the other.
COUNTING := $(addprefix tests/,game lab protocol replay rooms scenarios)

test: lint $(if $(CI),browser) ## everything that must hold
	$(BIN)/pytest -n 2 $(COUNTING)
	$(BIN)/pytest tests $(addprefix --ignore=,$(COUNTING))

test-web: install browser ## the tests of the page alone, in the system's Chromium
	$(BIN)/pytest tests/web

shots: install browser ## take the pictures of the page anew, into server/web/shots
	$(BIN)/python -m tests.web.shots

test-cluster: install ## the tests of several nodes alone, with PostgreSQL and nats-server; MARCHWARDEN_GAMES=1000 for a thousand games through trouble
	MARCHWARDEN_CLUSTER=1 $(BIN)/pytest -s tests/cluster

browser: # Chromium, by apt where it is missing and we are root
	@command -v chromium || command -v chromium-browser || command -v google-chrome || test "$$(id -u)" != 0 \
		|| ! command -v apt-get || { apt-get update --quiet && apt-get install --quiet --yes chromium; }

docs: install ## renew what is made from the code: PROTOCOL.md with its transcripts, schema.json and RULES_TESTED.md
	$(BIN)/python -m protocol.docs
	$(BIN)/python -m tests.transcripts
	$(BIN)/python -m tests.rules

rules: install ## renew tests/RULES_TESTED.md: which tests speak of which rule
	$(BIN)/python -m tests.rules

soak: install ## 10,000 games by players that try everything, every invariant after every answer (about ten minutes)
	$(BIN)/python -m tests.soak

soak-server: install ## 1,000 rooms made, played and closed against a server: memory and files come back (about five minutes)
	$(BIN)/python -m tests.soak.server

hostile: install ## floods, loafers and 5,000 spectators beside a room that is played, with its latency (about five minutes)
	HOSTILE_SECONDS=10 $(BIN)/pytest -s tests/hostile

remote: install ## 100 games between bots on sockets that draw any legal answer: not one may be refused (about a minute)
	$(BIN)/python -m tests.remote

bench: install ## speed and size beside a bare relay: a table, a picture and JSON (about ten minutes; BENCH="--quick --only turns,games")
	$(BIN)/python -m tests.bench $(BENCH)

compiled: install ## build/compiled: the server with its dearest modules compiled, for PYTHONPATH=build/compiled (needs a C compiler)
	$(BIN)/python deploy/compile.py build/compiled

LOCK := $(BIN)/uv pip compile --quiet pyproject.toml --universal --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --no-emit-find-links

lock: ## renew requirements.lock (everything) and requirements.server.lock (what a server needs) from pyproject.toml
	$(BIN)/python -m pip install --quiet uv
	$(LOCK) --all-extras --output-file requirements.lock
	$(LOCK) --extra cluster --output-file requirements.server.lock

clean: ## take away .venv, build and caches
	rm -rf .venv build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
