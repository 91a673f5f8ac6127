#!/usr/bin/env bash
# A real Neo4j for tests: up starts one, env and use print how tests and mneme reach it, down stops it and removes its data.
set -euo pipefail
cd "$(dirname "$0")/.."
exec go run ./internal/testneo4j/cmd "$@"
