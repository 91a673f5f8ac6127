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

// Called is a name that a read asks by.
type Called struct {
	Field, what string
	kind        memory.Kind // of the record that it is the id of; "" where it is no record's
	name        *string     // nil where it was left out
	all         func(context.Context, store.Store) ([]string, error)
}

// CalledAgent is an agent that is asked by.
func CalledAgent(name *string) Called {
	return Called{"agentId", "agent", memory.KindAgent, name, func(ctx context.Context, s store.Store) ([]string, error) {
		return firstNames(ctx, reading.ListOf(s, "the agent", store.AllAgents{}), func(a *memory.Agent) string { return a.Key })
	}}
}

// CalledMemoir is a memoir that is asked by in a field.
func CalledMemoir(field string, name *string) Called {
	return Called{field, "memoir", memory.KindMemoir, name, func(ctx context.Context, s store.Store) ([]string, error) {
		return memoirNames(ctx, s, func(m *memory.Memoir) string { return m.Key })
	}}
}

// CalledMemoirName is for memoirs that are asked for by what people call them.
func CalledMemoirName(name *string) Called {
	return Called{"name", "memoir", "", name, func(ctx context.Context, s store.Store) ([]string, error) {
		return memoirNames(ctx, s, func(m *memory.Memoir) string { return m.Name })
	}}
}

// CalledTaskType is a task type that is asked by.
func CalledTaskType(name *string) Called {
	return Called{"taskType", "task type", "", name, func(ctx context.Context, s store.Store) ([]string, error) { return s.Names(ctx, store.TaskTypes) }}
}

// CalledSectionType is a type of section that is asked by.
func CalledSectionType(name *string) Called {
	return Called{"sectionType", "section type", "", name, func(ctx context.Context, s store.Store) ([]string, error) { return s.Names(ctx, store.SectionTypes) }}
}

// CalledJudge is a judge that is asked by.
func CalledJudge(name *string) Called {
	return Called{"judgeId", "judge", "", name, func(ctx context.Context, s store.Store) ([]string, error) { return s.Names(ctx, store.Judges) }}
}

func memoirNames(ctx context.Context, s store.Store, name func(*memory.Memoir) string) ([]string, error) {
	return firstNames(ctx, reading.ListOf(s, "the memoir", store.MemoirsOf{}), name)
}

// maxNames is among how many names a similar one is looked for.
const maxNames = 10_000

var errEnoughNames = errors.New("enough names")

func firstNames[T any](ctx context.Context, of reading.List[T], name func(T) string) (names []string, err error) {
	err = of.Each(ctx, nil, func(items []T) error {
		for _, item := range items {
			names = append(names, name(item))
		}
		if len(names) >= maxNames {
			return errEnoughNames
		}
		return nil
	})
	if errors.Is(err, errEnoughNames) {
		err = nil
	}
	return names, err
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
	name, _ = boundary.NameForm(name)
	if c.kind != "" {
		if exist, err := t.Store.Exist(ctx, []string{memory.NodeID(c.kind, name)}); err != nil || exist[0] {
			return err
		}
	}
	known, err := c.all(ctx, t.Store)
	if err != nil || slices.Contains(known, name) {
		return err
	}
	missing := t.NotFound(ctx, c.Field, "the "+c.what, name)
	if similar := prose.Nearest(name, known); similar != "" {
		missing.Message += fmt.Sprintf("; did you mean %q?", similar)
		return missing
	}
	faults.NoteUnknown(ctx, faults.UnknownName{Field: c.Field, Message: missing.Message})
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
