# `make run` and `make test` do all their own set-up; everything else here serves those two.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: run test test-machines lint types imports unit coverage bench screenshots guide-pictures format clean monkey

run: $(READY)
	@packaging/system-libraries run
	@$(BIN)/python -m ptc_studio.cli.demo

test: lint types imports unit

lint: $(READY)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(READY)
	@$(BIN)/basedpyright --level error

imports: $(READY)
	@$(BIN)/lint-imports --no-cache

unit: $(READY)
	@packaging/system-libraries test
	@packaging/node-packages $(VENV)/node
	@packaging/openapi-documents $(VENV)/openapi
	@$(BIN)/python -m pytest -n auto

# The part of the suite that can differ, on machines with other fonts, locales, users, paths, libraries and toolchains.
# Some of them alone: make test-machines MACHINES="locale-de user"
test-machines: $(READY)
	@packaging/system-libraries test
	@packaging/node-packages $(VENV)/node
	@packaging/openapi-documents $(VENV)/openapi
	@$(BIN)/python -m tests.machines $(MACHINES) --pictures $(VENV)/machines/pictures

# A seeded monkey at the window; PTC_MONKEY_SECONDS says for how long.
monkey: $(READY)
	@$(BIN)/python -m pytest -n 0 tests/ui/monkey.py

coverage: $(READY)
	@$(BIN)/python -m pytest --cov --cov-report=term

bench: $(VENV)/.bench-ready
	@$(BIN)/python -m tests.benchmarks

screenshots: $(READY)
	@packaging/system-libraries test
	@$(BIN)/python -m tests.screenshots packaging/screenshots

guide-pictures: $(READY)
	@packaging/system-libraries test
	@$(BIN)/python -m tests.guide_pictures resources/guide/pictures

format: $(READY)
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

$(READY): pyproject.toml packaging/prepare
	@packaging/prepare $(PYTHON) $(VENV)
	@touch $@

$(VENV)/.bench-ready: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	@touch $@

clean:
	rm -rf $(VENV) dist build .coverage htmlcov
