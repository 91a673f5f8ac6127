package judging

import "mneme/memory"

// Advice is a pattern in words.
func Advice(p *memory.Pattern) string { return told{p, nil}.line() }
