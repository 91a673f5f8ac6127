package storetest

import (
	"context"

	"mneme/store"
)

// Told is an Observer that only hears which statements, reads and writes begin.
type Told func(name string)

// Begin tells the name.
func (t Told) Begin(_ context.Context, name string) func(error) {
	if name != store.Commit {
		t(name)
	}
	return func(error) {}
}

// Statements does nothing.
func (Told) Statements(int) {}
