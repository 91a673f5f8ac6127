package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"
)

// progress tells how far an import or an export has come: on a terminal in one line that changes, elsewhere in a
// line every few seconds.
type progress struct {
	out      io.Writer
	terminal bool
	began    time.Time
	last     time.Time
	width    int // of the line on the terminal
}

func newProgress(out io.Writer) *progress {
	now := time.Now()
	return &progress{out: out, terminal: isTerminal(out), began: now, last: now}
}

// tell shows a line where it is time for one.
func (p *progress) tell(records int, say func(rate float64) string) {
	every := 5 * time.Second
	if p.terminal {
		every = 200 * time.Millisecond
	}
	now := time.Now()
	if now.Sub(p.last) < every {
		return
	}
	p.last = now
	line := say(float64(records) / now.Sub(p.began).Seconds())
	if !p.terminal {
		fmt.Fprintln(p.out, line)
		return
	}
	fmt.Fprint(p.out, "\r"+line+strings.Repeat(" ", max(0, p.width-len(line))))
	p.width = len(line)
}

// end clears the line on the terminal.
func (p *progress) end() {
	if p.width > 0 {
		fmt.Fprint(p.out, "\r"+strings.Repeat(" ", p.width)+"\r")
	}
}

// isTerminal says whether someone watches what is written, or types what is read.
func isTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(file.Fd())
}
