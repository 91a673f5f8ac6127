#!/usr/bin/env bash
# check.sh [short]: installs each artefact of dist/ for this platform into a clean root, as a user would, and asks it for its
# version, a sample, a recall, a served request and an end; then puts in its place what bin/next has, a build of a later
# version with a later schema. short leaves out what needs a registry or compiles all anew. Needs root, for its namespaces.
set -Eeuo pipefail
trap 'echo "FAILED at line $LINENO: $BASH_COMMAND" >&2' ERR
cd "$(dirname "$0")/.."
[[ $(id -u) == 0 ]] || { echo "left out: the packages can be tried by root only"; exit 0; }
[[ -n ${IN_NAMESPACE:-} ]] || IN_NAMESPACE=1 exec unshare --mount "$0" "$@"
short=${1:-}
version=0.1.0 later=0.1.1
dist=$PWD/dist next=$PWD/bin/next host=$(go env GOOS)/$(go env GOARCH)
# Of the Neo4j of with_neo4j: all others keep data of their own.
neo4j=${MNEME_STORE:-}
unset MNEME_STORE
root=$(mktemp -d)
served='' registry=''
exec 3>&1 # what fails is often in a function whose output is kept
gone() {
  local status=$?
  exec >&3
  [[ $status == 0 || ! -s $root/log ]] || { echo "what was done last said:"; tail -20 "$root/log"; }
  [[ -z $served ]] || kill "$served"
  [[ -z $registry ]] || kill "$registry"
  awk -v root="$root/" 'index($2, root) == 1 {print $2}' /proc/self/mounts | tac | xargs -r umount --lazy
  rm -rf --one-file-system "$root"
}
trap gone EXIT
times=

fail() { echo "FAILED: $*"; exit 1; }
says() { # says TEXT COMMAND…: its output holds the text
  local text=$1 out
  shift
  out=$("$@" 2>&1) || fail "$* ends with $?: $out"
  [[ $out == *"$text"* ]] || fail "$* does not say '$text': $out"
}
refuses() { # refuses TEXT COMMAND…: it fails and says so
  local text=$1 out
  shift
  if out=$("$@" 2>&1); then fail "$* went well: $out"; fi
  [[ $out == *"$text"* ]] || fail "$* does not say '$text': $out"
}
asked() { # asked URL QUERY [MORE…]
  curl -sS --fail-with-body "$1/graphql" -H 'Content-Type: application/json' -d "{\"query\": \"$2\"}" "${@:3}"
}
serve() { # serve [MORE…]: with "${run[@]}"; sets url
  : > "$root/served"
  "${run[@]}" serve --listen 127.0.0.1:0 --data "$data" "$@" > "$root/served" 2>&1 &
  served=$!
  until url=$(sed -n 's|.*\(http://.*\)/graphql$|\1|p' "$root/served") && [[ -n $url ]]; do
    kill -0 "$served" 2> /dev/null || fail "${run[*]} serve: $(cat "$root/served")"
    sleep 0.05
  done
}
stop() {
  local to=$served child
  # npx itself ends by the signal, and does not hand it on.
  while [[ ${run[*]} == *" npx "* ]] && child=$(pgrep -P "$to"); do to=$child; done
  kill -TERM "$to"
  wait "$served" || fail "serve ends with $?: $(cat "$root/served")"
  served=
  grep -q '^Bye\.$' "$root/served" || fail "serve does not say Bye: $(cat "$root/served")"
}

# try WAY INSTALL: INSTALL DIST puts the program there, to be called by "${run[@]}" on "$data".
try() {
  local way=$1 install=$2 began now
  run=() data=$root/$way/data
  mkdir -p "$root/$way"
  began=$(date +%s%N)
  "$install" "$dist" > "$root/log" 2>&1
  serve
  says '"totalCount":0' asked "$url" '{ episodes { totalCount } }'
  now=$(date +%s%N)
  times+=$(printf '%-36s %5d ms' "$way" $(((now - began) / 1000000)))$'\n'
  says "mneme $version" "${run[@]}" version
  says '200 episodes' "${run[@]}" demo --data "$data"
  says 'is ready' "${run[@]}" healthcheck "$url"
  says 'episode:demo-refund_request' "${run[@]}" recall --data "$data" a customer wants a refund for a late order
  says '"totalCount":200' asked "$url" '{ episodes { totalCount } }'
  stop
  "$install" "$next" > "$root/log" 2>&1
  says "mneme $later" "${run[@]}" version
  serve
  says '"totalCount":200' asked "$url" '{ episodes { totalCount } }'
  stop
  echo "ok: $way"
}

