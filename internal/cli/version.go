package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is set by release builds (-ldflags "-X mneme/internal/cli.version=1.2.3").
var version = "development build"

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Args:  noArguments,
		RunE: p.begun(func(*cobra.Command, []string) error {
			build := thisBuild()
			return p.answer(build, func(w io.Writer) {
				fmt.Fprintf(w, "mneme %s, %s %s/%s\n", build.Version, build.Go, build.OS, build.Arch)
			})
		}),
	}
}

// build is what runs, and where.
type build struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

func thisBuild() build { return build{buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH} }

// buildVersion is the version with the commit it was built from, where the build knows.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	revision, changed := "", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value[:min(12, len(setting.Value))]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changed = ", changed"
		}
	}
	if revision == "" {
		return version
	}
	return fmt.Sprintf("%s (%s%s)", version, revision, changed)
}
