#!/bin/sh
set -e
case "$1" in
  remove | 0) [ ! -d /run/systemd/system ] || systemctl disable --now mneme ;; # not on an upgrade
esac
