package boundary

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"mneme/memory"
	"mneme/memory/redaction"
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

// fewerMarks is a name without surplus marks. Far fewer stay than a letter may carry, as some are two in another form.
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
func (b *Boundary) formed(field, name string) string {
	form, ok := NameForm(name)
	if ok {
		return form
	}
	b.Require(!b.kept, field, "has more than %d marks on one letter", maxMarks) // otherwise it may be looked for
	return name
}

// terms are texts each of which must say something, and by which more is grouped: in the form of names.
func (b *Boundary) terms(field string, values []string) []string {
	return each(b, field, values, func(place, value string) string { return b.formed(place, b.required(place, value)) })
}

// Circumstances are JSON that is compared as a whole: all that it says has the form of names.
func (b *Boundary) Circumstances(value memory.JSON) memory.JSON {
	return b.formedJSON("context", value)
}

// formedJSON is json whose texts have the form of names.
func (b *Boundary) formedJSON(field string, value memory.JSON) memory.JSON {
	value = b.json(field, value)
	if norm.NFC.IsNormal(value) {
		return value
	}
	return redaction.MapJSON(value, func(text string) string { return b.formed(field, text) })
}
