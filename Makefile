# make demo   sets up and runs both tracks on the built-in model, data and judge
# make test   sets up and runs the tests
# make help   lists the rest

PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
JUDGE ?= qwen
OUT ?= runs/demo
BIN := $(VENV)/bin
PIP := $(BIN)/pip --disable-pip-version-check

# Lean and portable build of llama.cpp: no vision library, no common library, no -march=native.
# With a GPU: make llama LLAMA_CMAKE_ARGS=-DGGML_CUDA=on
LLAMA_CMAKE_ARGS ?= -DGGML_NATIVE=OFF -DLLAVA_BUILD=OFF -DCMAKE_PROJECT_llama.cpp_INCLUDE=$(CURDIR)/scripts/lean_llama.cmake

.DEFAULT_GOAL := help
.PHONY: help demo demo-full test test-slow test-lowest test-export test-export-next lint format bench pictures wheel clean install llama

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

$(VENV)/.core: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet --editable .
	@touch $@

$(VENV)/.llama: $(VENV)/.core
	@echo "Building llama.cpp (about 4 minutes on two cores, once: pip keeps the wheel) ..."
	CMAKE_ARGS="$(LLAMA_CMAKE_ARGS)" $(PIP) install --quiet --editable ".[llama]"
	@touch $@

$(VENV)/.dev: $(VENV)/.llama
	$(PIP) install --quiet --editable ".[dev]"
	@touch $@

install: $(VENV)/.core ## a virtual environment with the package
llama: $(VENV)/.llama ## the same with the local judge

demo: $(VENV)/.llama ## both tracks on the built-in model and data, a dozen chat items judged
	judge=$$($(BIN)/python scripts/get_judge.py $(JUDGE)) && \
	$(BIN)/airbench-edge run --model models/nano --data airbench_edge/small --judge "llama:$$judge" --judge-limit 12 --out $(OUT)

demo-full: $(VENV)/.llama ## the same with every chat item judged
	judge=$$($(BIN)/python scripts/get_judge.py $(JUDGE)) && \
	$(BIN)/airbench-edge run --model models/nano --data airbench_edge/small --judge "llama:$$judge" --out $(OUT)-full

test: $(VENV)/.dev ## the fast tests
	$(BIN)/pytest

test-slow: $(VENV)/.dev ## the tests that need real judges or minutes
	$(BIN)/pytest -m slow

test-lowest: $(VENV)/.dev ## the fast tests with the oldest libraries that pyproject.toml admits
	$(PIP) install --quiet uv
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)-lowest
	VIRTUAL_ENV=$(CURDIR)/$(VENV)-lowest $(BIN)/uv pip install --quiet --resolution lowest-direct --editable ".[dev]"
	$(VENV)-lowest/bin/python -m pytest

test-export: ## the export tests, in an environment of their own with PyTorch
	$(PYTHON) -m venv $(VENV)-export
	$(VENV)-export/bin/pip install --quiet torch==2.13.0
	$(VENV)-export/bin/pip install --quiet --editable ".[export,dev]"
	$(VENV)-export/bin/python -m pytest -m "slow or not slow" tests/export

test-export-next: ## the same with transformers 5, which has families of its own
	$(PYTHON) -m venv $(VENV)-next
	$(VENV)-next/bin/pip install --quiet torch==2.13.0
	$(VENV)-next/bin/pip install --quiet --editable ".[export-next,dev]"
	$(VENV)-next/bin/python -m pytest -m "slow or not slow" tests/export

lint: $(VENV)/.dev ## ruff and strict mypy
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(VENV)/.dev ## let ruff mend what it can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

pictures: demo ## the pictures of the README, from the run of the demo; needs Chromium
	$(BIN)/python scripts/make_pictures.py $(OUT)

bench: $(VENV)/.dev ## the benchmarks of scripts/bench
	for bench in scripts/bench/*.py; do $(BIN)/python $$bench || exit 1; done

wheel: $(VENV)/.dev ## a wheel in dist/
	$(PIP) wheel --quiet --no-deps --wheel-dir dist .

clean: ## forget the environment and what it built
	rm -rf $(VENV) $(VENV)-lowest $(VENV)-export $(VENV)-next dist build .mypy_cache .pytest_cache .ruff_cache
