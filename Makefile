# What people type. `make help` lists it.

SHELL := /bin/sh
.SHELLFLAGS := -euc
.DEFAULT_GOAL := help

# The one place that pins the real Claude Code CLI.
CLAUDE_VERSION := 2.1.332
CLAUDE_FOLDER := .claude-cli/$(CLAUDE_VERSION)

# A file of NAME=value lines, taken literally.
ENV ?=
# Where `make standin` keeps its deployment.
DIR ?= target/standin

# Repetitions of `make kill-storm`, what they follow from, and the first one.
N ?= 1000
SEED ?= $(shell date +%s)
START ?= 0

# Exports the variables of $(ENV), without letting a shell interpret them.
read_env = \
	if [ -n "$(ENV)" ]; then \
		[ -r "$(ENV)" ] || { echo "ENV: the file cannot be read" >&2; exit 2; }; \
		while IFS= read -r line || [ -n "$$line" ]; do \
			case "$$line" in \
				''|'\#'*) ;; \
				[A-Za-z_]*=*) export "$$line" ;; \
				*) echo "ENV: a line is not NAME=value" >&2; exit 2 ;; \
			esac; \
		done < "$(ENV)"; \
	fi

# The manifest of the run that wrote a profile's JUnit file.
manifest_of = $$(sed -n 's/.*<testsuites .*uuid="\([^"]*\)".*/target\/nextest\/$(1)\/manifest-\1.json/p' target/nextest/$(1)/junit.xml)

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 22

.PHONY: nextest
nextest:
	@cargo nextest --version >/dev/null 2>&1 || cargo install cargo-nextest --locked

.PHONY: smoke
smoke: nextest ## the main job against an embedded stand-in, with the real CLI
	@if [ -z "$${IOP_SMOKE_CLAUDE:-}" ]; then \
		if command -v npm >/dev/null 2>&1; then \
			$(MAKE) --no-print-directory claude; \
			IOP_SMOKE_CLAUDE=$$($(MAKE) --no-print-directory claude-path); \
			export IOP_SMOKE_CLAUDE; \
		else \
			echo "npm is missing: the stand-in Claude is used instead of the real CLI"; \
		fi; \
	fi; \
	cargo nextest run --profile smoke-standin; \
	echo "manifest: $(call manifest_of,smoke-standin)"

.PHONY: client
client: nextest claude ## what holds with the real CLI: the self-test's other half
	@IOP_SMOKE_CLAUDE="$${IOP_SMOKE_CLAUDE:-$$($(MAKE) --no-print-directory claude-path)}"; \
	export IOP_SMOKE_CLAUDE; \
	cargo nextest run --profile real-cli --run-ignored only

.PHONY: claude-matrix
claude-matrix: nextest ## the same with the oldest native build, another one, the pinned and the newest
	@.ci/claude-matrix $(CLAUDE_VERSION) 2.1.113 2.1.220

.PHONY: claude
claude: ## install the pinned Claude Code CLI into an ignored folder
	@if [ ! -x "$$($(MAKE) --no-print-directory claude-path)" ]; then \
		mkdir -p $(CLAUDE_FOLDER); \
		npm install --ignore-scripts --no-audit --no-fund --no-save --silent \
			--prefix $(CLAUDE_FOLDER) \
			"@anthropic-ai/claude-code-$$($(MAKE) --no-print-directory claude-platform)@$(CLAUDE_VERSION)"; \
	fi

.PHONY: claude-path
claude-path:
	@echo "$(CURDIR)/$(CLAUDE_FOLDER)/node_modules/@anthropic-ai/claude-code-$$($(MAKE) --no-print-directory claude-platform)/claude"

.PHONY: claude-platform
claude-platform:
	@os=$$(uname -s | tr 'A-Z' 'a-z'); \
	case "$$(uname -m)" in x86_64) arch=x64 ;; aarch64|arm64) arch=arm64 ;; *) arch=$$(uname -m) ;; esac; \
	libc=; if [ "$$os" = linux ] && ldd --version 2>&1 | grep -qi musl; then libc=-musl; fi; \
	echo "$$os-$$arch$$libc"

.PHONY: test
test: nextest ## the self-test: no credential, no network
	@# Thousands of files that live for milliseconds: memory holds them best, where
	@# there is a file system of it that programs may be started from. Each test is a
	@# process: none needs nextest's own in between, more threads, or a second arena.
	@memory=; trap 'rm -rf "$$memory"' EXIT; trap 'exit 130' INT; trap 'exit 143' TERM; \
	if [ -z "$${TMPDIR:-}" ] && [ "$$(df -Pm /dev/shm 2>/dev/null | awk 'END { print ($$4 > 512) }')" = 1 ]; then \
		memory=$$(mktemp -d /dev/shm/iop-smoke-test.XXXXXX); \
		cp /bin/true "$$memory"; \
		if "$$memory/true" 2>/dev/null; then TMPDIR=$$memory; export TMPDIR; fi; \
	fi; \
	NEXTEST_DOUBLE_SPAWN=0 RUST_TEST_THREADS=1 MALLOC_ARENA_MAX=1 cargo nextest run --profile selftest

.PHONY: preflight
preflight: nextest ## every check of the live deployment, without the run
	@$(read_env); cargo nextest run --profile smoke-live -E 'test(/^preflight::/)'

.PHONY: smoke-live
smoke-live: nextest ## the live smoke
	@$(read_env); \
	cargo nextest run --profile smoke-live; \
	if [ -n "$${IOP_SMOKE_OUTPUT:-}" ]; then echo "manifest: at IOP_SMOKE_OUTPUT"; \
	else echo "manifest: $(call manifest_of,smoke-live)"; fi

.PHONY: evidence
evidence: nextest ## seal what the live deployment is now
	@$(read_env); cargo nextest run --profile evidence

.PHONY: validate
validate: nextest ## judge a manifest: MANIFEST=file
	@$(read_env); \
	if [ -n "$(MANIFEST)" ]; then IOP_SMOKE_MANIFEST=$$(realpath -s -- "$(MANIFEST)"); export IOP_SMOKE_MANIFEST; fi; \
	cargo nextest run --profile validate

.PHONY: kill-storm
kill-storm: ## kill the smoke at random moments: N=1000, SEED, START to resume
	@cargo build --quiet --bins --tests
	@target/debug/standin-kill-storm "$(N)" "$(SEED)" "$(START)"

.PHONY: standin
standin: ## keep a stand-in deployment running in DIR, for trying things out
	@cargo build --quiet --bins --tests
	@# Only what an earlier one left there is replaced.
	@if [ -e "$(DIR)/smoke.env" ] && [ -e "$(DIR)/edge.yaml" ]; then rm -rf "$(DIR)"; fi
	@target/debug/standin-deployment "$(DIR)"

.PHONY: lint
lint: ## formatter and linter, warnings as errors
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

.PHONY: deny
deny: ## licences, bans and sources of the dependencies; advisories where they can be had
	@# Without optimisation: it is built in a third of the time, and judges in a second.
	cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked --debug
	cargo deny check bans licenses sources
	@if cargo deny fetch db >/dev/null 2>&1; then cargo deny check advisories; \
	else echo "advisories: not checked, their database cannot be reached"; fi

.PHONY: mutants
mutants: nextest ## mutation testing of the harness; takes hours. SHARD=1/8 runs a part
	cargo mutants --version >/dev/null 2>&1 || cargo install cargo-mutants --locked --debug
	cargo mutants $(if $(SHARD),--shard $(SHARD)) $(if $(FILE),--file $(FILE))
