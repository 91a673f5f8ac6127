package cli

import (
	"bufio"
	"errors"
	"fmt"
	"strings"
)

// sure asks somebody at a terminal whether a command may do what cannot be undone; elsewhere --yes must have said so.
func (p *program) sure(yes bool, what string) error {
	switch {
	case yes:
		return nil
	case !isTerminal(p.In):
		return fmt.Errorf("%s\nNothing was done. Say so with --yes", what)
	}
	fmt.Fprintf(p.Err, "%s\nGo on? [y/N] ", what)
	answer, err := bufio.NewReader(p.In).ReadString('\n')
	if word := strings.ToLower(strings.TrimSpace(answer)); err != nil || word != "y" && word != "yes" {
		return errors.New("nothing was done")
	}
	return nil
}
