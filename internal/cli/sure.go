package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"mneme/internal/app"
)

// sure asks somebody at a terminal whether a command may do what cannot be undone; elsewhere --yes must have said so.
func (p *program) sure(ctx context.Context, yes bool, what string) error {
	switch {
	case yes:
		return nil
	case !isTerminal(p.In):
		return &app.Problem{What: what, Do: "Nothing was done. Say so with --yes.", Misuse: true}
	}
	fmt.Fprintf(p.Err, "%s\nGo on? [y/N] ", what)
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(p.In).ReadString('\n') // nothing is no
		said <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case word := <-said:
		if word == "y" || word == "yes" {
			return nil
		}
		return errors.New("nothing was done")
	}
}
