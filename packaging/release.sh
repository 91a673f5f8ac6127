#!/usr/bin/env bash
# release.sh [OS/ARCH…] makes what a release publishes, in DIST (dist/): for these platforms; without any for all, and the
# packages of clients/ too. The same commit gives the same files, byte for byte. Needs Go, Python 3.11, npm and GNU tar.
set -euo pipefail
cd "$(dirname "$0")/.."
# Where the checkout is, and of what kind, changes nothing.
export GOFLAGS="-trimpath -buildvcs=false" CGO_ENABLED=0 TZ=UTC LC_ALL=C
export VERSION=${VERSION:-0.1.0} SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export TAR_OPTIONS="--sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar --mtime=@$SOURCE_DATE_EPOCH"
# What check.sh makes to try an upgrade need not be small.
export PACK="gzip -n${OVERLAY:+ -1}"
dist=${DIST:-$PWD/dist} tools=$PWD/bin/packaging stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
commit=$(git rev-parse --short=12 HEAD)
[[ -z $(git status --porcelain) ]] || commit+=", changed"
cli=$(go list -m)/internal/cli
flags="-s -w -X '$cli.version=$VERSION' -X '$cli.commit=$commit' -X '$cli.date=$(git log -1 --format=%cd --date=format-local:%F)'"
rm -rf "$dist" && mkdir -p "$dist" "$stage"/common/{man,completions}

together() { # together FUNCTION…: all at once; fails where one does
  local each running=()
  for each; do
    "$each" &
    running+=($!)
  done
  for each in "${running[@]}"; do wait "$each"; done
}

python_tools() {
  cmp --quiet packaging/requirements.txt "$tools/installed.txt" && return
  python3 -m venv --clear "$tools"
  "$tools/bin/pip" install --quiet --disable-pip-version-check --require-hashes -r packaging/requirements.txt
  cp packaging/requirements.txt "$tools/installed.txt"
}

common() { # what all archives hold
  cp LICENSE packaging/TESTED.md "$stage/common"
  cp go.mod go.sum "$stage"
  go get -modfile="$stage/go.mod" github.com/cpuguy83/go-md2man/v2@v2.0.6
  go run -modfile="$stage/go.mod" packaging/man.go "$stage/common"
}

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
  local os=$1 arch=$2 program=mneme name=mneme_${VERSION}_$1_$2 root=$stage/$1-$2
  [[ $os != windows ]] || program=mneme.exe
  cp -r "$stage/common" "$root"
  GOOS=$os GOARCH=$arch go build ${OVERLAY:+-overlay "$OVERLAY"} -ldflags "$flags" -o "$root/$program" .
  [[ $(stat -c %s "$root/$program") -le $((50 << 20)) ]] || { echo "the program is larger than 50 MiB"; exit 1; }
  licences "$os" "$arch" > "$root/THIRD_PARTY_LICENSES.txt"
  find "$root" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
  together archive sbom wheel npm_package
  [[ $os == linux ]] || return 0
  $PACK "$root"/man/*
  together deb rpm_package layer
  images+=("$arch")
}
archive() {
  if [[ $os == windows ]]; then
    cd "$root" && python3 -m zipfile -c "$dist/$name.zip" ./*
  else
    tar -C "$root" -c . | $PACK > "$dist/$name.tar.gz"
  fi
}
sbom() { python3 packaging/sbom.py "$root/$program" "$VERSION" > "$dist/$name.spdx.json"; }
wheel() {
  cp -r packaging/python "$stage/python-$os-$arch" && cp "$root"/*LICENSE* "$stage/python-$os-$arch"
  cd "$stage/python-$os-$arch"
  PLATFORM=$os/$arch PROGRAM=$root/$program "$tools/bin/hatchling" build -d "$dist" -t wheel > /dev/null
}
npm_package() { packaging/npm/pack.sh "$os" "$arch" "$root" "$dist"; }
deb() { ARCH=$arch ROOT=$root "$tools/bin/nfpm" package --config packaging/linux/nfpm.yaml --packager deb --target "$dist" > /dev/null; }
rpm_package() { ARCH=$arch ROOT=$root "$tools/bin/nfpm" package --config packaging/linux/nfpm.yaml --packager rpm --target "$dist" > /dev/null; }
layer() { # of the image: the program, certificates, and data whose owner a new volume takes over
  local files=$stage/layer-$arch
  mkdir -p "$files"/{usr/local/bin,etc/ssl/certs,data}
  cp "$root/mneme" "$files/usr/local/bin"
  cp /etc/ssl/certs/ca-certificates.crt "$files/etc/ssl/certs"
  tar -C "$files" -cf "$files.tar" etc usr
  tar -C "$files" --owner=65532 --group=65532 --mode=700 -rf "$files.tar" data
  $PACK "$files.tar"
}

together python_tools common
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
if [[ ${#images[@]} != 0 ]]; then
  (cd packaging/image && go run . "$stage" "$dist" "${images[@]}")
  tar -C "$stage/oci" -cf "$dist/mneme_${VERSION}_image.tar" .
fi
sed "s/^version=.*/version=$VERSION/" packaging/install.sh > "$dist/install.sh"
cd "$dist"
sha256sum -- * > checksums.txt
ls -l | awk 'NR > 1 {printf "%10d %s\n", $5, $9}'
