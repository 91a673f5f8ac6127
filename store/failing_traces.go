package store

import (
	"fmt"
	"strings"
)

// FailingTraces collects the traces that failed many times, for an Examiner's finding.
type FailingTraces struct {
	count int
	named []string
}

// namedTraces is how many of them are named.
const namedTraces = 10

// Add notes a trace, how often it failed, and why it did last.
func (f *FailingTraces) Add(trace string, failures int, reason string) {
	if f.count++; f.count <= namedTraces {
		f.named = append(f.named, fmt.Sprintf("%s (%d times: %s)", trace, failures, reason))
	}
}

// Fault says which they are, and what can be done; empty where there are none.
func (f *FailingTraces) Fault() (fault, remedy string) {
	if f.count == 0 {
		return "", ""
	}
	fault = fmt.Sprintf("%d traces cannot be made episodes: %s", f.count, strings.Join(f.named, "; "))
	if more := f.count - len(f.named); more > 0 {
		fault += fmt.Sprintf("; and %d more", more)
	}
	return fault, "A server tries again later; at once after: mneme rebuild\nTo give one up: mneme forget --trace ID"
}
