# Belfry's commands. `make help` lists them.

SWIFT ?= swift
SOURCES := Package.swift Sources Examples Tests Fuzz Benchmarks
PREFIX ?= /usr/local

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-swift test-interop simulate lint format bench bench-nodes bench-growth soak faults
.PHONY: fuzz crash screenshots clean-root install deb docs clean

FUZZ_SECONDS ?= 300
SEEDS ?= 10000
SOAK_SECONDS ?= 3600
SOAK_DATABASE ?= sqlite
CLEAN_ROOT_STEPS ?= demo

help: ## list these commands
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-20s %s\n", $$1, $$2 }'

setup: ## find what is missing on this machine and install it (apt) or say what to install
	@scripts/setup

build: ## compile the release binary, .build/release/belfry
	@scripts/setup build
	$(SWIFT) build -c release --product belfry

demo: ## run everything: service, console, APNs, three thousand people, two phones in the browser
	@scripts/setup demo
	@$(SWIFT) build --product belfry
	@.build/debug/belfry demo $(DEMO_OPTIONS)

test: setup ## run all tests: Swift, then foreign APNs clients against the gateway
	@scripts/test

test-swift: ## run the Swift tests alone
	@scripts/setup
	scripts/postgres run $(SWIFT) test

test-interop: ## run the foreign clients alone
	@scripts/setup
	@scripts/venv
	$(SWIFT) build --product belfry
	scripts/postgres run .venv/bin/python -m pytest Tests/Interop

simulate: ## run delivery in SEEDS simulated worlds (default 10000); BELFRY_SIMULATION_SEED=n replays one of them
	BELFRY_SIMULATION_COUNT=$(SEEDS) $(SWIFT) test --filter SimulationTests

lint: setup ## check format, compiler warnings, scripts and the repository's own rules
	@scripts/lint

format: ## rewrite the Swift sources the way lint wants them
	$(SWIFT) format --in-place --recursive --parallel $(SOURCES)

bench: setup ## measure client and gateway next to h2load and nghttpd; BENCH_OPTIONS="--quick" for a look
	@$$(scripts/python) Benchmarks/run $(BENCH_OPTIONS)

fuzz: ## fuzz each parser for FUZZ_SECONDS (default 300) with libFuzzer
	for target in payload provider-token apns-file json http2-frames where cql bson import-json message; do \
		Fuzz/run.sh $$target $(FUZZ_SECONDS) || exit; done

crash: setup ## kill the push service 20 times in the middle of a push to 100,000 devices
	@scripts/venv
	$(SWIFT) build -c release --product belfry
	BELFRY=$(CURDIR)/.build/release/belfry BELFRY_CRASH_DEVICES=100000 BELFRY_CRASH_KILLS=20 \
		.venv/bin/python -m pytest Tests/Interop/test_crash.py -s

faults: setup ## break what the service stands on, many times, and print one table; FAULT_OPTIONS="--help" lists them
	@scripts/venv
	$(SWIFT) build -c release --product belfry
	BELFRY=$(CURDIR)/.build/release/belfry .venv/bin/python Tests/Faults/run $(FAULT_OPTIONS)

soak: setup ## an hour of mixed load: does anything grow? SOAK_SECONDS (3600), SOAK_DATABASE (sqlite or postgres)
	$(SWIFT) build -c release --product belfry
	BELFRY=$(CURDIR)/.build/release/belfry BELFRY_POSTGRES_DURABLE=1 scripts/postgres run \
		Benchmarks/soak --seconds $(SOAK_SECONDS) --database $(SOAK_DATABASE) $(SOAK_OPTIONS)

bench-nodes: setup ## one and three nodes on one PostgreSQL with 500,000 installations
	$(SWIFT) build -c release --product belfry
	BELFRY=$(CURDIR)/.build/release/belfry Benchmarks/nodes $(BENCH_OPTIONS)

bench-growth: setup ## what an installation and a push cost on PostgreSQL from 10,000 to 10 million rows; needs 20 GB
	$(SWIFT) build -c release --product belfry
	BELFRY=$(CURDIR)/.build/release/belfry Benchmarks/growth $(BENCH_OPTIONS)

screenshots: setup ## take pictures of every page of the console into docs/screenshots
	@scripts/venv
	$(SWIFT) build --product belfry
	.venv/bin/python Tests/Interop/screenshots.py

install: build ## copy binary, man page and shell completions under PREFIX (default /usr/local)
	install -d $(PREFIX)/bin $(PREFIX)/share/man/man1 $(PREFIX)/share/bash-completion/completions \
		$(PREFIX)/share/zsh/site-functions $(PREFIX)/share/fish/vendor_completions.d
	install -m 755 .build/release/belfry $(PREFIX)/bin/belfry
	.build/release/belfry help --man > $(PREFIX)/share/man/man1/belfry.1
	.build/release/belfry completion bash > $(PREFIX)/share/bash-completion/completions/belfry
	.build/release/belfry completion zsh > $(PREFIX)/share/zsh/site-functions/_belfry
	.build/release/belfry completion fish > $(PREFIX)/share/fish/vendor_completions.d/belfry.fish

deb: ## build a Debian package with a systemd unit: build/belfry_VERSION_ARCH.deb
	@scripts/setup build
	@scripts/deb

docs: ## build the libraries' documentation into build/docs with the toolchain's docc
	@scripts/setup build
	@scripts/docs

clean-root: ## try `make demo` in a fresh Debian 12 (needs root, debootstrap); CLEAN_ROOT_STEPS="demo test deb" for more
	@for step in $(CLEAN_ROOT_STEPS); do scripts/clean-root $$step || exit; done

clean: ## delete what the commands above made
	rm -rf .build .build-deb .venv build
