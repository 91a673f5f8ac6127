#!/usr/bin/env bash
# pack.sh OS ARCH ROOT DIST packs the program of a platform; pack.sh launcher DIST what picks among them.
set -euo pipefail
here=$(dirname "$0") stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

package() { # package DESCRIPTION MORE; the registry takes proofs of origin for that repository alone
  printf '{"name": "%s", "version": "%s", "license": "Apache-2.0", "repository": {"type": "git", "url": "%s"}, "description": "%s", %s}\n' \
    "$name" "$VERSION" "git+https://HOST/OWNER/mneme.git" "The learning memory of AI agents: $1" "$2" > "$stage/package.json"
}

os=$1
[[ $os != windows ]] || os=win32
if [[ $os == launcher ]]; then
  dist=$2
  each=$(printf '"mneme-db-%s": "'"$VERSION"'", ' {linux,darwin,win32}-{x64,arm64})
  name=mneme-db
  package "server and command line" \
    '"bin": {"mneme-db": "mneme.js", "mneme": "mneme.js"}, "engines": {"node": ">=18"}, "optionalDependencies": {'"${each%, }"'}'
  cp "$here"/{mneme.js,README.md} "$here/../../LICENSE" "$stage"
else
  arch=${2/amd64/x64} root=$3 dist=$4
  name=mneme-db-$os-$arch
  package "the program for $os $arch, of the package mneme-db" '"os": ["'"$os"'"], "cpu": ["'"$arch"'"]'
  cp "$root"/{mneme*,LICENSE,THIRD_PARTY_LICENSES.txt} "$stage"
fi
tar --transform 's,^\.,package,' -C "$stage" -c . | $PACK > "$dist/$name-$VERSION.tgz"
