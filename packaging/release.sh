#!/usr/bin/env bash
# release.sh [OS/ARCH…] makes what a release publishes, in DIST (dist/): for these platforms; without any for all, and the
# packages of clients/ too. The same commit gives the same program, byte for byte. Needs Go, Python 3, npm and GNU tar.
set -euo pipefail
cd "$(dirname "$0")/.."
export GOFLAGS=-trimpath CGO_ENABLED=0 TZ=UTC LC_ALL=C
export VERSION=${VERSION:-0.1.0} SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
dist=${DIST:-$PWD/dist} tools=$PWD/bin/packaging stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
commit=$(git rev-parse --short=12 HEAD)
[[ -z $(git status --porcelain) ]] || commit+=", changed"
cli=$(go list -m)/internal/cli
flags="-s -w -X '$cli.version=$VERSION' -X '$cli.commit=$commit' -X '$cli.date=$(TZ=UTC git log -1 --format=%cd --date=format-local:%F)'"

if ! cmp --quiet packaging/requirements.txt "$tools/installed.txt"; then
  python3 -m venv --clear "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check -r packaging/requirements.txt
  cp packaging/requirements.txt "$tools/installed.txt"
fi
rm -rf "$dist" && mkdir -p "$dist" "$stage"/common/{man,completions}

# What all archives hold.
cp LICENSE packaging/TESTED.md "$stage/common"
cp go.mod go.sum "$stage"
go get -modfile="$stage/go.mod" github.com/cpuguy83/go-md2man/v2@v2.0.6
go run -modfile="$stage/go.mod" packaging/man.go "$stage/common"

licences() { # licences OS ARCH: of what the program holds
  local path version dir text
  printf '== Go %s\n\n' "$(go env GOVERSION)"
  cat "$(go env GOROOT)/LICENSE"
  GOOS=$1 GOARCH=$2 go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}' . | sort -u | while read -r path version dir; do
    for text in "$dir"/{LICENSE,LICENCE,COPYING,NOTICE,PATENTS}*; do
      [[ ! -f $text ]] || { printf '\n\n== %s %s, %s\n\n' "$path" "$version" "${text##*/}"; cat "$text"; }
    done
  done
  printf '\n\n== the table of meanings\n\n'
  cat store/meaning/NOTICE.txt
  printf '\n\n== the web pages\n\n'
  gzip -dc internal/web/dist/THIRD_PARTY_LICENSES.txt.gz
}

platform() { # platform OS ARCH
  local os=$1 arch=$2 program=mneme name=mneme_${VERSION}_$1_$2 root=$stage/$1-$2 kind
  [[ $os != windows ]] || program=mneme.exe
  cp -r "$stage/common" "$root"
  GOOS=$os GOARCH=$arch go build ${OVERLAY:+-overlay "$OVERLAY"} -ldflags "$flags" -o "$root/$program" .
  licences "$os" "$arch" > "$root/THIRD_PARTY_LICENSES.txt"
  python3 packaging/sbom.py "$root/$program" "$VERSION" > "$dist/$name.spdx.json"
  find "$root" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  if [[ $os == windows ]]; then
    (cd "$root" && python3 -m zipfile -c "$dist/$name.zip" ./*)
  else
    tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar -C "$root" -c . | gzip -n > "$dist/$name.tar.gz"
  fi
  cp -r packaging/python "$stage/python-$1-$2" && cp "$root"/*LICENSE* "$stage/python-$1-$2"
  (cd "$stage/python-$1-$2" && PLATFORM=$os/$arch PROGRAM=$root/$program "$tools/bin/hatchling" build -d "$dist" -t wheel > /dev/null)
  packaging/npm/pack.sh "$os" "$arch" "$root" "$dist"
  [[ $os == linux ]] || return 0
  gzip -n "$root"/man/*
  for kind in deb rpm; do
    ARCH=$arch ROOT=$root "$tools/bin/nfpm" package --config packaging/linux/nfpm.yaml --packager $kind --target "$dist" > /dev/null
  done
  images+=("$arch")
}

if [[ $# == 0 ]]; then
  set -- {linux,darwin,windows}/{amd64,arm64}
  (cd clients/python && "$tools/bin/hatchling" build -d "$dist" > /dev/null)
  (cd clients/typescript && npm ci --silent --ignore-scripts && npm pack --silent --pack-destination "$dist" > /dev/null)
fi
images=()
for each; do
  platform "${each%/*}" "${each#*/}"
done
packaging/npm/pack.sh launcher "$dist"
[[ ${#images[@]} == 0 ]] || packaging/image.sh "$stage" "$dist" "${images[@]}"
sed "s/^version=.*/version=$VERSION/" packaging/install.sh > "$dist/install.sh"
cd "$dist"
sha256sum -- * > checksums.txt
ls -l | awk 'NR > 1 {printf "%10d %s\n", $5, $9}'
