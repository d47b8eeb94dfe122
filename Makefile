# Needs the Swift toolchain. Each target first installs what else is missing: Debian packages, and
# Python packages into .venv.
#
#   make run [ARGS="..."]   the main job: runs the suite (`shadowbox run ARGS`), and without ARGS writes a
#                           page of it, and sweeps and tunes the punch detector on the synthetic traces;
#                           ARGS=--full prints all tables
#   make build              the program alone, optimised: .build/release/shadowbox; the compiler's
#                           output goes to out/build.log
#   make test [ARGS="..."]  the tests; ARGS go to Tests/run_tests, e.g. ARGS="--filter WallTests"
#   make test-long [ARGS="..."]  the tests with their full counts, and those that build packages
#   make soak [ARGS="..."]  feeds damaged files to every reader, and answers of a hostile server to the
#                           HTTP client, a minute each; e.g. ARGS="--bytes 100000000",
#                           ARGS="--seconds 3600", ARGS="--reader http --files 100000",
#                           ARGS="--reader csv --seed 7 --only 12"; without ARGS also soak-commands
#   make soak-commands [ARGS="..."]  runs every command with too little of the machine, with signals and
#                           with extreme values: 1,000, 1,000 and 5,000 cases; and 1,000 in a folder of
#                           hostile files (strace), 100 packed bombs and 50 times slow clients of --serve
#   make soak-apps [SOAK_RUNS=20000]  plays each app on so many random bad networks: nothing may break
#   make lint               layout of the sources, state of the tree
#   make bench              speed of the detectors, compared with C loops and the machine's memory;
#                           lateness of the player, compared with a C++ and an asyncio player
#   make bench-formats [ARGS="--large"]  speed of conversions, compared with gpxpy, pandas and h5py;
#                           with --large also 1 GB each, and the memory used
#   make bench-sweep [ARGS="--loops 1000"]  all thresholds in one pass, compared with plain passes and
#                           with a loop over NumPy and mir_eval
#   make growth [ARGS="..."]  how time and memory of each command grow with what it reads, up to 100
#                           times the usual: a quarter of an hour; ARGS="--largest 10": two minutes
#   make counts             instructions and allocations of the hot paths, compared with counts.json
#   make counts-of-recordings RECORDINGS=folder   readings of each recording, compared with the
#                           counts of pandas, gpxpy, fitdecode and pynmea2, and the findings of validate,
#                           compared with known faults of the recordings
#   make tune-recordings RECORDINGS=folder [ARGS="..."]  tunes the punch detector on recordings of real
#                           people, from their files to a parameter file; ARGS go to `tune`
#   make accuracy [RECORDINGS=folder]   what each preset of the detectors of punches, check-ins and tracks
#                           finds and misses, by set and activity: on the traces of this project, or on
#                           recordings of real people
#   make notebooks [ARGS="..."]  runs the code of the notebooks, without jupyter, on short traces;
#                           ARGS="--pictures docs/images" draws the pictures of docs/notebooks.md on the
#                           traces of `make run`; with the name of a notebook only that one
#   make install [PREFIX=/usr/local] [DESTDIR=]  the program that `make build` built, its man pages and
#                           its completions for bash, zsh and fish
#   make docs               the reference of the Swift products, as a web site: out/docs
#   make wasm               builds the module with which a report runs detectors, and compares it with
#                           the one that is committed; ARGS=--update commits to the new one
#   make page               bundles the script of a report's page, checks and tests it, and compares it
#                           with the one that is committed; ARGS=--update commits to the new one
#   make browser            opens pages of runs in Chromium and compares them with the program
#   make certificate        runs the detectors natively, as WebAssembly and on an emulated ARM: the
#                           detections must be the same to the bit
#   make traces             makes all of traces/ again (see traces/SOURCES.md)
#   make clean              removes what the other targets made
#   make help               prints this

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := build

SHADOWBOX := .build/release/shadowbox
PYTHON := .venv/bin/python
REQUIREMENTS := Tests/Python/requirements.txt
# Of the twelve simulated people. The tuning has 10 Sobol points of a parameter, each over all thresholds.
SWEEP := $(addprefix traces/synthetic/,punch-*.h5 walking-*.h5 running-*.h5 handling-*.h5 \
    clapping-*.h5 stairs-*.h5 exercise-*.h5) \
  --detector punch --gravity-filter lowpass
TUNE := $(SWEEP) --group subject --max-false-alarms 60 \
  --search refractory=0.32s..0.8s --trials 10 \
  -o out/punch.json --picture out/tune.png --force

.PHONY: help run build program ready test test-long soak soak-commands soak-apps growth coverage lint bench bench-formats bench-sweep counts \
  counts-of-recordings tune-recordings accuracy traces clean install docs notebooks wasm wasm-tools page browser certificate \
  debian libraries gpsbabel netcdf strace valgrind strip python cc cxx

