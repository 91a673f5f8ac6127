#!/bin/sh
# The data and its user stay, also on a purge: memory is not ours to delete.
set -e
[ ! -d /run/systemd/system ] || systemctl daemon-reload
case "$1" in
  remove | 0) [ ! -d /var/lib/mneme ] || echo "The data stays in /var/lib/mneme." ;;
esac
