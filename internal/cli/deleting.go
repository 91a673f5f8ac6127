package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"mneme/internal/app"
)

// deleting is how every command that deletes records is asked: whether it only says what would go, or need not ask.
type deleting struct{ dryRun, yes bool }

func (d *deleting) define(command *cobra.Command) {
	command.Flags().BoolVar(&d.dryRun, "dry-run", false, "say what would be deleted, and delete nothing")
	command.Flags().BoolVar(&d.yes, "yes", false, "delete it without asking")
	command.MarkFlagsMutuallyExclusive("dry-run", "yes")
}

// doomed is what is deleted, or would be.
type doomed struct {
	answer any    // for programs
	count  int    // of records
	what   string // in words, such as "agent:ada, and with it 2 episodes"
}

// delete deletes for good, unless it is a dry run, and says how much. Where there is anything it asks first on a
// terminal; without one it needs --yes.
func (p *program) delete(ctx context.Context, d deleting, do func(dryRun bool) (doomed, error)) (deleted int, err error) {
	if !d.yes {
		would, err := do(true)
		switch {
		case err != nil:
			return 0, err
		case d.dryRun:
			return 0, p.says(would.answer, "Would delete %s.", would.what)
		case would.count > 0:
			if err := p.sure(ctx, false, "This deletes "+would.what+", for good."); err != nil {
				return 0, err
			}
		}
	}
	gone, err := do(false)
	if err != nil {
		return 0, err
	}
	return gone.count, p.says(gone.answer, "Deleted %s.", gone.what)
}

// sure asks somebody at a terminal whether a command may do what cannot be undone; elsewhere --yes must have said so.
func (p *program) sure(ctx context.Context, yes bool, what string) error {
	switch {
	case yes:
		return nil
	case !isTerminal(p.In):
		return &app.Problem{What: what, Do: "Nothing was done. Say so with --yes.", Misuse: true}
	}
	fmt.Fprintf(p.Err, "%s\nGo on? [y/N] ", what)
	in := interruptible(ctx, func() (io.Reader, error) { return p.In, nil })
	line, _ := bufio.NewReader(in).ReadString('\n') // nothing is no
	switch word := strings.ToLower(strings.TrimSpace(line)); {
	case ctx.Err() != nil:
		return ctx.Err()
	case word == "y", word == "yes":
		return nil
	}
	return errors.New("nothing was done")
}
