#!/bin/sh
# Installs mneme for Linux and macOS: downloads the archive of this machine, checks its checksum, and puts the program into
# MNEME_BIN (~/.local/bin). MNEME_FROM is where the files of a release are: a URL, or a directory.
set -eu
version=0.1.0
from=${MNEME_FROM:-https://HOST/OWNER/mneme/releases/download/v$version}
bin=${MNEME_BIN:-$HOME/.local/bin}

fail() { echo "install.sh: $*" >&2; exit 1; }
case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  *) fail "there is no program for $(uname -s) here; the archives are at $from" ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no program for $(uname -m)" ;;
esac
archive=mneme_${version}_${os}_$arch.tar.gz
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

get() { # get FILE
  if [ -d "$from" ]; then cp "$from/$1" "$dir/$1"
  elif command -v curl > /dev/null; then curl -fsSL -o "$dir/$1" "$from/$1"
  else wget -q -O "$dir/$1" "$from/$1"; fi || fail "cannot get $from/$1"
}
get checksums.txt
get "$archive"
if command -v sha256sum > /dev/null; then sum=$(sha256sum "$dir/$archive"); else sum=$(shasum -a 256 "$dir/$archive"); fi
grep -qxF "${sum%% *}  $archive" "$dir/checksums.txt" || fail "the checksum of $archive is wrong; nothing was installed"
tar -xzf "$dir/$archive" -C "$dir" ./mneme
mkdir -p "$bin"
mv -f "$dir/mneme" "$bin/mneme"
"$bin/mneme" version
case :$PATH: in *:"$bin":*) ;; *) echo "Add $bin to your PATH." ;; esac
echo "Start it: mneme serve. Then, beside it: mneme demo"
