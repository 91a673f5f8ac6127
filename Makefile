# Everything that is done to mneme more than once. `make` alone explains it.

SHELL         := bash
.SHELLFLAGS   := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS     += --no-print-directory

GO            ?= go
# -short takes the short form of long tests; `make nightly` takes the long one. Four test binaries run at a time, because
# those that need Neo4j take turns at it.
GOTESTFLAGS   ?= -short -p 4 -timeout 40m -vet=off
# The same for all commands, so that none compiles what another one has. The linter vets.
export GOFLAGS     ?= -trimpath
export CGO_ENABLED ?= 0
# The linter is pinned and built from source, so that every machine reports the same findings.
GOLANGCI      := v2.12.2
GOLANGCI_LINT := bin/golangci-lint-$(GOLANGCI)
# A cache of its own for each checkout: a shared one names the files of others, which may be gone.
export GOLANGCI_LINT_CACHE := $(CURDIR)/bin/lint-cache

# Real data that some tests run on; without it they say that they were left out.
export MNEME_TEST_DATA ?= $(abspath ../shared/data)

# Makes a target and fails where that changes one of the paths, committed or not.
define unchanged-by
	@before=$$(mktemp -d); trap 'rm -rf "$$before"' EXIT; \
	tar cf - $(2) | tar xf - -C "$$before"; \
	$(MAKE) $(1); \
	for path in $(2); do diff -r "$$before/$$path" "$$path" || \
	  { echo "$$path was not up to date: commit what 'make $(1)' wrote"; exit 1; }; done
endef

.PHONY: help
help: ## What there is (this text)
	@echo "mneme: the learning memory of AI agents"; echo
	@awk 'BEGIN {FS = ":.*## "} /^## / {printf "\n%s\n", substr($$0, 4)} \
	     /^[a-z0-9-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

## Use it

.PHONY: run
run: ## Serve on http://127.0.0.1:8080 from ./mneme-data (ARGS="--listen 127.0.0.1:9000" for more)
	$(GO) run . $(if $(ARGS),serve $(ARGS))

.PHONY: build
build: ## Build ./mneme
	$(GO) build -o mneme .

.PHONY: env
env: ## Make .env with a random API key and Neo4j password for docker compose; never overwrites
	@if [[ -e .env ]]; then echo ".env is there already; delete it first for new secrets (Neo4j keeps the old password in its volume)"; \
	else random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }; \
	  umask 077; printf 'MNEME_API_KEY=%s\nMNEME_NEO4J_PASSWORD=%s\n' "$$(random)" "$$(random)" > .env; \
	  echo "wrote .env; next: docker compose up"; fi

## Test it

# Runs a command against a Neo4j: the one that runs, else one of its own that is stopped in any case. The command may
# change its directory: it has a shell of its own, so that the script that stops Neo4j is found.
define with-neo4j
	@if [[ -z $$(scripts/neo4j.sh env 2>/dev/null) ]]; then \
	  trap 'scripts/neo4j.sh down' EXIT; scripts/neo4j.sh up; fi; \
	eval "$$(scripts/neo4j.sh env)"; \
	( $(1) )
endef

# A Neo4j that runs for minutes only spends most of them on planning each statement once: by the statistics of tenants
# that are filled meanwhile each plan would be made anew every ten seconds. (Java's first compiler alone took a fifth
# more processor time over the tests of store/neo4j.)
test neo4j-up: export JDK_JAVA_OPTIONS ?= -XX:+UseSerialGC -Dreplan=PT1H
ifneq ($(filter check test test-go neo4j-up,$(MAKECMDGOALS)),)
export TMPDIR := $(shell scripts/testdir.sh)
endif
.PHONY: test
test: ## All tests, on SQLite and on Neo4j (starts one: Docker, or Java 17 and Maven)
	$(call with-neo4j,MNEME_TEST_NEO4J_REQUIRED=1 $(GO) test $(GOTESTFLAGS) ./...)

.PHONY: check
check: build lint test-go ## Build, lint and run the tests that need nothing but Go: a few minutes, before each commit

.PHONY: test-go
test-go: ## All tests that need nothing but Go
	$(GO) test $(GOTESTFLAGS) ./...

