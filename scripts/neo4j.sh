#!/usr/bin/env bash
# A real Neo4j for tests: up starts one, env prints how to reach it, down stops it and removes its data.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go run ./internal/testneo4j/cmd "$@"
