# Two commands matter: `make demo` runs the main job, `make test` passes the tests.
# Everything else is listed by `make help`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

BANDOLIER := .build/release/bandolier
# Without lines of the source in the binary the compiler has a quarter less to do; names of functions stay.
LEAN := -debug-info-format none
DEMO := notebooks-out/demo

.PHONY: help demo test test-long report-tools browser-tools test-browser python test-python spark spark-tools \
  test-spark test-serve test-tsan test-asan test-fma fuzz lint format build serve serve-tested static serve-static \
  install uninstall notices wheel test-wheel tar docs bench peers datasets clean dependencies

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

dependencies: # the headers of zlib, SQLite and libyaml, from the system's packages
	@if ! printf '#include <zlib.h>\n#include <sqlite3.h>\n#include <yaml.h>\n' | $${CC:-clang} -E - >/dev/null 2>&1; then \
	  if command -v apt-get >/dev/null && { [ "$$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then \
	    run=$$([ "$$(id -u)" = 0 ] || echo sudo); \
	    $$run apt-get update -qq && $$run apt-get install -y -qq zlib1g-dev libsqlite3-dev libyaml-dev; \
	  else \
	    echo "headers are missing: install the packages zlib1g-dev, libsqlite3-dev and libyaml-dev (zlib-devel, sqlite-devel and libyaml-devel), then run make again" >&2; \
	    exit 1; \
	  fi; \
	fi

build static: export BANDOLIER_COMMIT := $(shell git describe --always --abbrev=40 --dirty --exclude='*' 2>/dev/null)
build: dependencies ## build the command in release mode
	@swift build -c release $(LEAN) --product bandolier

# The service is a command of its own: it needs Hummingbird and SwiftNIO, which take minutes to compile.
SERVE := .build/release/bandolier-serve
serve: export BANDOLIER_SERVE := 1
serve: dependencies ## build bandolier-serve, which bandolier serve and bandolier keys run, in release mode
	@swift build -c release $(LEAN) --product bandolier-serve

STATIC := --scratch-path .build/static -Xswiftc -static-executable -Xswiftc -use-ld=lld
static: dependencies ## build the command as one file that runs without Swift and without any library
	@swift build -c release $(LEAN) $(STATIC) --product bandolier

serve-static: export BANDOLIER_SERVE := 1
serve-static: dependencies ## build bandolier-serve as one file in the same way
	@swift build -c release $(LEAN) $(STATIC) --product bandolier-serve

STATIC_COMMANDS := $(addprefix .build/static/release/,bandolier bandolier-serve)

# What is installed: LINK=static, 39 MB, or LINK=dynamic, 25 MB, which needs the libraries of the toolchain that built it.
# With BUILD= the command is installed as it was built before: `make static && sudo make install BUILD=`.
PREFIX ?= /usr/local
LINK ?= static
BUILD := $(if $(filter dynamic,$(LINK)),build,static)
INSTALLED := $(if $(filter dynamic,$(LINK)),$(BANDOLIER),$(firstword $(STATIC_COMMANDS)))
# bandolier-serve is installed if it was built, and as one file if it was built so.
INSTALLED_SERVE = $(firstword $(wildcard $(if $(filter dynamic,$(LINK)),,$(lastword $(STATIC_COMMANDS))) $(SERVE)))
BIN := $(DESTDIR)$(PREFIX)/bin
SHARE := $(DESTDIR)$(PREFIX)/share
PAGES := .build/manual

install: ## install the command, its manual pages and completions under PREFIX=/usr/local (also DESTDIR, LINK=dynamic)
	@$(if $(BUILD),$(MAKE) --no-print-directory $(BUILD))
	@install -D -s -m 755 $(INSTALLED) "$(BIN)/bandolier"
	@$(if $(INSTALLED_SERVE),install -D -s -m 755 $(INSTALLED_SERVE) "$(BIN)/bandolier-serve")
	@rm -rf $(PAGES) && mkdir -p $(PAGES)
	@$(INSTALLED) manual -o $(PAGES)
	@install -d "$(SHARE)/man/man1" && install -m 644 $(PAGES)/*.1 "$(SHARE)/man/man1"
	@for command in $(INSTALLED) $(INSTALLED_SERVE); do \
	  name=$$(basename $$command); \
	  for shell in bash zsh fish; do $$command --generate-completion-script $$shell > $(PAGES)/$$name.$$shell; done; \
	  install -D -m 644 $(PAGES)/$$name.bash "$(SHARE)/bash-completion/completions/$$name"; \
	  install -D -m 644 $(PAGES)/$$name.zsh "$(SHARE)/zsh/site-functions/_$$name"; \
	  install -D -m 644 $(PAGES)/$$name.fish "$(SHARE)/fish/vendor_completions.d/$$name.fish"; \
	done
	@echo "installed $(BIN)/bandolier, its manual pages in $(SHARE)/man, and completions for bash, zsh and fish"

uninstall: ## remove what make install installed, with the same PREFIX and DESTDIR
	@rm -f "$(SHARE)"/man/man1/bandolier.1 "$(SHARE)"/man/man1/bandolier-*.1
	@for name in bandolier bandolier-serve; do \
	  rm -f "$(BIN)/$$name" "$(SHARE)/bash-completion/completions/$$name" "$(SHARE)/zsh/site-functions/_$$name" \
	    "$(SHARE)/fish/vendor_completions.d/$$name.fish"; \
	done

# What others need to run Bandolier: neither file wants Swift, a compiler or a library.
VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Sources/Python/pyproject.toml)
PACKED := bandolier-$(VERSION)-linux-$(shell uname -m)
STAMP = $(shell git log -1 --format=%ct 2>/dev/null || date +%s)

NOTICES := .build/static/NOTICES.txt
notices: static serve-static # the licences of what the static commands have inside
	@python3 Sources/Python/notices.py .build/static/checkouts > $(NOTICES)

WHEEL_PYTHON := .build/wheel-venv/bin/python
wheel: notices ## make dist/bandolier-*.whl, the Python package with both commands inside, for pip install
	$(call venv,wheel,flit_core wheel auditwheel)
	@[ -x $(WHEEL_PYTHON) ]
	@SOURCE_DATE_EPOCH=$(STAMP) Sources/Python/wheel.sh $(WHEEL_PYTHON) dist $(NOTICES) $(STATIC_COMMANDS)

tar: notices ## make dist/bandolier-*.tar.gz of both commands, their manual pages and completions
	@rm -rf .build/tar
	@$(MAKE) --no-print-directory install BUILD= LINK=static PREFIX=/$(PACKED) DESTDIR="$(CURDIR)/.build/tar" >/dev/null
	@install -m 644 LICENSE $(NOTICES) .build/tar/$(PACKED) && mkdir -p dist && rm -f dist/bandolier-*.tar.gz
	@tar -C .build/tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$(STAMP) -c $(PACKED) \
	  | gzip -9n > dist/$(PACKED).tar.gz
	@echo "made dist/$(PACKED).tar.gz"

# The published logs of the Open Bandit Dataset, if they are there.
OPEN_BANDIT ?= ../shared/datasets/obd

demo: build ## import an exported log, check it, print what to do with each variant, and write every report of it
	@rm -rf $(DEMO) && mkdir -p $(DEMO)
	$(BANDOLIER) import datasets/storefront.jsonl.gz --log $(DEMO)/storefront.log
	$(BANDOLIER) log verify $(DEMO)/storefront.log
	$(BANDOLIER) report decisions $(DEMO)/storefront.log --analysis datasets/analysis.yaml --format table
	$(BANDOLIER) report all $(DEMO)/storefront.log --analysis datasets/analysis.yaml -o $(DEMO)/storefront
	@for campaign in $(OPEN_BANDIT)/*/men.csv.gz; do \
	  [ -e "$$campaign" ] || continue; \
	  policy=$$(basename "$$(dirname "$$campaign")"); \
	  $(BANDOLIER) import "$$campaign" --log $(DEMO)/open-bandit.log --experiment "men-$$policy"; \
	done
	@[ ! -e $(DEMO)/open-bandit.log ] || $(BANDOLIER) report all $(DEMO)/open-bandit.log -o $(DEMO)/open-bandit
	@for page in $(DEMO)/*/report.html; do echo "open $$page"; done

# What failed, or where it crashed, is printed once more at the end, where a long output is cut last.
LISTED = 2>&1 | tee .build/$@.log \
  || { printf '\nfailed, of the output in .build/$@.log:\n'; grep -a '✘.* recorded an issue' .build/$@.log; \
    grep -aE 'Fatal error|^Crash|Program crashed' .build/$@.log; \
    grep -aE -A 12 '^Thread [0-9]+ .*crashed' .build/$@.log | cut -c 1-160; exit 1; }

# A build of whole modules without the assertions of ArgumentParser, which take a second for each command in a debug
# build; see the end of Package.swift for the modules that are optimized.
TESTED := -c release -Xswiftc -Onone -Xswiftc -enable-testing --scratch-path .build/test
test: export BANDOLIER_TESTED := 1
test: export BANDOLIER_SLOW_TESTS := $(SLOW)
test: dependencies ## build and run the tests; with SLOW=1 also those that start many processes, and more seeds
	@swift build $(TESTED) $(LEAN) --build-tests
	@swift test $(TESTED) $(LEAN) --skip-build --disable-xctest $(LISTED)

serve-tested: export BANDOLIER_SERVE := 1
serve-tested: export BANDOLIER_TESTED := 1
serve-tested: dependencies ## build bandolier-serve beside the tests, as they are compiled
	@swift build $(TESTED) $(LEAN) --product bandolier-serve

SLOW ?=

LONG := -c release -Xswiftc -enable-testing --scratch-path .build/long
test-long: dependencies report-tools ## the tests that take minutes: thousands of logs, millions of events, bounds on memory
	@swift build $(LONG) $(LEAN) --build-tests
	@BANDOLIER_LONG_TESTS=1 swift test $(LONG) --skip-build --disable-xctest $(LISTED)
	@BANDOLIER_LONG_TESTS=1 $(MAKE) --no-print-directory test-python COMMAND=.build/long/release/bandolier

# $(call venv,NAME,PACKAGES): .build/NAME-venv, a Python with all of the packages. What is there is not installed again;
# if one cannot be had, there is no such folder, and what needs it is skipped.
PIP := -m pip --disable-pip-version-check
define venv
	@[ -x .build/$(1)-venv/bin/python ] || python3 -m venv .build/$(1)-venv \
	  || { rm -rf .build/$(1)-venv; echo "python3 -m venv does not work; install python3-venv" >&2; }
	@[ ! -x .build/$(1)-venv/bin/python ] || .build/$(1)-venv/bin/python $(PIP) install -q $(2) \
	  || { rm -rf .build/$(1)-venv; echo "PyPI is out of reach, so what needs .build/$(1)-venv is skipped" >&2; }
endef

# $(call extras,NAME,PACKAGES,OPTIONS): each of some packages in .build/NAME-venv, which goes without those that are not
# to be had. One that is there stays as it is, whatever another wants.
define extras
	@python=.build/$(1)-venv/bin/python; [ ! -x $$python ] || for package in $(2); do \
	  $$python $(PIP) -q show $${package%%=*} 2>/dev/null \
	    || $$python $(PIP) install -q $(3) $$package \
	    || echo "$$package cannot be installed from PyPI, so what needs it is skipped" >&2; \
	done
endef

# What others read the folders of `report all` and Arrow streams with. Without it, the tests that need it are skipped.
report-tools: browser-tools # a Python with pandas, DuckDB, Polars, pyarrow, and what runs notebooks
	$(call venv,report,pandas duckdb matplotlib nbformat nbclient ipykernel polars pyarrow)

# Chromium from the system's packages and what drives it. Without them, the tests that open pages are skipped.
browser-tools:
	$(call venv,report,pip)
	$(call extras,report,axe-playwright-python)
	@if ! command -v chromium chromium-browser google-chrome >/dev/null; then \
	  run=$$([ "$$(id -u)" = 0 ] || echo "sudo -n"); \
	  { command -v apt-get >/dev/null && $$run apt-get update -qq \
	    && $$run env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; } \
	    || echo "the tests that open pages in a browser are skipped without the package chromium" >&2; \
	fi

test-browser: export BANDOLIER_TESTED := 1
test-browser: browser-tools ## open pages in headless Chromium, with the tests that make test has built
	@BANDOLIER_BROWSER_TESTS=1 swift test $(TESTED) $(LEAN) --skip-build --disable-xctest --filter BookPageBrowserTests \
	  $(LISTED)

# A Python with the package, and with what its tests need.
PYTHON := .build/python-venv/bin/python
python: ## make .build/python-venv, a Python with the package bandolier, pandas, Polars and what runs notebooks
	$(call venv,python,pyarrow pandas polars duckdb pytest mypy flit_core matplotlib nbformat nbclient ipykernel)
	@[ ! -x $(PYTHON) ] || $(PYTHON) $(PIP) install -q --no-deps --no-index --no-build-isolation ./Sources/Python

test-wheel: wheel python ## install the wheel into a new Python, and test that it needs nothing else
	@[ ! -x $(PYTHON) ] || PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m pytest -q -p no:cacheprovider Tests/Python/test_wheel.py

# The command that is tested; with COMMAND= one that was built before, from the top of the repository.
COMMAND ?=
test-python: python ## test the Python package with the command; skipped where Python or PyPI is missing
	@[ -n "$(COMMAND)" ] || $(MAKE) --no-print-directory build
	@[ -x $(PYTHON) ] || echo "there is no Python with pyarrow, so the tests of the Python package are skipped" >&2
	@[ ! -x $(PYTHON) ] || BANDOLIER="$(CURDIR)/$(or $(COMMAND),$(BANDOLIER))" PYTHONDONTWRITEBYTECODE=1 \
	  $(PYTHON) -m pytest -q -p no:cacheprovider Tests/Python

# A Python with the clients of others. With SERVE_TESTS='-m long' the tests that take minutes run, and with
# SERVE_COMMAND= and COMMAND= commands that were built before are tested.
SERVE_PYTHON := .build/serve-venv/bin/python
SERVE_TESTS ?= -m 'not long'
SERVE_COMMAND ?=
SERVE_CLIENTS := pytest requests httpx schemathesis openfeature-provider-ofrep gofeatureflag-python-provider \
  azure-cognitiveservices-personalizer
test-serve: ## test the service over HTTP with the clients of others; skipped where Python or PyPI is missing
	$(call venv,serve,$(SERVE_CLIENTS))
	@[ -x $(SERVE_PYTHON) ] || echo "there is no Python with clients, so the tests of the service are skipped" >&2
	@[ -n "$(SERVE_COMMAND)" ] || $(MAKE) --no-print-directory serve
	@[ -n "$(COMMAND)" ] || $(MAKE) --no-print-directory build
	@[ ! -x $(SERVE_PYTHON) ] || BANDOLIER="$(CURDIR)/$(or $(COMMAND),$(BANDOLIER))" \
	  BANDOLIER_SERVE="$(CURDIR)/$(or $(SERVE_COMMAND),$(SERVE))" PYTHONDONTWRITEBYTECODE=1 \
	  $(SERVE_PYTHON) -m pytest -q -p no:cacheprovider $(SERVE_TESTS) Tests/Serve

spark: static ## build the command for executors of Spark, .build/spark/bandolier: one file that needs no library of Swift
	@install -D -s -m 755 .build/static/release/bandolier .build/spark/bandolier
	@echo "built .build/spark/bandolier; run with BANDOLIER=$(CURDIR)/.build/spark/bandolier"

SPARK_PYTHON := .build/spark-venv/bin/python
spark-tools: ## make .build/spark-venv, a Python with PySpark, 850 MB, and what the tests on a cluster need
	$(call venv,spark,pyspark pyarrow 'pandas<3' pytest)

# With COMMAND= a command that was built before is tested, and with SPARK_TESTS='-m short' one report and one failure.
SPARK_TESTS ?=
test-spark: ## test reports and simulations on a cluster of three processes; skipped where Java or PySpark is missing
	@if ! command -v java >/dev/null; then \
	  echo "there is no java, so the tests on a cluster of Spark are skipped; install openjdk-17-jre-headless" >&2; \
	else \
	  $(MAKE) --no-print-directory spark-tools; \
	  if [ ! -x $(SPARK_PYTHON) ]; then echo "there is no PySpark, so the tests on a cluster are skipped" >&2; else \
	    [ -n "$(COMMAND)" ] || $(MAKE) --no-print-directory spark; \
	    BANDOLIER="$(CURDIR)/$(or $(COMMAND),.build/spark/bandolier)" PYTHONPATH="$(CURDIR)/Sources/Python" \
	      PYTHONDONTWRITEBYTECODE=1 $(SPARK_PYTHON) -m pytest -q -p no:cacheprovider $(SPARK_TESTS) Tests/Spark; \
	  fi; \
	fi

# Only the test targets that are named, and of these the suites.
CONCURRENT := GroupCommitTests|MonitorTests|LogWriterFailureTests|LogDurabilityTests|FrameAheadTests|ConcurrencyTests|RecorderTests|ReadinessTests|PieceReadingTests/(decisionService|rows|broken|cancelled)|ReadAheadTests
READING := BitPackingTests|Column|Corruption|FrameReading|Hostile|Zlib|JSONLines|JSONScanner|JSONString|CSVReader|LineReader|OpenBandit

test-tsan: export BANDOLIER_TESTS := ThreadsTests,EventLogTests,InterchangeTests,DecidingTests
test-tsan: dependencies ## the tests of threads and tasks, under the thread sanitizer
	@swift build --scratch-path .build/tsan $(LEAN) --product bandolierPackageTests --sanitize=thread
	@swift test --scratch-path .build/tsan --skip-build --disable-xctest --sanitize=thread --filter '$(CONCURRENT)' $(LISTED)

test-asan: export BANDOLIER_TESTS := EventsTests,EventLogTests,InterchangeTests
test-asan: dependencies ## the tests of codecs and readers, under the address sanitizer
	@swift build --scratch-path .build/asan $(LEAN) --product bandolierPackageTests --sanitize=address
	@swift test --scratch-path .build/asan --skip-build --disable-xctest --sanitize=address --filter '$(READING)' $(LISTED)

test-fma: ## compare the bits of elementary functions compiled with and without fused multiply-add
	@Tests/StatisticsTests/Elementary/References/fused.sh

SECONDS ?= 60
SANITIZE ?= fuzzer
fuzz: dependencies ## feed arbitrary bytes to the log, the parsers and the importers, SECONDS=60 for each target
	@BANDOLIER_FUZZ=1 swift build -c release --build-path .build/fuzz --product bandolier-fuzz \
	  -Xswiftc -enable-testing -Xswiftc -sanitize=$(SANITIZE) -Xswiftc -use-ld=lld \
	  -Xlinker --allow-multiple-definition
	@Tests/Fuzz/fuzz.sh .build/fuzz/release/bandolier-fuzz $(SECONDS)

lint: ## check the format of every source
	@swift format lint --strict --recursive Sources Tests Package.swift

format: ## format every source
	@swift format --in-place --recursive Sources Tests Package.swift

DOCS := .build/docs
LIBRARIES := Events EventLog Specifications Statistics Bandits Prediction DecidingCore DecidingAgents DecidingConfig \
  DecidingExperiments DecidingRollouts DecidingStudies Deciding DecidingOverHTTP Replay OffPolicy Interchange \
  Arrow Plots Tables Reports Projections Simulations Service

docs: dependencies ## build the documentation of the libraries as web pages; a warning is an error
	@mkdir -p $(DOCS); rm -f $(DOCS)/Package.resolved; [ ! -e Package.resolved ] || cp Package.resolved $(DOCS)
	@trap 'rm -f Package.resolved; [ ! -e $(DOCS)/Package.resolved ] || cp $(DOCS)/Package.resolved .' EXIT; \
	BANDOLIER_DOCS=1 BANDOLIER_TESTS=none swift package --scratch-path $(DOCS) \
	  --allow-writing-to-directory $(DOCS)/pages generate-documentation \
	  $(addprefix --target ,$(LIBRARIES)) --enable-experimental-combined-documentation \
	  --warnings-as-errors --output-path $(DOCS)/pages
	@echo "wrote $(DOCS)/pages; show it with: python3 -m http.server --directory $(DOCS)/pages"

bench: dependencies ## measure the main job, scans, checks, appending, replay, evaluations and simulations; writes notebooks-out/bench.csv
	@swift build -c release $(LEAN) --product bandolier
	@swift build -c release $(LEAN) --product bandolier-bench
	@.build/release/bandolier-bench $(BENCH)

PEERS_PYTHON := .build/peers-venv/bin/python
PEERS_EVENTS ?= 10000000
PEERS_SIZE_EVENTS ?= 1000000

peers: dependencies ## compare with DuckDB, Polars, ClickHouse, Parquet, bandit and off-policy libraries, and Spark; writes notebooks-out/peers*.csv
	@swift build -c release $(LEAN) --product bandolier
	@swift build -c release $(LEAN) --product bandolier-bench
	$(call venv,peers,pip)
	$(call extras,peers,numpy pyarrow duckdb polars chdb numba mabwiser river vowpalwabbit pyspark)
	$(call extras,peers,SMPyBandits,--no-deps)
	$(call extras,peers,scipy pandas scikit-learn vw-estimators)
	$(call extras,peers,obp==0.5.5,--no-deps --ignore-requires-python)
	@PYTHONDONTWRITEBYTECODE=1 $(PEERS_PYTHON) Sources/Benchmarks/peers/peers.py --events $(PEERS_EVENTS) \
	  --size-events $(PEERS_SIZE_EVENTS) $(PEERS)

datasets: build ## make the logs in datasets/ again, byte for byte
	@datasets/make.sh $(BANDOLIER)

clean: ## remove what was built and written
	rm -rf .build dist $(DEMO)