.PHONY: nightly
nightly: ## The long form of what .ci/run checks: all tests, torture, fuzzing, schemathesis and pages, for some hours
	$(MAKE) test GOTESTFLAGS="-p 4 -timeout 2h -vet=off"
	$(MAKE) race
	$(MAKE) fuzz FUZZTIME=1m
	$(MAKE) torture
	$(MAKE) schemathesis
	$(MAKE) e2e-frameworks
	$(MAKE) clients
	$(MAKE) e2e-browser e2e-browser-neo4j
	$(MAKE) release release-check
	$(MAKE) vulnerabilities

.PHONY: vulnerabilities
vulnerabilities: ## Look for known vulnerabilities in what the program calls (needs the internet)
	$(GO) run golang.org/x/vuln/cmd/govulncheck@v1.9.0 . || { echo "FAILED: something above is vulnerable, or cannot be reached and was not looked at"; exit 1; }

.PHONY: race
race race-short: export CGO_ENABLED = 1
race: ## Look for data races in the stores, the service and what is asked over HTTP (needs what test needs, and gcc)
	$(call with-neo4j,MNEME_TEST_NEO4J_REQUIRED=1 $(GO) test -race $(GOTESTFLAGS) ./store/... ./service/... ./internal/gqlhttp ./internal/app)

.PHONY: race-short
race-short: ## The same for subscriptions and shared memory alone: a quarter of a minute
	$(GO) test -race ./service/events ./internal/budget

.PHONY: neo4j-up
neo4j-up: ## Start a Neo4j to test and try with, and print how to reach it
	@scripts/neo4j.sh up
	@echo '# eval "$$(scripts/neo4j.sh env)" points tests at it:'; scripts/neo4j.sh env
	@echo '# eval "$$(scripts/neo4j.sh use)" points mneme at it:'; scripts/neo4j.sh use

.PHONY: neo4j-down
neo4j-down: ## Stop it and remove its data
	@scripts/neo4j.sh down

.PHONY: e2e-browser
e2e-browser: export MNEME_PROGRAM := $(CURDIR)/bin/mneme-e2e
e2e-browser: explorer/node_modules ## Drive the web pages in Chromium on SQLite, a dozen tests on Neo4j (needs what test needs, Node 20 and Chromium)
	$(GO) build -o $(MNEME_PROGRAM) .
	cd explorer && npm run e2e
	$(call with-neo4j,eval "$$(scripts/neo4j.sh use)"; cd explorer && E2E_STORE=neo4j npm run e2e:neo4j)

.PHONY: e2e-browser-neo4j
e2e-browser-neo4j: explorer/node_modules ## All tests of the web pages on Neo4j
	$(call with-neo4j,eval "$$(scripts/neo4j.sh use)"; cd explorer && E2E_STORE=neo4j npm run e2e:pages)

.PHONY: screenshots
screenshots: explorer/node_modules ## Make pictures of all pages in bin/screenshots, in both colour schemes and widths (needs Node 20 and Chromium)
	cd explorer && SCREENSHOTS="$(CURDIR)/bin/screenshots" npm run e2e:pages
	@echo "look at each before one is copied to docs/images"

.PHONY: measure-explorer
measure-explorer: explorer/node_modules ## Measure the graph page with 2,000 records and 10,000 links, against its limits (needs Node 20 and Chromium)
	cd explorer && npm run measure

.PHONY: e2e-mcp
e2e-mcp: mcp-client ## Talk to the MCP server with the npm inspector (needs Node 20)
	MNEME_TEST_INSPECTOR_REQUIRED=1 $(GO) test ./internal/cli -run TestInspector -count 1

.PHONY: mcp-client
mcp-client: internal/cli/testdata/inspector/node_modules

# It says that it wants a later Node; the command line runs on 20.
internal/cli/testdata/inspector/node_modules: internal/cli/testdata/inspector/package-lock.json
	cd $(@D) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error && touch node_modules

.PHONY: e2e-live
e2e-live: internal/cli/testdata/subscriber/node_modules ## Subscribe with the npm clients graphql-ws and graphql-sse (needs Node 20)
	MNEME_TEST_SUBSCRIBERS_REQUIRED=1 $(GO) test ./internal/cli -run TestSubscribers -count 1

internal/cli/testdata/subscriber/node_modules: internal/cli/testdata/subscriber/package-lock.json
	cd $(@D) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error && touch node_modules