# The comment at the head of this file.
help:
	@sed -n '/^#/!q; s/^# \{0,1\}//p' $(firstword $(MAKEFILE_LIST))

# With ARGS only the suite is run; without them the punch detector is swept, for the notebooks, and tuned.
run: ready
	@$(SHADOWBOX) run $(or $(ARGS),--report out/report.html)
	$(if $(strip $(ARGS)),,@$(SHADOWBOX) sweep $(SWEEP) -o out/sweep.h5 --quiet >out/sweep.txt)
	$(if $(strip $(ARGS)),,@$(SHADOWBOX) tune $(TUNE))

# One line on stderr: stdout is for the program's output.
build:
	@.ci/quietly building $(MAKE) --no-print-directory program

program: libraries Sources/Page/page_module.c Sources/CPictures/pictures.c
	@swift build -c release --product shadowbox

# The compiler does not notice when a file that #embed reads has changed.
Sources/Page/page_module.c: $(wildcard Sources/Page/page.* Sources/Page/*.sha256)
Sources/CPictures/pictures.c: $(wildcard Sources/CPictures/*.py)
Sources/Page/page_module.c Sources/CPictures/pictures.c:
	@touch $@

# The program and the Python packages, which are installed beside the compiler and leave it the processors.
ready:
	@.ci/quietly building bash -c '$(MAKE) --no-print-directory debian || exit; \
	  nice $(MAKE) --no-print-directory .venv/installed >out/python.log 2>&1 & \
	  $(MAKE) --no-print-directory program; built=$$?; \
	  wait $$! || { cat out/python.log; exit 1; }; exit $$built'

# Builds nothing, so that `sudo make install` leaves no file of root's in .build.
PREFIX ?= /usr/local
share = $(DESTDIR)$(PREFIX)/share
install: python strip
	@[ -x $(SHADOWBOX) ] || { echo "$(SHADOWBOX): not found; run make build first" >&2; exit 1; }
	@install -d $(DESTDIR)$(PREFIX)/bin $(share)/man/man1 $(share)/bash-completion/completions \
	  $(share)/zsh/site-functions $(share)/fish/vendor_completions.d
	@install -s $(SHADOWBOX) $(DESTDIR)$(PREFIX)/bin/shadowbox
	@python3 -B docs/make_man_pages.py $(SHADOWBOX) $(share)/man/man1
	@$(SHADOWBOX) --generate-completion-script bash >$(share)/bash-completion/completions/shadowbox
	@$(SHADOWBOX) --generate-completion-script zsh >$(share)/zsh/site-functions/_shadowbox
	@$(SHADOWBOX) --generate-completion-script fish >$(share)/fish/vendor_completions.d/shadowbox.fish

# A folder of its own: symbol graphs are built with other flags. The landing page of each product is in
# its .docc folder.
docs: libraries python
	@rm -rf out/docs && mkdir -p out
	@targets=$$(swift package dump-package | python3 -B docs/public_targets.py) && \
	  SHADOWBOX_DOCS=1 swift package --scratch-path .build/docs \
	  --allow-writing-to-directory out/docs generate-documentation \
	  $$(printf -- '--target %s ' $$targets) --enable-experimental-combined-documentation \
	  --transform-for-static-hosting --output-path out/docs >out/docs.log 2>&1 \
	  || { cat out/docs.log >&2; exit 1; }
	@[ -e out/docs/index.html ] || { cat out/docs.log >&2; exit 1; }
	@echo "documentation in out/docs"
	@echo "read it: python3 -m http.server --directory out/docs, then http://localhost:8000/documentation"

notebooks: ready
	@SHADOWBOX_EXECUTABLE="$(CURDIR)/$(SHADOWBOX)" $(PYTHON) -B Tests/Python/check_notebooks.py $(ARGS)

wasm-tools:
	@[ -e /usr/lib/wasm32-wasi/libc.a ] && [ -e /usr/lib/llvm-14/lib/clang/14.0.6/lib/wasi/libclang_rt.builtins-wasm32.a ] \
	  || .ci/install-packages wasi-libc libclang-rt-14-dev-wasm32

wasm: wasm-tools
	@.ci/quietly "building the module of a report" Sources/WebAssembly/build out/wasm
	@Sources/WebAssembly/committed out/wasm $(ARGS)

# TypeScript only checks types, and without Node the tests of the script do not run.
page:
	@command -v esbuild >/dev/null || .ci/install-packages esbuild
	@Sources/Page/bundle $(ARGS)

browser: ready wasm-tools
	@command -v chromium >/dev/null || .ci/install-packages chromium
	@$(PYTHON) -B Tests/Python/page_in_browser.py $(SHADOWBOX) traces/synthetic/punch-*.h5
	@$(PYTHON) -B Tests/Python/page_in_browser.py $(SHADOWBOX)
	@$(PYTHON) -B Tests/Python/page_by_hand.py $(SHADOWBOX)
	@.ci/quietly "building the detector of the examples" swift build -c release --product SwingExample
	@.ci/quietly "building a module with a detector of the examples" Sources/WebAssembly/build \
	  --detector SwingDetector Tests/Examples/SwingDetector/Swing.swift out/wasm/swing.wasm.gz
	@$(PYTHON) -B Tests/Python/page_in_browser.py .build/release/SwingExample --own out/wasm/swing.wasm.gz \
	  traces/synthetic/punch-s0*.h5
	@[ ! -e out/wasm/input ] || $(PYTHON) -B Tests/Python/page_in_browser.py --certificate out/wasm

certificate: libraries wasm
	@command -v arm-none-eabi-gcc >/dev/null && command -v qemu-arm >/dev/null \
	  || .ci/install-packages gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-user
	@.ci/quietly "building the program for ARM" Sources/WebAssembly/build --arm out/wasm/arm
	@cp out/wasm/arm/certificate.arm out/wasm/
	@Sources/WebAssembly/certify out/wasm

# Tests that run the program run the optimised one, which is much faster than one built for tests.
test test-long: ready gpsbabel netcdf cc strace
	@SHADOWBOX_PYTHON="$(CURDIR)/$(PYTHON)" SHADOWBOX_REQUIRE_PYTHON=1 \
	  SHADOWBOX_CHECKED_PROGRAM="$${SHADOWBOX_CHECKED_PROGRAM:-$(CURDIR)/$(SHADOWBOX)}" \
	  Tests/run_tests $(if $(filter test-long,$@),--long) $(ARGS)

soak: libraries
	@swift build -c release --product soak >&2
	@.build/release/soak --corpus Tests/Fixtures $(ARGS)
	$(if $(strip $(ARGS)),,@$(MAKE) --no-print-directory soak-commands soak-apps)

SOAK_COMMANDS := $(if $(strip $(ARGS)),"",\
  "limits --cases 1000" "signals --cases 1000" "options --cases 5000" \
  "hostile --cases 1000" "bombs --cases 100" "serve --cases 50")
soak-commands: ready strace
	@for mode in $(SOAK_COMMANDS); do SHADOWBOX_EXECUTABLE="$(CURDIR)/$(SHADOWBOX)" \
	  $(PYTHON) -B Tests/Python/check_soak_commands.py $$mode $(ARGS); done

# 100,000 random runs, as many with random decisions, then fewer of each preset beside the defaults, where something is to break.
SOAK_RUNS ?= 20000
SOAK_TRACES := traces/synthetic
SOAK_fight := $(SOAK_TRACES)/fight-s01.h5 $(SOAK_TRACES)/fight-s02.h5
SOAK_hike := $(SOAK_TRACES)/route-s01.h5 $(SOAK_TRACES)/route-s02-forest.h5 --policy --together
SOAK_workout := $(SOAK_TRACES)/track-run-s01.h5 $(SOAK_TRACES)/road-run-s01.h5 \
  $(SOAK_TRACES)/route-s01.h5 --together --policy
SOAK_tictactoe := $(SOAK_TRACES)/presence-s01.h5
SOAK_pictureguess := $(SOAK_TRACES)/drags-s01.h5 $(SOAK_TRACES)/drags-s02.h5 --together
SOAK_APPS := fight hike workout tictactoe pictureguess
SOAK_PRESETS := fight/hitThat fight/hitThat-auto hike/freeOrder hike/chosenNext hike/goHike \
  hike/goHike2013-09 workout/tri tictactoe/ticChatToe pictureguess/iPict
soak-apps: build
	@status=0; \
	$(foreach app,$(SOAK_APPS),for decisions in "" "--decisions random"; do \
	  $(SHADOWBOX) shrink --search $(SOAK_RUNS) --count --app $(app) $(SOAK_$(app)) $$decisions \
	  || status=$$?; done;) \
	$(foreach app,$(SOAK_PRESETS),$(SHADOWBOX) shrink --search 200 --count --app $(app) \
	  $(SOAK_$(firstword $(subst /, ,$(app)))) || [ $$? = 2 ] || status=$$?;) \
	exit $$status

coverage: libraries
	@swift build -c release --product coverage >&2
	@.build/release/coverage $(ARGS)

growth: ready
	@$(PYTHON) Benchmarks/Growth/growth.py $(ARGS)

lint:
	@swift format lint --strict --recursive Sources Tests $(wildcard Benchmarks) Package.swift
	@Tests/check_tree.sh

traces: ready
	@$(PYTHON) traces/fetch.py
	@rm -f traces/recorded/*.h5 traces/synthetic/*.h5
	@for hike in cerknicko-jezero korita-zbevnica; do \
	  $(SHADOWBOX) convert traces/recorded/$$hike.gpx -o traces/recorded/$$hike.h5 --quiet \
	    --license Apache-2.0 --source "gpxpy 1.6.2, test_files/$$hike.gpx" \
	    --activity walking --device "hand-held GPS receiver" ; done
	@$(SHADOWBOX) convert out/fetched/watch.csv -o traces/recorded --quiet \
	  --map 'time=t,x=ax[g],y=ay[g],z=az[g]' --gravity included --id watch --split-by rec \
	  --columns subject=subject,activity=exercise,handedness=side --without punch \
	  --license BSD-3-Clause --source "seglearn 1.2.5, seglearn/data/watch_dataset.npy" \
	  --device smartwatch --placement wrist
	@$(SHADOWBOX) synth --corpus -o traces/synthetic --quiet

# One folder for both packages: what the program has of them is not built twice.
BENCHMARKS := --package-path Benchmarks --scratch-path .build

# What is compared is measured in the same run: ratios mean something on a busy machine too.
bench: build python cxx bench-formats bench-sweep
	@swift build -c release $(BENCHMARKS) --product ratios >&2
	@.build/release/ratios
	@swift package $(BENCHMARKS) benchmark --target DetectorBenchmarks --no-progress
	@python3 Benchmarks/Players/compare.py

bench-formats: ready
	@swift build -c release $(BENCHMARKS) --product parse >&2
	@$(PYTHON) Benchmarks/Formats/compare.py $(ARGS)

bench-sweep: ready
	@swift build -c release $(BENCHMARKS) --product sweeps >&2
	@$(PYTHON) Benchmarks/Sweep/compare.py $(ARGS)

counts: valgrind python
	@python3 Benchmarks/check_counts

counts-of-recordings: ready gpsbabel
	@SHADOWBOX_EXECUTABLE="$(CURDIR)/$(SHADOWBOX)" \
	  $(PYTHON) Tests/Python/check_recording_counts.py $(if $(RECORDINGS),"$(RECORDINGS)")
	@SHADOWBOX_EXECUTABLE="$(CURDIR)/$(SHADOWBOX)" \
	  $(PYTHON) Tests/Python/check_recording_traps.py $(if $(RECORDINGS),"$(RECORDINGS)")

tune-recordings: ready
	@$(PYTHON) Benchmarks/Recordings/tune.py $(if $(RECORDINGS),"$(RECORDINGS)") $(ARGS)

accuracy: ready
	@$(PYTHON) Benchmarks/Recordings/accuracy.py $(if $(RECORDINGS),"$(RECORDINGS)")

clean:
	rm -rf .build .venv out

# What is missing comes in one call, beside the Swift packages.
have_libraries := pkg-config --exists hdf5 gsl libcrypto libzip zlib libcurl sqlite3 2>/dev/null
have_venv := python3 -c 'import ensurepip, venv' 2>/dev/null
LIBRARIES := libhdf5-dev libgsl-dev libssl-dev libzip-dev zlib1g-dev libcurl4-openssl-dev libsqlite3-dev \
  pkg-config
debian:
	@missing=$$($(have_libraries) || echo $(LIBRARIES); $(have_venv) || echo python3-venv); \
	  [ -z "$$missing" ] || { swift package resolve & .ci/install-packages $$missing; wait; }

libraries:
	@$(have_libraries) || .ci/install-packages $(LIBRARIES)

valgrind: strip
	@command -v valgrind >/dev/null || .ci/install-packages valgrind

strip:
	@command -v strip >/dev/null || .ci/install-packages binutils

python:
	@command -v python3 >/dev/null || .ci/install-packages python3

cc:
	@command -v cc >/dev/null || .ci/install-packages gcc libc6-dev

# CXX may name another compiler.
cxx:
	@[ -n "$${CXX:-}" ] || command -v g++ >/dev/null || .ci/install-packages g++

gpsbabel:
	@command -v gpsbabel >/dev/null || .ci/install-packages gpsbabel

# Follows what the commands start and write in a hostile folder; there is none for macOS.
strace:
	@command -v strace >/dev/null || [ "$$(uname)" != Linux ] || .ci/install-packages strace

netcdf:
	@command -v ncdump >/dev/null || .ci/install-packages netcdf-bin

# Installed again when the list of packages changes.
.venv/installed: $(REQUIREMENTS)
	@$(have_venv) || .ci/install-packages python3-venv
	@python3 -m venv --clear .venv
	@$(PYTHON) -m pip install --disable-pip-version-check -r $(REQUIREMENTS)
	@touch $@