root_of() { # a copy of this machine's root, of which nothing is written through
  mkdir -p "$root/$1-rw" "$root/$1/os"
  mount -t tmpfs tmpfs "$root/$1-rw"
  mkdir "$root/$1-rw"/{upper,work}
  mount -t overlay overlay -o "lowerdir=/,upperdir=$root/$1-rw/upper,workdir=$root/$1-rw/work" "$root/$1/os"
  mount --bind /proc "$root/$1/os/proc"
  mount --bind /dev "$root/$1/os/dev"
}
of_service() { # what the unit runs
  local unit=$1/usr/lib/systemd/system/mneme.service
  [[ $(sed -n 's/^ExecStart=//p' "$unit") == "/usr/bin/mneme serve --data /var/lib/mneme" ]]
  run=(chroot --userspec=mneme:mneme "$1" /usr/bin/mneme) data=/var/lib/mneme
}

archive() { # by install.sh
  local bin=$root/archive/$version
  [[ $1 == "$dist" ]] || bin=$root/archive/$later
  MNEME_FROM=$1 MNEME_BIN=$bin HOME=$root/archive sh "$1/install.sh"
  run=("$bin/mneme")
}
wheel() {
  [[ -d $root/wheel/env ]] || python3 -m venv --without-pip "$root/wheel/env"
  bin/packaging/bin/pip --python "$root/wheel/env" install --disable-pip-version-check --no-index --upgrade --find-links "$1" mneme-db
  run=("$root/wheel/env/bin/mneme-db")
  "$root/wheel/env/bin/python" -m mneme_db version
  "$root/wheel/env/bin/mneme" version
}
npm_prefix() {
  local platform
  platform=$(node -p '`${process.platform}-${process.arch}`')
  npm install --silent --offline --no-audit --no-fund --prefix "$root/npm_prefix" --omit=optional "$1"/mneme-db-{[0-9],"$platform"}*.tgz
  run=("$root/npm_prefix/node_modules/.bin/mneme-db")
}
deb() {
  [[ -d $root/deb/os ]] || root_of deb
  dpkg --root="$root/deb/os" --no-triggers --force-unsafe-io -i "$1"/mneme_*_"$(dpkg --print-architecture)".deb
  of_service "$root/deb/os"
}
rpm_package() {
  [[ -d $root/rpm_package/os ]] || root_of rpm_package
  rpm --root "$root/rpm_package/os" --nodeps -U "$1"/mneme-*."$(uname -m)".rpm
  of_service "$root/rpm_package/os"
}
image() { # the file system of the image, read-only, with the image's user and a volume
  local os=$root/image/os-$(basename "$1") arch
  arch=$(go env GOARCH)
  if [[ ! -d $os ]]; then
    mkdir -p "$os" "$root/image/load"
    tar -xf "$1"/mneme_*_image_"$arch".tar -C "$root/image/load"
    for layer in "$root"/image/load/*.tar.gz; do tar -xzf "$layer" -C "$os"; done
    if [[ ! -d $root/image/volume ]]; then
      cp -a "$os/data" "$root/image/volume"
      python3 - "$root"/image/load <<'PYTHON'
import json, pathlib, sys
load = pathlib.Path(sys.argv[1])
config = json.loads((load / json.loads((load / "manifest.json").read_text())[0]["Config"]).read_text())["config"]
assert config["User"] == "65532:65532" and config["Entrypoint"] == ["/usr/local/bin/mneme"], config
assert config["Cmd"] == ["serve", "--listen", "0.0.0.0:8080", "--data", "/data"] and config["WorkingDir"] == "/data", config
PYTHON
    fi
    mount --bind "$os" "$os"
    mount --bind "$root/image/volume" "$os/data"
    mount -o remount,ro,bind "$os"
    if touch "$os/x"; then fail "the root file system can be written"; fi
    rm -rf "$root/image/load"
  fi
  run=(env -i "$(command -v setpriv)" --no-new-privs "$(command -v chroot)" --userspec=65532:65532 --groups= "$os" /usr/local/bin/mneme)
  data=/data
}

# What follows needs registries, or compiles all anew.

uvx() { # as README says it, with the wheels from a directory
  local uv=$root/uvx/uv
  [[ -d $uv ]] || { python3 -m venv "$uv" && "$uv/bin/pip" install --quiet --disable-pip-version-check uv==0.13.9; }
  run=(env "UV_CACHE_DIR=$root/uvx/cache" "UV_TOOL_DIR=$root/uvx/tools" "$uv/bin/uvx" --quiet --no-index --find-links "$1" --refresh mneme-db)
}
npx_registry() { # from a registry that has these packages alone
  [[ -z $registry ]] || kill "$registry"
  : > "$root/npx/port"
  python3 packaging/registry.py "$1" > "$root/npx/port" &
  registry=$!
  until [[ -s $root/npx/port ]]; do sleep 0.1; done
  run=(env "npm_config_registry=http://127.0.0.1:$(cat "$root/npx/port")" "npm_config_cache=$root/npx/cache-$(basename "$1")" npx --yes mneme-db)
}
go_install() { # from a module proxy of files, under the path of an owner
  local path=example.org/you/mneme at=v$version copy=$root/go_install/copy proxy=$root/go_install/proxy
  [[ $1 == "$dist" ]] || at=v$later
  rm -rf "$copy" && mkdir -p "$copy" "$proxy/$path/@v"
  git ls-files -z ':!examples/go' ':!packaging/image' | tar --null -T - -cf - | tar -xf - -C "$copy"
  [[ $1 == "$dist" ]] || cp "$root"/overlay/schema.{go,sql} "$copy/store/sqlite/schema"
  (cd "$copy" && git init --quiet && git add --all && make module-path $path)
  [[ -z $(grep -rnE --include='*.go' '"mneme/' "$copy") ]]
  [[ -z $(grep -n HOST/OWNER "$copy"/{README.md,packaging/install.sh,packaging/npm/pack.sh,clients/typescript/package.json}) ]]
  (cd "$copy" && [[ -z $(go list -e -test -f '{{with .Error}}{{.}}{{end}}' ./...) ]])
  echo "$at" >> "$proxy/$path/@v/list"
  printf '{"Version": "%s"}' "$at" > "$proxy/$path/@v/$at.info"
  cp "$copy/go.mod" "$proxy/$path/@v/$at.mod"
  rm -rf "$copy/.git" "$root/go_install/$path@$at"
  mkdir -p "$(dirname "$root/go_install/$path")" && mv "$copy" "$root/go_install/$path@$at"
  (cd "$root/go_install" && zip -qrD "$proxy/$path/@v/$at.zip" "$path@$at")
  (cd "$root" && GOPROXY="file://$proxy,file://$(go env GOMODCACHE)/cache/download,$(go env GOPROXY)" GOMODCACHE="$root/go_install/modules" \
    GOBIN="$root/go_install/bin" CGO_ENABLED=0 GOFLAGS="-modcacherw -trimpath" GOSUMDB=off go install "$path@$at")
  run=("$root/go_install/bin/mneme")
}
client() { # the extra of the Python package brings the program
  local env=$root/client
  python3 -m venv "$env"
  "$env/bin/pip" install --quiet --disable-pip-version-check --find-links "$dist" "mneme-client[server] @ file://$(ls "$dist"/mneme_client-*.whl)"
  (cd "$root" && env -u MNEME_BINARY PATH=/usr/bin:/bin "$env/bin/python" - <<'PYTHON'
from mneme_client import Memory

memory = Memory.local("client-data")
with memory.episode("A customer wants a refund for a kettle", agent="support") as e:
    e.succeeded("Refunded in full")
PYTHON
  )
  echo "ok: mneme-client[server]"
}
sboms() { # by the reference implementation
  python3 -m venv "$root/spdx" && "$root/spdx/bin/pip" install --quiet --disable-pip-version-check spdx-tools==0.8.5
  for file in "$dist"/*.spdx.json; do "$root/spdx/bin/pyspdxtools" -i "$file"; done
  echo "ok: SBOMs"
}
with_neo4j() { # the command of docker-compose.yml in the unpacked image, with another address to serve at and another Neo4j
  local words key=a-key-of-the-check-0123456789
  image "$dist"
  words=$(sed -n 's/^ *command: \[\(serve.*\)\]$/\1/p' docker-compose.yml | tr -d '",')
  [[ $words == "serve --listen 0.0.0.0:8080 --store neo4j://neo4j:7687" ]] || fail "docker-compose.yml: $words"
  run=(env -i "MNEME_API_KEY=$key" MNEME_NEO4J_USER=neo4j "MNEME_NEO4J_PASSWORD=$MNEME_NEO4J_PASSWORD" "${run[@]:2}")
  serve --store "$neo4j"
  says 'is ready' "${run[@]}" healthcheck "$url"
  refuses '401' asked "$url" '{ episodes { totalCount } }'
  says 'totalCount' asked "$url" '{ episodes { totalCount } }' -H "Authorization: Bearer $key"
  stop
  echo "ok: the command of docker-compose.yml, with Neo4j"
}

removed() { # removed WAY COMMAND…: it takes the program away and leaves the data
  local way=$1
  shift
  "$@" > "$root/log" 2>&1
  [[ ! -e $root/$way/os/usr/bin/mneme && -s $root/$way/os/var/lib/mneme/default.db ]] || fail "$way: removal: $(ls -l "$root/$way/os/var/lib/mneme")"
}

# upgraded looks at what the later version left: the data of before beside it, and a schema that the version before refuses.
upgraded() { # upgraded DIRECTORY
  [[ -s $1/default.db.version-$schema ]] || fail "no copy was kept in $1: $(ls "$1")"
  refuses 'it needs a later version than this one' "$root/archive/$version/mneme" recall --data "$1" a refund
}

# A build of a later version, whose schema has one more column.
schema=$(sed -n 's/^const Version = //p' store/sqlite/schema/schema.go)
mkdir -p "$root/overlay"
sed -e "s/^const Version = .*/const Version = $((schema + 1))/" \
  -e "s/Steps: map\[int\]string{/&$schema: \`ALTER TABLE settings ADD COLUMN later TEXT\`, /" store/sqlite/schema/schema.go > "$root/overlay/schema.go"
sed 's/^CREATE TABLE settings (/&later TEXT, /' store/sqlite/schema/schema.sql > "$root/overlay/schema.sql"
printf '{"Replace": {"%s": "%s", "%s": "%s"}}' "$PWD/store/sqlite/schema/schema.go" "$root/overlay/schema.go" \
  "$PWD/store/sqlite/schema/schema.sql" "$root/overlay/schema.sql" > "$root/overlay/overlay.json"
DIST=$next VERSION=$later OVERLAY=$root/overlay/overlay.json packaging/release.sh "$host" > "$root/log" 2>&1 || fail "the later version: $(cat "$root/log")"

(cd "$dist" && sha256sum --quiet -c checksums.txt)
try archive archive
upgraded "$root/archive/data"
cp -r "$dist" "$root/spoilt" && echo x >> "$root/spoilt/mneme_${version}_linux_$(go env GOARCH).tar.gz"
refuses 'checksum' env MNEME_FROM="$root/spoilt" MNEME_BIN="$root/spoilt" sh "$root/spoilt/install.sh"
rm -r "$root/spoilt"
try wheel wheel
try npm_prefix npm_prefix
try image image
upgraded "$root/image/volume"
if command -v dpkg > /dev/null; then
  try deb deb
  if command -v systemd-analyze > /dev/null; then
    [[ -z $(chroot "$root/deb/os" systemd-analyze verify mneme.service 2>&1) ]]
    chroot "$root/deb/os" systemd-analyze security --offline=true --threshold=15 mneme.service > "$root/log"
  fi
  upgraded "$root/deb/os/var/lib/mneme"
  removed deb dpkg --root="$root/deb/os" --no-triggers -P mneme
fi
if command -v rpm > /dev/null; then
  try rpm_package rpm_package
  upgraded "$root/rpm_package/os/var/lib/mneme"
  removed rpm_package rpm --root "$root/rpm_package/os" -e mneme
fi
if [[ $short != short ]]; then
  try uvx uvx
  try npx npx_registry
  try go_install go_install
  client
  sboms
  with_neo4j
fi
printf '\nfrom install to first answer:\n%s' "$times"
