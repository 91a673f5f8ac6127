package answering

import (
	"strings"

	"mneme/memory"
)

// Relations is which relations of concepts are read.
type Relations struct {
	Direction memory.Direction
	types     string // joined; empty means all
}

// RelationsOf names the relations of a concept, of some types or, where there are none, of all.
func RelationsOf(key string, direction memory.Direction, types []memory.RelationType) Ref[Relations] {
	names := memory.Mapped(types, func(t memory.RelationType) string { return string(t) })
	return Ref[Relations]{key, Relations{direction, strings.Join(names, " ")}}
}

func (r Relations) of() []memory.RelationType {
	var types []memory.RelationType
	for name := range strings.FieldsSeq(r.types) {
		types = append(types, memory.RelationType(name))
	}
	return types
}