.PHONY: e2e-audit
e2e-audit: internal/cli/testdata/audit/node_modules ## Audit GraphQL over HTTP with the npm package graphql-http (needs Node 20)
	MNEME_TEST_AUDIT_REQUIRED=1 $(GO) test ./internal/cli -run TestAudit -count 1

internal/cli/testdata/audit/node_modules: internal/cli/testdata/audit/package-lock.json
	cd $(@D) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error && touch node_modules

.PHONY: e2e-persisted
e2e-persisted: internal/cli/testdata/persisted/node_modules ## Name queries by their hash with the npm clients Apollo Client and urql (needs Node 20)
	MNEME_TEST_PERSISTED_REQUIRED=1 $(GO) test ./internal/cli -run TestPersistedQueriesOfClients -count 1

internal/cli/testdata/persisted/node_modules: internal/cli/testdata/persisted/package-lock.json
	cd $(@D) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error && touch node_modules

.PHONY: e2e-others
e2e-others: mcp-client $(patsubst %,internal/cli/testdata/%/node_modules,subscriber audit persisted) bin/otel-python bin/schemathesis ## All of e2e-mcp to e2e-schemathesis, with one build
	$(call with-neo4j,MNEME_TEST_NEO4J_REQUIRED=1 MNEME_TEST_INSPECTOR_REQUIRED=1 MNEME_TEST_SUBSCRIBERS_REQUIRED=1 MNEME_TEST_AUDIT_REQUIRED=1 MNEME_TEST_PERSISTED_REQUIRED=1 \
	  MNEME_TEST_OTEL_PYTHON=$(abspath bin/otel-python/bin/python) MNEME_TEST_SCHEMATHESIS=$(abspath bin/schemathesis/bin/schemathesis) \
	  $(GO) test ./internal/cli -run 'TestInspector|TestSubscribers|TestAudit|TestPersistedQueriesOfClients|TestPythonSends|TestSchemathesis' -count 1 -vet=off -timeout 40m)

.PHONY: e2e-schemathesis
e2e-schemathesis: bin/schemathesis ## Ask for every field with whatever the schema allows, 20 seconds on each store (needs what test needs, and Python 3)
	$(call with-neo4j,MNEME_TEST_NEO4J_REQUIRED=1 MNEME_TEST_SCHEMATHESIS=$(abspath bin/schemathesis/bin/schemathesis) \
	  $(GO) test ./internal/cli -run TestSchemathesis -count 1 -timeout 40m -v)

.PHONY: schemathesis
schemathesis: export MNEME_TEST_SCHEMATHESIS_TIME = 600
schemathesis: e2e-schemathesis ## The same for ten minutes on each store

bin/schemathesis: internal/cli/testdata/schemathesis/requirements.txt | bin/uv
	$(call python-environment)

.PHONY: e2e-otlp
e2e-otlp: bin/otel-python ## Send traces with OpenTelemetry's Python SDK (needs Python 3)
	MNEME_TEST_OTEL_PYTHON=$(abspath bin/otel-python/bin/python) $(GO) test ./internal/cli -run TestPythonSends -count 1

bin/otel-python: internal/cli/testdata/otlp/requirements.txt | bin/uv
	$(call python-environment)

