#!/bin/sh
# $1 is "configure" of a deb, with the version before in $2, or how many an rpm leaves installed.
set -e
getent passwd mneme > /dev/null || useradd --system --user-group --home-dir /var/lib/mneme --no-create-home --shell /usr/sbin/nologin mneme
install -d -o mneme -g mneme -m 0700 /var/lib/mneme
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart mneme
fi
if [ "$1$2" = configure ] || [ "$1" = 1 ]; then
  echo "Start it: systemctl enable --now mneme. Its memory from a shell: sudo -u mneme mneme demo --data /var/lib/mneme"
fi
