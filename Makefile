# `make run` and `make test` do all their own set-up; everything else here serves those two.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
# Two more than there are processors: many tests wait for programs that they start.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 2)))
# Once for all: the tests start the program and its guests many hundred times, where nobody may write beside the sources.
COMPILE := $(BIN)/python -m compileall -q -x '/(scripts|programs)/' ptc_studio runtimes/python/ptc_kit runtimes/python/ptc_tools.py tests

.PHONY: run test package test-package test-elsewhere audit endurance test-machines lint types imports unit coverage bench screenshots guide-pictures format clean monkey

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
	@$(COMPILE)
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# The part of the suite that can differ, on machines with other fonts, locales, users, paths, libraries and toolchains.
# Some of them alone: make test-machines MACHINES="locale-de user"
test-machines: $(READY)
	@packaging/system-libraries test
	@packaging/node-packages $(VENV)/node
	@packaging/openapi-documents $(VENV)/openapi
	@$(BIN)/python -m tests.machines $(MACHINES) --pictures $(VENV)/machines/pictures

# A seeded monkey at the window, beyond the half minutes of it in the tests: PTC_MONKEY_SECONDS says for how long.
monkey: $(READY)
	@PTC_MONKEY_SEED=$${PTC_MONKEY_SEED:-20261118} PTC_MONKEY_SECONDS=$${PTC_MONKEY_SECONDS:-600} $(BIN)/python -m pytest -n 0 -rP tests/ui/test_monkey.py

# The wheel, the frozen program and the Debian package, in dist/.
package: $(VENV)/.package-ready
	@$(BIN)/python -m build --wheel --no-isolation --outdir dist . >/dev/null
	@$(BIN)/python packaging/freeze.py dist/ptc-studio
	@$(BIN)/python packaging/deb.py dist/ptc-studio dist
	@ls -d dist/*

# What users do, done with the frozen program; then, as root, the package in a clean Debian.
test-package: $(READY)
	@test -x dist/ptc-studio/ptc-studio || { echo "There is no frozen program: make package" >&2; exit 1; }
	@packaging/system-libraries test
	@packaging/node-packages $(VENV)/node
	@PATH="$(CURDIR)/$(BIN):$$PATH" PYTHONPATH="$$($(BIN)/python -c "import sysconfig; print(sysconfig.get_path('purelib'))")" PTC_PROGRAM=$(CURDIR)/dist/ptc-studio/ptc-studio $(BIN)/python -m pytest -n 2 tests/packaging tests/e2e/test_examples.py tests/e2e/test_alias_story.py tests/e2e/test_sources.py tests/e2e/window
	@packaging/try-deb dist/ptc-studio_*.deb $(VENV)/debian

# The headless part of the suite as on a system that has nothing of Linux's own.
test-elsewhere: $(READY)
	@$(BIN)/python -m pytest -n auto -p tests.elsewhere tests/core tests/storage tests/exports tests/transcripts tests/sources tests/gateway tests/cli tests/targets

# What is known to be dangerous in the code and in what it uses. Where no database of holes can be reached: make audit OFFLINE=--offline
audit: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group audit
	@$(BIN)/python packaging/audit.py $(OFFLINE)

# Ten thousand runs of mixed kinds in ten minutes, and two hundred kills at random moments.
endurance: $(READY)
	@$(BIN)/python -m tests.e2e.endurance 10000 600
	@$(BIN)/python -m tests.e2e.kills 200

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

$(VENV)/.package-ready: $(READY)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --group package
	@touch $@

clean:
	rm -rf $(VENV) dist build .coverage htmlcov
