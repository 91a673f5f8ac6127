package boundary

import (
	"golang.org/x/text/unicode/norm"

	"mneme/memory"
	"mneme/memory/redaction"
)

// NameForm is the one form in which names are kept, Unicode's NFC.
func NameForm(name string) string { return norm.NFC.String(name) }

// SameName says whether two texts spell one name.
func SameName(a, b string) bool { return NameForm(a) == NameForm(b) }

// terms are texts each of which must say something, and by which more is grouped: in the form of names.
func (b *Boundary) terms(field string, values []string) []string {
	return each(b, field, values, func(place, value string) string { return NameForm(b.required(place, value)) })
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
	return redaction.MapJSON(value, NameForm)
}
