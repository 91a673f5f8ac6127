package tenancy

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/store"
)

// Names are those of which one may be asked by.
type Names struct {
	what string
	kind memory.Kind // of the records that they are the ids of; "" where they are no record's
	all  func(context.Context, store.Store) ([]string, error)
}

// The names that reads ask by.
var (
	Agents      = Names{"agent", memory.KindAgent, namesIn(store.AllAgents{}, func(a *memory.Agent) string { return a.Key })}
	Memoirs     = Names{"memoir", memory.KindMemoir, namesIn(store.MemoirsOf{}, func(m *memory.Memoir) string { return m.Key })}
	MemoirNames = Names{"memoir", "", namesIn(store.MemoirsOf{}, func(m *memory.Memoir) string { return m.Name })} // as people call them

	TaskTypes    = Names{"task type", "", func(ctx context.Context, s store.Store) ([]string, error) { return s.Names(ctx, store.TaskTypes) }}
	SectionTypes = Names{"section type", "", func(ctx context.Context, s store.Store) ([]string, error) { return s.Names(ctx, store.SectionTypes) }}
	Judges       = Names{"judge", "", func(ctx context.Context, s store.Store) ([]string, error) { return s.Names(ctx, store.Judges) }}
)

// Called is a name that a read asks by.
type Called struct {
	Names
	field string
	name  *string // nil where it was left out
}

// Called is one of the names that a field gives.
func (n Names) Called(field string, name *string) Called { return Called{n, field, name} }

// maxNames is among how many names a similar one is looked for, of which some are read at once.
const maxNames, namesAtOnce = 10_000, 1000

func namesIn[T any](query store.Query[T], name func(*T) string) func(context.Context, store.Store) ([]string, error) {
	return func(ctx context.Context, s store.Store) (names []string, err error) {
		for items, err := range reading.ListOf(s, "the names", query).Parts(ctx, nil, namesAtOnce) {
			if names = append(names, memory.Mapped(items, name)...); err != nil || len(names) >= maxNames {
				return names, err
			}
		}
		return names, nil
	}
}

// NothingFor looks at the names by which a read asked that found nothing. One of which nothing is known is NOT_FOUND
// where a similar one is known; else it is only noted (see Unknown), since who is new may ask, too.
func (t *Tenant) NothingFor(ctx context.Context, found int, names ...Called) error {
	for _, c := range names {
		if found > 0 || c.name == nil || t.user != "" { // whose names are not told
			continue
		}
		if err := t.checkName(ctx, c); err != nil {
			return faults.Of("the "+c.what, err)
		}
	}
	return nil
}

func (t *Tenant) checkName(ctx context.Context, c Called) error {
	ctx = store.Unmetered(ctx)
	name := *c.name
	if c.kind != "" {
		name = memory.KeyOf(c.kind, name)
	}
	name = boundary.NameForm(name)
	if c.kind != "" {
		if exist, err := t.Store.Exist(ctx, []string{memory.NodeID(c.kind, name)}); err != nil || exist[0] {
			return err
		}
	}
	known, err := c.all(ctx, t.Store)
	if err != nil || slices.Contains(known, name) {
		return err
	}
	missing := t.NotFound(ctx, c.field, "the "+c.what, name)
	if similar := prose.Nearest(name, known); similar != "" {
		missing.Message += fmt.Sprintf("; did you mean %q?", similar)
		return missing
	}
	faults.NoteUnknown(ctx, faults.UnknownName{Field: c.field, Message: missing.Message})
	return nil
}

// longestNamed is how many characters are repeated of the name of what does not exist.
const longestNamed = 100

// NotFound is the error of a record that does not exist, by the name the caller gave it: shortened and redacted.
func (t *Tenant) NotFound(ctx context.Context, field, subject, name string) *memory.Error {
	redactor := t.Redactor(ctx)
	shown := prose.Shorten(redactor.Text(name), longestNamed)
	return &memory.Error{Code: memory.CodeNotFound, Field: field, Message: fmt.Sprintf("%s %q does not exist", subject, shown)}
}

// FaultAt is fault for a call about a record that the caller named in a field, which says so where it does not exist.
func (t *Tenant) FaultAt(ctx context.Context, field, subject, name string, err error) error {
	err = faults.Of(subject, err)
	if known, ok := errors.AsType[*memory.Error](err); !ok || known.Code != memory.CodeNotFound {
		return err
	}
	missing := t.NotFound(ctx, field, subject, name)
	missing.Cause = err
	return missing
}

// MustExist is NOT_FOUND in a field where there is no record of an id.
func (t *Tenant) MustExist(ctx context.Context, field, id string) error {
	known, err := t.Store.Exist(ctx, []string{id})
	if err == nil && !known[0] {
		return t.NotFound(ctx, field, "the record", id)
	}
	return faults.Of("the record", err)
}
