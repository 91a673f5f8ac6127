#!/usr/bin/env bash
# Types the README's newcomer's path: its very commands, read from there, in an empty directory with a
# program built for it. Only addresses and the tenant are this run's own. `make e2e-newcomer` calls it;
# it needs a Neo4j (scripts/neo4j.sh env), Node with the MCP inspector (make mcp-client), curl, and the
# airline runs (MNEME_TEST_DATA).
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
readme=$root/README.md
airline=${MNEME_TEST_DATA:-$root/../shared/data}/tau-bench/gpt-4o-airline.json
inspector=$root/internal/cli/testdata/inspector/node_modules
work=$(mktemp -d)
server= # its process, while it runs
typed=  # what the step under way writes, while it runs

# What the path must hold, and what each part of it must answer: COMMAND|WORDS.
parts='mneme serve|/graphql
import --format tau-bench gpt-4o-airline.json|imported 200 episodes
recall --json|episode:tau-airline-12-
/graphql|episode:tau-airline-12-
/mcp|episode:tau-airline-12-
memory prune|weigh less than
judges analyze|What fails most
agents alerts|task type airline
export airline.jsonl.gz|exported 1 agent, 200 episodes
import --format jsonl --store "$MNEME_STORE"|imported 1 agent, 200 episodes
cmp airline.jsonl.gz again.jsonl.gz|exported 1 agent, 200 episodes
mneme demo|imported 1 episode, 2 canvases, 1 feedback
guidance(|line chart: closed after 3 s; bar chart: shown, liked
guidance(|where audience is board)
append: true|"last":{"episode":{"outcome":"UNKNOWN"}},"first":{"episode":{"outcome":"SUCCESS"}}
episodes show stock --replay|workflow_completed
backfill --waiting canvas|Nothing waits.
judges apply|whether a score of 8.00 or more would have approved
mneme consolidate|new observations would be recorded
mneme forget|Deleted episode:board.
mneme keys create|{"data":{"episodes":{"totalCount":0}}}'

fail() { echo "newcomer: $*" >&2; exit 1; }

leave() { # in any case: no server and no file is left
  local status=$?
  [[ -z $typed ]] || { echo "newcomer: this step failed:"; cat "$typed" "$typed.errors"; } >&2 || true
  [[ -z $server ]] || { kill -KILL "$server" && wait "$server"; } 2>/dev/null || true
  rm -rf "$work"
  [[ $status == 0 ]] || echo "newcomer: FAILED" >&2
}

must_have() {
  local tool
  for tool in go node npx curl; do
    command -v "$tool" >/dev/null || fail "needs $tool"
  done
  [[ -s $airline ]] || fail "missing $airline: set MNEME_TEST_DATA"
  [[ -d $inspector ]] || fail "the MCP inspector is not installed: make mcp-client"
  [[ -n ${MNEME_TEST_NEO4J:-} ]] || fail "needs a Neo4j: make e2e-newcomer starts one"
}

# prepare makes what the README takes for granted, and lets no other setting of the caller in.
prepare() {
  local name
  neo4j=$MNEME_TEST_NEO4J
  tenant=airline-$(date +%s)-$$ # the Neo4j may be one that knows the path from before
  local user=${MNEME_TEST_NEO4J_USER:-neo4j} password=${MNEME_TEST_NEO4J_PASSWORD:-}
  for name in "${!MNEME_@}"; do unset "$name"; done
  export MNEME_LISTEN=127.0.0.1:0 MNEME_NEO4J_USER=$user MNEME_NEO4J_PASSWORD=$password

  echo "Building mneme from $root"
  (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$work/bin/mneme" .)
  export PATH=$work/bin:$PATH
  mkdir "$work/here" "$work/steps" "$work/output"
  cp "$airline" "$work/here"
  # So npx runs the inspector of the lock file, and fetches nothing.
  ln -s "$inspector" "$work/here/node_modules"
  export npm_config_offline=true
  cd "$work/here"
}

# read_path writes a file for each paragraph of the path: a comment that says what it shows, and commands.
read_path() {
  sed -n "/^## The newcomer's path\$/,/^## /{ /^\`\`\`sh\$/,/^\`\`\`\$/{ /^\`\`\`/!p } }" "$readme" |
    awk -v RS= -v dir="$work/steps" '{ file = sprintf("%s/%02d", dir, NR); print > file; close(file) }'
  [[ -s $work/steps/01 ]] || fail "$readme has no newcomer's path"
}

# here gives a step as it is typed in this run.
here() {
  local commands
  commands=$(<"$1")
  commands=${commands//http:\/\/127.0.0.1:8080/${url:-}}
  commands=${commands//\"\$MNEME_STORE\"/$neo4j}
  printf '%s\n' "${commands//--tenant airline/--tenant $tenant}"
}

# type_step runs a step in this shell, because the next ones use what it sets.
type_step() {
  local step=$1 out
  out=$work/output/$(basename "$step")
  cat "$step"
  if grep -q '^mneme serve' "$step"; then
    start_server "$step" "$out"
  else
    typed=$out
    eval "$(here "$step")" >"$out" 2>"$out.errors" # no ||, which would let a step go on after a fault
    typed=
  fi
  head -n 6 "$out" | cut -c -120 | sed 's/^/    /'
}

start_server() { # on a free port; it says on which
  local step=$1 out=$2 tries
  eval "$(here "$step")"' >"$out" 2>&1 &'
  server=$!
  for ((tries = 0; tries < 300; tries++)); do
    url=$(grep -om1 'http://[^ ]*/graphql' "$out" || true)
    url=${url%/graphql}
    [[ -z $url ]] || return 0
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  cat "$out"
  fail "the server does not start"
}

stop_server() {
  local status=0 stopped=$server
  echo "Ending the server"
  kill -TERM "$stopped"
  wait "$stopped" || status=$?
  server=
  [[ $status == 0 ]] || fail "the server ended with status $status"
}

check_parts() {
  local command words step
  while IFS='|' read -r command words; do
    step=$(grep -lF -- "$command" "$work"/steps/* | head -n 1) || fail "the README's path does not hold: $command"
    grep -qF -- "$words" "$work/output/$(basename "$step")" || fail "$command did not answer: $words"
  done <<<"$parts"
}

# hits tells the episodes and scores of an answer, whichever of the three ways gave it.
hits() {
  node -e '
    const answer = JSON.parse(require("fs").readFileSync(0, "utf8"))
    const recall = answer.data?.recall ?? answer.structuredContent ?? answer
    for (const { episode, id, score } of recall.hits) console.log(episode?.id ?? id, score.total ?? score)' <"$1"
}

check_same_answer() {
  local step way first= answer ways=0
  for step in $(grep -lF '$situation' "$work"/steps/*); do
    answer=$(hits "$work/output/$(basename "$step")") || fail "no answer of a recall: $(<"$work/output/$(basename "$step")")"
    way=$(grep '^#' "$step")
    first=${first:-$answer}
    [[ $answer == "$first" ]] || { diff <(echo "$first") <(echo "$answer") || true; fail "another answer: $way"; }
    ways=$((ways + 1))
  done
  [[ $ways == 3 && -n $first ]] || fail "$ways ways to recall instead of three"
  printf 'All three ways recall:\n%s\n' "$first"
}

trap leave EXIT
must_have
prepare
read_path
for step in "$work"/steps/*; do
  type_step "$step"
done
check_parts
check_same_answer
stop_server
echo "The newcomer's path holds."
