package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/memory/access"
)

// child says how a server runs as the child of another process.
type child struct {
	readyFile      string
	readyKey       bool
	exitWithParent bool
}

// startedBy is read first of all, since a parent that ends is soon another one.
var startedBy = os.Getppid()

// parentPeriod is how often it is looked whether the parent is there.
const parentPeriod = 200 * time.Millisecond

func (p *program) childFlags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&p.child.readyFile, "ready-file", "", "file that gets a line of JSON with the address once requests are answered, and is removed at the end")
	flags.BoolVar(&p.child.readyKey, "ready-key", false, "make an admin's key for this run, told in the --ready-file only; it stands for MNEME_API_KEY")
	flags.BoolVar(&p.child.exitWithParent, "exit-with-parent", false, "end when the process that started this one is gone, and not on Ctrl-C")
}

// beginChild readies what a child needs before it serves. The context that it gives ends with the parent, if it is to.
func (p *program) beginChild(ctx context.Context) (context.Context, error) {
	path := p.child.readyFile
	switch {
	case p.child.readyKey && path == "":
		return ctx, &app.Problem{What: "--ready-key makes a key that nobody is told", Do: "Name a file for it with --ready-file.", Misuse: true}
	case path != "" && p.config.KeepsIn(path):
		return ctx, &app.Problem{What: path + " belongs to the data", Do: "Name another --ready-file.", Misuse: true}
	case path != "":
		p.Out = io.Discard // the file says it, and a pipe that nobody reads would fill
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return ctx, notWritable(path, err)
		}
	}
	if p.child.readyKey {
		var random [access.RandomBytes]byte
		_, _ = rand.Read(random[:]) // it never fails
		p.config.APIKey = access.Text(random)
	}
	if p.child.exitWithParent {
		// The terminal sends Ctrl-C to the parent, too, which may have something to record before it ends. A log that the
		// parent read must not end the server before it has closed.
		signal.Ignore(syscall.SIGINT, syscall.SIGPIPE)
		return withParent(ctx), nil
	}
	return ctx, nil
}

// withParent is a context that ends when the parent is gone, also where it was killed.
func withParent(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		defer cancel()
		if runtime.GOOS == "windows" { // where a process keeps the number of its parent
			if parent, err := os.FindProcess(startedBy); err == nil {
				_, _ = parent.Wait()
			}
			return
		}
		for os.Getppid() == startedBy && ctx.Err() == nil {
			time.Sleep(parentPeriod)
		}
	}()
	return ctx
}

// ready tells the parent where the server is. What it gives takes the file away.
func (p *program) ready(address string) (end func(), err error) {
	path := p.child.readyFile
	if path == "" {
		return func() {}, nil
	}
	said := struct {
		Address string `json:"address"`
		Key     string `json:"key,omitempty"`
	}{Address: address}
	if p.child.readyKey {
		said.Key = p.config.APIKey
	}
	line, _ := json.Marshal(said) // texts
	return func() { _ = os.Remove(path) }, writeWhole(path, append(line, '\n'), 0o600)
}

// writeWhole writes a file that is there as a whole or not at all.
func writeWhole(path string, text []byte, mode os.FileMode) error {
	return madeWhole(path, func(file *os.File) error {
		_, err := file.Write(text)
		return cmp.Or(err, file.Chmod(mode), file.Close())
	})
}

// madeWhole has a file written, for its owner only, and closed, which comes into being when that is done.
func madeWhole(path string, write func(*os.File) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return notWritable(path, err)
	}
	err = write(file)
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
