#!/usr/bin/env bash
# Prints where tests keep their files. What they write need not outlast a power cut, and most of the time of their commits is
# waiting for a disk: so in memory, where a file system of it has room and lets programs run, else where other
# temporary files are.
set -euo pipefail
memory=/dev/shm room=6291456 # KiB; the tests and their Neo4j take about a third of it
usual=${TMPDIR:-/tmp}

fits() {
  local free
  free=$(df -Pk "$memory" 2>/dev/null | awk 'NR == 2 && $1 == "tmpfs" {print $4}') && ((${free:-0} >= room)) || return
  # a file system says how large it may grow, not whether there is memory for that
  awk -v room="$room" '$1 == "MemAvailable:" {enough = $2 >= room} END {exit !enough}' /proc/meminfo || return
  local tried
  tried=$(mktemp -d "$memory/mneme-try-XXXXXX") || return
  printf '#!/bin/sh\n' > "$tried/program" && chmod +x "$tried/program" && "$tried/program"
  local runs=$?
  rm -rf "$tried"
  return "$runs"
}

if fits 2>/dev/null; then echo "$memory"; else echo "$usual"; fi
