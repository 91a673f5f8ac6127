package service

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"mneme/memory"
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

// spellingsOf are the forms in which a name may be kept: the one that names have, and those from before.
func spellingsOf(name string) []string {
	form, ok := NameForm(name)
	if !ok {
		return []string{name}
	}
	return distinct([]string{form, name, norm.NFD.String(form)})
}

// naming is how a boundary takes names.
type naming int

const (
	// namesKept brings names to their one form, but leaves the keys of records as they are given that are kept
	// so, from before names had one form.
	namesKept naming = iota
	// namesFormed brings every name to its one form.
	namesFormed
	// namesGiven leaves names as they are given, as before they had one form.
	namesGiven
	// namesFormedAlready refuses names that have not their one form, but for keys of records that are kept so.
	namesFormedAlready
)

// formed brings a name to its form.
func (b *boundary) formed(field, name string) string {
	if b.naming == namesGiven {
		return name
	}
	form, ok := NameForm(name)
	switch {
	case b.naming == namesFormedAlready && form != name:
		b.fail(memory.Invalid(field, "is not in the form NFC of Unicode, which names have"))
	case ok:
		b.respelled = b.respelled || form != name
		return form
	case b.kept: // otherwise it may be looked for
		b.fail(memory.Invalid(field, "has more than %d marks on one letter", maxMarks))
	}
	return name
}

// terms are texts each of which must say something, and by which more is grouped: in the form of names.
func (b *boundary) terms(field string, values []string) []string {
	terms := b.requiredTexts(field, values)
	for i, term := range terms {
		terms[i] = b.formed(at(field, i), term)
	}
	return terms
}

// circumstances are JSON that is compared as a whole: all that it says has the form of names.
func (b *boundary) circumstances(value memory.JSON) memory.JSON {
	const field = "context"
	clean := b.json(field, value)
	if norm.NFC.IsNormal(clean) {
		return clean
	}
	return redaction.MapJSON(clean, func(text string) string { return b.formed(field, text) })
}

// spelled is a name of which a key is made: in its form, unless the global id that it makes as it is given is a
// record's.
func (b *boundary) spelled(field, name string, id func(name string) string) string {
	if form, ok := NameForm(name); ok && form == name || !b.keeps(id(name)) {
		return b.label(field, name)
	}
	b.checkName(field, name)
	return name
}

// keeps says whether a record is kept under an id that has not the form of names.
func (b *boundary) keeps(id string) bool {
	if b.naming != namesKept && b.naming != namesFormedAlready || b.spellings == nil || !b.going && memory.CheckID("id", id) != nil {
		return false
	}
	kept, err := b.spellings.has(id)
	b.fail(err)
	b.unformed = b.unformed || kept
	return kept
}

// foresee looks up together the ids that will be asked about one by one.
func (b *boundary) foresee(ids []string) {
	if b.naming == namesKept && b.spellings != nil {
		b.fail(b.spellings.lookUp(slices.DeleteFunc(ids, func(id string) bool {
			return norm.NFC.IsNormalString(id) || memory.CheckID("id", id) != nil
		})))
	}
}

// spellings are the records whose ids have not the form of names, as far as a call asks about them. Who sends
// names in their form never does.
type spellings struct {
	exist func(ctx context.Context, ids []string) ([]bool, error)
	ctx   context.Context // of the one call that it is for
	kept  map[string]bool // what is known, by global id
	// gathering notes what is asked, for lookUp, and knows nothing yet.
	gathering bool
	asked     []string
}

func (t *tenant) newSpellings(ctx context.Context) *spellings {
	exist := func(ctx context.Context, ids []string) ([]bool, error) {
		exist, err := t.shared.Exist(store.Unmetered(ctx), ids)
		return exist, fault("the record", err)
	}
	return &spellings{exist: exist, ctx: ctx, kept: map[string]bool{}}
}

func (k *spellings) has(id string) (bool, error) {
	err := k.lookUp([]string{id})
	return k.kept[id], err
}

// lookUp learns which of the ids are records'.
func (k *spellings) lookUp(ids []string) error {
	unknown := slices.DeleteFunc(distinct(ids), func(id string) bool {
		_, known := k.kept[id]
		_, _, isID := memory.SplitID(id)
		return known || !isID || !utf8.ValidString(id)
	})
	if k.gathering {
		k.asked = append(k.asked, unknown...)
		return nil
	}
	for part := range slices.Chunk(unknown, MaxList) {
		exist, err := k.exist(k.ctx, part)
		if err != nil {
			return err
		}
		for i, id := range part {
			k.kept[id] = exist[i]
		}
	}
	return nil
}

type spellingsKey struct{}

// together lets the boundaries of many records, which convert opens with the context it is given, ask about spellings
// in one query: where any of them is a record's, convert runs a second time.
func (t *tenant) together(ctx context.Context, convert func(ctx context.Context)) error {
	k := t.newSpellings(ctx)
	k.gathering = true
	ctx = context.WithValue(ctx, spellingsKey{}, k)
	convert(ctx)
	k.gathering = false
	if err := k.lookUp(k.asked); err != nil {
		return err
	}
	for _, kept := range k.kept {
		if kept {
			convert(ctx)
			break
		}
	}
	return nil
}
