package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/unicode/norm"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/redaction"
	"mneme/store"
)

// maxMarks is how many marks a letter of a name may carry: beyond it, normalisation takes them apart by a joiner
// of its own, and the name would no longer be what was sent.
const maxMarks = 30

// markJoiner is what normalisation takes longer rows of marks apart with.
const markJoiner = "\u034f"

// NameForm is the one form in which names are kept, Unicode's NFC; ok is false where a letter carries too many
// marks for it.
func NameForm(name string) (form string, ok bool) {
	if norm.NFC.IsNormalString(name) {
		return name, true
	}
	form = norm.NFC.String(name)
	return form, strings.Count(form, markJoiner) == strings.Count(name, markJoiner)
}

// fewerMarks is a name without the marks that no letter may carry; far fewer stay than may, since some are two in another form.
func fewerMarks(name string) string {
	marks := 0
	form, _ := NameForm(strings.Map(func(r rune) rune {
		if norm.NFC.PropertiesString(string(r)).LeadCCC() == 0 {
			marks = 0
			return r
		}
		if marks++; marks > maxMarks/3 {
			return -1
		}
		return r
	}, name))
	return form
}

// SameName says whether two texts spell one name.
func SameName(a, b string) bool {
	if a == b {
		return true
	}
	a, aHas := NameForm(a)
	b, bHas := NameForm(b)
	return aHas && bHas && a == b
}

// formed brings a name to its form.
func (b *boundary) formed(field, name string) string {
	form, ok := NameForm(name)
	if ok {
		return form
	}
	if b.kept { // otherwise it may be looked for
		b.fail(memory.Invalid(field, "has more than %d marks on one letter", maxMarks))
	}
	return name
}

// terms are texts each of which must say something, and by which more is grouped: in the form of names.
func (b *boundary) terms(field string, values []string) []string {
	return each(b, field, values, func(place, value string) string { return b.formed(place, b.required(place, value)) })
}

// circumstances are JSON that is compared as a whole: all that it says has the form of names.
func (b *boundary) circumstances(value memory.JSON) memory.JSON {
	const field = "context"
	return b.formedJSON(field, b.json(field, value))
}

// formedJSON brings all texts of a value to the form of names.
func (b *boundary) formedJSON(field string, value memory.JSON) memory.JSON {
	if norm.NFC.IsNormal(value) {
		return value
	}
	return redaction.MapJSON(value, func(text string) string { return b.formed(field, text) })
}

// Unknown gathers, for a front end, the names by which reads asked and of which nothing is known. The zero value is ready.
type Unknown struct {
	mu    sync.Mutex
	names []UnknownName
}

// UnknownName is a name of which nothing is known.
type UnknownName struct {
	Field   string `json:"field"` // which gave it, as the API names it
	Message string `json:"message"`
}

type unknownKey struct{}

// Within lets reads of a context tell of such names.
func (u *Unknown) Within(ctx context.Context) context.Context {
	return context.WithValue(ctx, unknownKey{}, u)
}

// Names are those so far, each once.
func (u *Unknown) Names() []UnknownName {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.Clone(u.names)
}

func (u *Unknown) note(name UnknownName) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !slices.Contains(u.names, name) {
		u.names = append(u.names, name)
	}
}

// called is a name that a read asks by.
type called struct {
	field, what string
	kind        memory.Kind // of the record that it is the id of; "" where it is no record's
	name        *string     // nil where it was left out
	all         func(context.Context, store.Store) ([]string, error)
}

func calledAgent(name *string) called {
	return called{"agentId", "agent", memory.KindAgent, name, func(ctx context.Context, s store.Store) ([]string, error) {
		return firstNames(ctx, listOf(s, "the agent", store.AllAgents{}), func(a *memory.Agent) string { return a.Key })
	}}
}

func calledMemoir(field string, name *string) called {
	return called{field, "memoir", memory.KindMemoir, name, func(ctx context.Context, s store.Store) ([]string, error) {
		return memoirNames(ctx, s, func(m *memory.Memoir) string { return m.Key })
	}}
}

// calledMemoirName is for memoirs that are asked for by what people call them.
func calledMemoirName(name *string) called {
	return called{"name", "memoir", "", name, func(ctx context.Context, s store.Store) ([]string, error) {
		return memoirNames(ctx, s, func(m *memory.Memoir) string { return m.Name })
	}}
}

func calledTaskType(name *string) called {
	return called{"taskType", "task type", "", name, func(ctx context.Context, s store.Store) ([]string, error) { return s.AllTaskTypes(ctx) }}
}

func calledSectionType(name *string) called {
	return called{"sectionType", "section type", "", name, func(ctx context.Context, s store.Store) ([]string, error) { return s.SectionTypes(ctx) }}
}

func calledJudge(name *string) called {
	return called{"judgeId", "judge", "", name, func(ctx context.Context, s store.Store) ([]string, error) { return s.Judges(ctx) }}
}

func memoirNames(ctx context.Context, s store.Store, name func(*memory.Memoir) string) ([]string, error) {
	return firstNames(ctx, listOf(s, "the memoir", store.MemoirsOf{}), name)
}

// maxNames is among how many names a similar one is looked for.
const maxNames = 10_000

var errEnoughNames = errors.New("enough names")

func firstNames[T any](ctx context.Context, of list[T], name func(T) string) (names []string, err error) {
	err = of.each(ctx, nil, func(items []T) error {
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

// nothingFor looks at the names by which a read asked that found nothing. One of which nothing is known is NOT_FOUND where
// a similar one is known; else it is only noted (see Unknown), since who is new may ask, too.
func (t *tenant) nothingFor(ctx context.Context, found int, names ...called) error {
	for _, c := range names {
		if found > 0 || c.name == nil || t.user != "" { // whose names are not told
			continue
		}
		if err := t.checkName(ctx, c); err != nil {
			return fault("the "+c.what, err)
		}
	}
	return nil
}

func (t *tenant) checkName(ctx context.Context, c called) error {
	ctx = store.Unmetered(ctx)
	name := *c.name
	if c.kind != "" {
		name = memory.KeyOf(c.kind, name)
	}
	name, _ = NameForm(name)
	if c.kind != "" {
		if exist, err := t.store.Exist(ctx, []string{memory.NodeID(c.kind, name)}); err != nil || exist[0] {
			return err
		}
	}
	known, err := c.all(ctx, t.store)
	if err != nil || slices.Contains(known, name) {
		return err
	}
	missing := t.NotFound(ctx, c.field, "the "+c.what, name)
	if similar := prose.Nearest(name, known); similar != "" {
		missing.Message += fmt.Sprintf("; did you mean %q?", similar)
		return missing
	}
	if unknown, ok := ctx.Value(unknownKey{}).(*Unknown); ok {
		unknown.note(UnknownName{Field: c.field, Message: missing.Message})
	}
	return nil
}
