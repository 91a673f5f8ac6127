#!/usr/bin/env bash
# Fuzzes every FuzzXxx of the module for FUZZTIME (2s), one on each processor at a time, and fails where
# one does; what it failed on is then in the package's testdata/fuzz, and a test from there on.
# `make fuzz` calls it. FUZZ=Name takes only targets whose name has that in it.
#
# `go test -fuzz` would build all dependencies again to watch their branches, SQLite's million lines too.
# Here the module's own code is watched, as the compiler does it for `go test -fuzz`. GUIDED=no leaves that out, and so
# compiles nothing anew: for a second each it finds no more.
set -euo pipefail
cd "$(dirname "$0")/.."

export FUZZTIME=${FUZZTIME:-2s}
only=${FUZZ:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
watched=("-gcflags=$(go list -m)/...=-d=libfuzzer")
[[ ${GUIDED:-} != no ]] || watched=()
corpus=$(go env GOCACHE)/fuzz/$(go list -m)

targets() { # DIRECTORY, PROGRAM and NAME of each; all programs are built at once on the way
  local directories directory program name
  mapfile -t directories < <(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n 1 dirname | sort -u)
  go test -c -vet=off "${watched[@]}" -o "$work/" "${directories[@]}"
  for directory in "${directories[@]}"; do
    program=$work/${directory##*/}.test
    (cd "$directory" && "$program" -test.list '^Fuzz') | grep "^Fuzz" | grep -e "$only" | while read -r name; do
      echo "${directory#./} $program $name"
    done || true # none has that name
  done
}

fuzz() { # fuzz DIRECTORY PROGRAM NAME
  local said status=0
  said=$(cd "$1" && "$2" -test.run '^$' -test.fuzz "^$3\$" -test.fuzztime "$FUZZTIME" -test.fuzzminimizetime 1s -test.parallel 1 -test.fuzzcachedir "$corpus/$1" 2>&1) || status=$?
  # Go also fails a target that it was still calling when the time was up (golang.org/issue/75804); what fails on an
  # input, crashes or hangs says more than that.
  if [[ $status != 0 && $(grep -A1 '^--- FAIL' <<<"$said") == "--- FAIL: $3 ("*$'\n    context deadline exceeded' ]] &&
    ! grep -q 'Failing input\|panic\|fatal error\|exit status [^1]\|hung or terminated' <<<"$said"; then
    status=0
  fi
  [[ $status == 0 ]] || { printf 'FAIL  %s %s\n%s\n' "$1" "$3" "$said"; return 1; }
  printf 'ok    %s %s: %s\n' "$1" "$3" "$(grep -o 'execs: [0-9]*' <<<"$said" | tail -1)"
}
export -f fuzz
export corpus

targets >"$work/targets"
count=$(wc -l <"$work/targets")
[[ $count -gt 0 ]] || { echo "no target ${only:+has $only in its name}"; exit 1; }
echo "$count targets, $FUZZTIME each"
xargs -a "$work/targets" -L 1 -P "$(nproc)" bash -c 'fuzz "$@"' fuzz
