package redact

import "mneme/memory"

// Text is what becomes of a text, and what was taken out.
func Text(of string) (clean string, redactions []memory.Redaction) { return text(never, of) }

// Named is Text for the value of a field.
func Named(name, of string) (clean string, redactions []memory.Redaction) {
	return named(never, name, of)
}

func never() error { return nil }
