package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// These are set by release builds (-ldflags "-X mneme/internal/cli.version=1.2.3"): the commit and its date.
var version, commit, date string

func (p *program) versionCommand() *cobra.Command {
	return p.begun(&cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
	}, func(*cobra.Command, []string) error {
		build := thisBuild()
		return p.says(build, "mneme %s, %s %s/%s", build, build.Go, build.OS, build.Arch)
	})
}

// build is what runs, and where.
type build struct {
	Version string `json:"version"`
	Commit  string `json:"commit,omitempty"`
	Date    string `json:"date,omitempty"` // of the commit
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// thisBuild is what a release build says, else what Go knows of the module and its commit.
func thisBuild() build {
	b := build{version, commit, date, runtime.Version(), runtime.GOOS, runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		b.Version = cmp.Or(b.Version, strings.TrimPrefix(strings.TrimPrefix(info.Main.Version, "v"), "(devel)"))
	}
	b.Version = cmp.Or(b.Version, "development build")
	return b
}

// String is the version with the commit it was built from, where the build knows.
func (b build) String() string {
	if b.Commit == "" {
		return b.Version
	}
	return fmt.Sprintf("%s (%s, %s)", b.Version, b.Commit, b.Date)
}
