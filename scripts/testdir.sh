#!/usr/bin/env bash
# Prints where tests keep their files: where TMPDIR says, if it says anything. What they write need not outlast a power cut, and
# most of the time of their commits is waiting for a disk: so else in memory, where a file system of it has room and lets
# programs run, or where other temporary files are.
set -euo pipefail
memory=/dev/shm room=6291456 # KiB; the tests and their Neo4j take about a third of it

# A file system says how large it may grow, not whether there is memory for that: on the machine, and for what is kept together in
# a container.
enough() {
  local limit=/sys/fs/cgroup/memory.max used=/sys/fs/cgroup/memory.current
  awk -v room="$room" '$1 == "MemAvailable:" {enough = $2 >= room} END {exit !enough}' /proc/meminfo || return
  [[ ! -r $limit || $(< "$limit") == max ]] || ((($(< "$limit") - $(< "$used")) / 1024 >= room))
}

fits() {
  local free tried runs=0
  [[ $(stat -f -c %T "$memory") == tmpfs ]] && free=$(df -Pk "$memory" | awk 'NR == 2 {print $4}') && ((free >= room)) && enough || return
  tried=$(mktemp -d "$memory/mneme-try-XXXXXX") || return
  printf '#!/bin/sh\n' > "$tried/program" && chmod +x "$tried/program" && "$tried/program" || runs=1
  rm -rf "$tried"
  return "$runs"
}

if [[ -n ${TMPDIR:-} ]]; then echo "$TMPDIR"; elif fits 2>/dev/null; then echo "$memory"; else echo /tmp; fi
