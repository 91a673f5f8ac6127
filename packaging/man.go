//go:build ignore

// Writes the manual pages and completions of the program: go run packaging/man.go DIRECTORY. It needs a module that the
// program does not, so that packaging/release.sh runs it with a go.mod of its own.
package main

import (
	"log"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra/doc"

	"mneme/internal/cli"
)

func main() {
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func write(dir string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return err
	}
	date := time.Unix(seconds, 0).UTC()
	root := cli.Command()
	root.DisableAutoGenTag = true
	for file, complete := range map[string]func(string) error{
		"mneme.bash": func(file string) error { return root.GenBashCompletionFileV2(file, true) },
		"mneme.zsh":  root.GenZshCompletionFile,
		"mneme.fish": func(file string) error { return root.GenFishCompletionFile(file, true) },
		"mneme.ps1":  root.GenPowerShellCompletionFileWithDesc,
	} {
		if err := complete(filepath.Join(dir, "completions", file)); err != nil {
			return err
		}
	}
	return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "mneme", Manual: "mneme", Date: &date}, filepath.Join(dir, "man"))
}
