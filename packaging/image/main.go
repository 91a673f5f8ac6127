// Command image makes container images of the layers STAGE/layer-ARCH.tar.gz, without a container engine: image STAGE
// DIST ARCH… writes to DIST one of each ARCH for docker load, and to STAGE/oci all of them as one image.
package main

import (
	"log"
	"os"
	"strconv"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	stage, dist, version := os.Args[1], os.Args[2], os.Getenv("VERSION")
	tag := must(name.NewTag("mneme:" + version))
	index := v1.ImageIndex(empty.Index)
	for _, architecture := range os.Args[3:] {
		made := image(stage+"/layer-"+architecture+".tar.gz", architecture, version)
		check(tarball.WriteToFile(dist+"/mneme_"+version+"_image_"+architecture+".tar", tag, made))
		platform := &v1.Platform{OS: "linux", Architecture: architecture}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: made, Descriptor: v1.Descriptor{Platform: platform}})
	}
	must(layout.Write(stage+"/oci", mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: index})))
}

func image(layer, architecture, version string) v1.Image {
	created := v1.Time{Time: time.Unix(must(strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)), 0).UTC()}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	made := must(mutate.Append(base, mutate.Addendum{
		Layer:   must(tarball.LayerFromFile(layer, tarball.WithMediaType(types.OCILayer))),
		History: v1.History{Created: created},
	}))
	config := must(made.ConfigFile()).DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", architecture, created
	config.Config = v1.Config{
		User:         "65532:65532",
		WorkingDir:   "/data",
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Entrypoint:   []string{"/usr/local/bin/mneme"},
		Cmd:          []string{"serve", "--listen", "0.0.0.0:8080", "--data", "/data"},
		Labels:       map[string]string{"org.opencontainers.image.version": version, "org.opencontainers.image.licenses": "Apache-2.0"},
	}
	return must(mutate.ConfigFile(made, config))
}

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