FRAMEWORKS := $(patsubst internal/cli/testdata/frameworks/%.txt,bin/frameworks/%,$(wildcard internal/cli/testdata/frameworks/*.txt))

.PHONY: e2e-frameworks
e2e-frameworks: $(FRAMEWORKS) internal/cli/testdata/frameworks/node_modules ## Send traces with the frameworks that docs/opentelemetry.md names (needs Python 3.11 and npm; installs 3 GB)
	MNEME_TEST_FRAMEWORKS=$(abspath bin/frameworks) $(GO) test ./internal/cli -run TestFrameworks -count 1 -timeout 40m

bin/frameworks/%: internal/cli/testdata/frameworks/%.txt | bin/uv
	$(call python-environment)

# Makes a virtual environment of requirements, in a tenth of pip's time.
define python-environment
	bin/uv/bin/uv venv --quiet --clear --python python3 $@ && bin/uv/bin/uv pip install --quiet --python $@/bin/python $(1) -r $< && touch $@
endef

bin/uv:
	python3 -m venv $@ && $@/bin/pip install --quiet --disable-pip-version-check uv==0.13.9

internal/cli/testdata/frameworks/node_modules: internal/cli/testdata/frameworks/package-lock.json
	cd $(@D) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error && touch node_modules

.PHONY: e2e-clients
e2e-clients: export MNEME_BINARY := $(CURDIR)/mneme
e2e-clients: build ## Check the packages of clients/ with one Python and one adapter, and the programs of examples/ (needs Node 20 and Python 3.10)
	$(MAKE) -j2 e2e-python e2e-typescript e2e-examples

.PHONY: e2e-python e2e-typescript e2e-examples
e2e-python: bin/uv
	clients/python/check.sh short
e2e-typescript:
	clients/typescript/check.sh short
e2e-examples:
	cd examples/go && $(GO) mod tidy -diff && $(GO) vet ./...
	MNEME_TEST_CLIENTS_REQUIRED=1 $(GO) test ./internal/cli -run TestExampleClient -count 1

.PHONY: clients
clients: export MNEME_BINARY := $(CURDIR)/mneme
clients: build bin/uv ## Check the packages of clients/ with each Python from 3.10 on that is here, with Node 20 and 24, and with each adapter
	clients/python/check.sh
	clients/typescript/check.sh

.PHONY: torture
torture: ## Kill servers and Neo4j under load for 40 minutes, and look what is lost (needs what test needs)
	$(GO) run ./internal/crashtest -store sqlite -time 20m -kills 100 $(ARGS)
	$(GO) run ./internal/crashtest -store neo4j -servers 3 -time 20m -kills 100 -neo4j-kills 10 $(ARGS)

.PHONY: torture-short
torture-short: ## The same for a quarter of a minute on each store
	$(GO) run ./internal/crashtest -store sqlite -time 15s -kills 2 $(ARGS)
	$(GO) run ./internal/crashtest -store neo4j -time 15s -kills 2 -neo4j-kills 1 $(ARGS)

.PHONY: bench-scale
bench-scale: ## Measure what grows with the store (STORE=neo4j SIZES=20000,200000); writes bench/SCALE.md
	$(GO) run ./bench scale $(if $(STORE),-store $(STORE)) $(if $(SIZES),-sizes $(SIZES)) $(ARGS)

.PHONY: bench-write
bench-write: ## Measure writes against bare inserts of the same (STORE=sqlite or neo4j); writes bench/WRITES.md
	$(if $(filter neo4j,$(STORE)),$(call with-neo4j,$(GO) run ./bench write -store neo4j $(ARGS)),$(GO) run ./bench write $(ARGS))

.PHONY: bench-attacks
bench-attacks: ## Measure what attacks take of a server, and how long others wait (STORE=neo4j); writes bench/ATTACKS.md
	$(GO) run ./bench attacks $(if $(STORE),-store $(STORE)) $(ARGS)

.PHONY: bench-locomo
bench-locomo: ## Measure what is found of the LoCoMo conversations (DATA=locomo10.json; STORE=neo4j); writes bench/LOCOMO.md
	$(if $(filter neo4j,$(STORE)),$(call with-neo4j,$(GO) run ./bench locomo -store neo4j -data $(DATA) $(ARGS)),$(GO) run ./bench locomo -data $(DATA) $(ARGS))

.PHONY: bench-requests
bench-requests: ## Measure what the heaviest single requests take of a server; writes bench/REQUESTS.md
	$(GO) run ./bench requests $(ARGS)

.PHONY: bench-holding
bench-holding: ## Measure what tenants, connections and subscriptions take while nobody asks (STORE=neo4j); writes bench/HOLDING.md
	$(GO) run ./bench holding $(if $(STORE),-store $(STORE)) $(ARGS)

.PHONY: fuzz
fuzz: ## Fuzz every parser for two seconds (FUZZTIME=1m for longer, FUZZ=Redact for those named so)
	scripts/fuzz.sh

.PHONY: bench-quick
bench-quick: ## Measure against bare drivers and a peer; writes bench/RESULTS.md (also needs Node 20)
	$(call with-neo4j,$(GO) run ./bench quick $(ARGS))

## Change it

.PHONY: generate
generate: ## Write graph/ and schema/schema.graphql from schema/; the compiler names the resolvers that are missing
	$(GO) generate ./schema

.PHONY: generate-check
generate-check: ## Fail where generated code is not what the schema says
	$(call unchanged-by,generate,graph schema)

.PHONY: clients-generate
clients-generate: clients/typescript/node_modules bin/clients/codegen ## Generate the clients of clients/ and examples/ from schema/schema.graphql (needs Node 20 and Python 3.10)
	cd examples/go && $(GO) generate ./...
	cd clients/typescript && npm run generate
	rm -rf clients/python/src/mneme_client/graphql
	cd clients/python && for kind in sync async; do "$(CURDIR)/bin/clients/codegen/bin/ariadne-codegen" --config codegen/$$kind.toml > /dev/null; done

bin/clients/codegen: clients/python/requirements/codegen.txt | bin/uv
	$(call python-environment)

.PHONY: clients-check
clients-check: ## Fail where they are not what the schema and their operations say
	$(call unchanged-by,clients-generate,examples/go/mneme clients/typescript/src clients/python/src/mneme_client/graphql)

# Nothing that it installs needs a script of its own to be run.
clients/typescript/node_modules: clients/typescript/package-lock.json
	cd $(@D) && npm ci --no-audit --no-fund --ignore-scripts --loglevel=error && touch node_modules

.PHONY: schema-check
schema-check: clients/typescript/node_modules ## Fail where the schema breaks clients of the latest release, once there is one
	node scripts/schema-check.mjs

.PHONY: web
web: explorer/node_modules ## Build the explorer into internal/web/dist, and list the documents that it sends (needs Node 20)
	cd explorer && npm run build

.PHONY: web-check
web-check: ## Fail where the embedded build is not what explorer/ builds; check its example queries
	$(call unchanged-by,web,internal/web/dist internal/web/documents.json explorer/src)
	cd explorer && npm test

explorer/node_modules: explorer/package-lock.json
	cd explorer && npm ci --no-audit --no-fund && touch node_modules

.PHONY: meaning
meaning: bin/meaning ## Make the table of meanings of store/meaning anew (scripts/meaning/README.md; needs Python 3.11, wordnet-base)
	bin/meaning/bin/python scripts/meaning/table.py --cache bin/meaning/cache --out store/meaning $(ARGS)

bin/meaning: scripts/meaning/requirements.txt | bin/uv
	$(call python-environment,--no-deps --require-hashes)

.PHONY: mod-check
mod-check: ## Fail where go.mod or go.sum is not what the code needs
	$(GO) mod tidy -diff

.PHONY: fmt
fmt: $(GOLANGCI_LINT) ## Format the Go code
	$(GOLANGCI_LINT) fmt
	cd examples/go && "$(CURDIR)/$(GOLANGCI_LINT)" fmt

.PHONY: lint
lint: $(GOLANGCI_LINT) ## Run the linters of .golangci.yml (builds them once, some minutes)
	$(GOLANGCI_LINT) run ./...
	cd examples/go && "$(CURDIR)/$(GOLANGCI_LINT)" run ./...

$(GOLANGCI_LINT):
	@echo "building golangci-lint $(GOLANGCI)"
	GOBIN="$(CURDIR)/bin" $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI)
	mv bin/golangci-lint $@

## Release it

.PHONY: release
release: ## Make what a release publishes in dist/, for all platforms (needs Node 20 and Python 3.11)
	packaging/release.sh

.PHONY: release-check
release-check: ## Install each package of dist/ for this platform into a clean root, serve, ask and upgrade (as root; needs what test needs, Python 3.11 and Node 20)
	$(call with-neo4j,eval "$$(scripts/neo4j.sh use)"; packaging/check.sh)

.PHONY: release-short
release-short: ## Both for this platform, without what needs a registry
	packaging/release.sh "$$($(GO) env GOOS)/$$($(GO) env GOARCH)"
	packaging/check.sh short

.PHONY: module-path
module-path: ## Give the module the path that follows: make module-path HOST/OWNER/mneme
	scripts/module-path.sh $(filter-out $@,$(MAKECMDGOALS))
ifeq (module-path,$(firstword $(MAKECMDGOALS)))
$(filter-out module-path,$(MAKECMDGOALS)): ; @:
endif

.PHONY: clean
clean: ## Remove what was built (not data, not .env)
	rm -rf bin mneme dist explorer/node_modules internal/cli/testdata/inspector/node_modules internal/cli/testdata/frameworks/node_modules clients/typescript/node_modules clients/typescript/dist clients/typescript/build
