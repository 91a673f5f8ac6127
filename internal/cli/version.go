package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

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

// thisBuild asks the program itself. A module proxy hands out a version without its commit.
func thisBuild() build {
	b := build{version, commit, date, runtime.Version(), runtime.GOOS, runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	for _, setting := range info.Settings {
		switch {
		case commit != "": // what a release build says
		case setting.Key == "vcs.revision":
			b.Commit = setting.Value[:min(12, len(setting.Value))]
		case setting.Key == "vcs.time":
			b.Date = setting.Value[:min(len(time.DateOnly), len(setting.Value))]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			b.Commit += ", changed" // the revision comes before it
		}
	}
	if released, ok := strings.CutPrefix(info.Main.Version, "v"); ok && b.Commit == "" {
		b.Version = cmp.Or(b.Version, released)
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
