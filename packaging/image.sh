#!/usr/bin/env bash
# image.sh STAGE DIST ARCH…: makes an OCI image of the programs STAGE/linux-ARCH/mneme, without a container engine: a layer with
# the program and certificates, handed through a registry that lives as long as this. Also what `docker load` takes.
set -euo pipefail
stage=$1 dist=$2
shift 2
crane() { go run github.com/google/go-containerregistry/cmd/crane@v0.22.1 "$@"; }

archive() { # archive DIRECTORY FILE
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX -C "$1" -cf "$2" .
}

crane version > /dev/null # builds it
: > "$stage/registry.log"
crane registry serve --address 127.0.0.1:0 2> "$stage/registry.log" &
trap 'kill $(jobs -p)' EXIT
until port=$(sed -n 's/.*serving on port \([0-9]*\).*/\1/p' "$stage/registry.log") && [[ -n $port ]]; do
  kill -0 $! || { cat "$stage/registry.log"; exit 1; }
  sleep 0.1
done
image=127.0.0.1:$port/mneme manifests=()
for arch; do
  root=$stage/image-$arch layer=$stage/layer-$arch.tar
  mkdir -p "$root"/{usr/local/bin,etc/ssl/certs,data}
  cp "$stage/linux-$arch/mneme" "$root/usr/local/bin"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs"
  same=(--sort=name --mtime="@$SOURCE_DATE_EPOCH" --numeric-owner --format=ustar -C "$root")
  tar "${same[@]}" --owner=0 --group=0 --mode=u=rwX,go=rX -cf "$layer" etc usr
  tar "${same[@]}" --owner=65532 --group=65532 --mode=700 -rf "$layer" data # a new volume takes over the owner
  gzip -nf "$layer"
  crane append --oci-empty-base --platform "linux/$arch" -f "$layer.gz" -t "$image:$arch" > /dev/null 2>&1
  crane mutate --set-platform "linux/$arch" --user 65532:65532 --workdir /data --exposed-ports 8080/tcp \
    --entrypoint /usr/local/bin/mneme --cmd serve,--listen,0.0.0.0:8080,--data,/data \
    --label "org.opencontainers.image.version=$VERSION,org.opencontainers.image.licenses=Apache-2.0" -t "$image:$arch" "$image:$arch" > /dev/null 2>&1
  crane pull --format tarball "$image:$arch" "$stage/load.tar"
  mkdir "$stage/load-$arch" && tar -xf "$stage/load.tar" -C "$stage/load-$arch"
  sed -i 's|"RepoTags":\["[^"]*"|"RepoTags":["mneme:'"$VERSION"'"|' "$stage/load-$arch/manifest.json"
  archive "$stage/load-$arch" "$dist/mneme_${VERSION}_image_$arch.tar"
  manifests+=(-m "$image:$arch")
done
crane index append "${manifests[@]}" -t "$image:$VERSION" > /dev/null 2>&1
crane pull --format oci "$image:$VERSION" "$stage/oci"
archive "$stage/oci" "$dist/mneme_${VERSION}_image.tar"
