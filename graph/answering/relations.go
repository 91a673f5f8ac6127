package answering

import (
	"context"
	"strings"

	"mneme/memory"
	"mneme/service"
)

// RelationsRef is the relations of a concept.
type RelationsRef struct {
	Key       string
	Direction memory.Direction
	types     string // joined; empty means all
}

// RelationsOf names the relations of a concept, of some types or, where there are none, of all.
func RelationsOf(key string, direction memory.Direction, types []memory.RelationType) RelationsRef {
	names := memory.Mapped(types, func(t memory.RelationType) string { return string(t) })
	return RelationsRef{Key: key, Direction: direction, types: strings.Join(names, " ")}
}

func (r RelationsRef) of() []memory.RelationType {
	var types []memory.RelationType
	for name := range strings.FieldsSeq(r.types) {
		types = append(types, memory.RelationType(name))
	}
	return types
}

// relations reads those of many concepts, with one read for each direction and choice of types.
func relations(tenant *service.Tenant) func(context.Context, []RelationsRef) ([][]*memory.Relation, error) {
	return func(ctx context.Context, refs []RelationsRef) ([][]*memory.Relation, error) {
		return grouped(refs,
			func(r RelationsRef) (RelationsRef, string) { return RelationsRef{"", r.Direction, r.types}, r.Key },
			func(of RelationsRef, keys []string) ([][]*memory.Relation, error) {
				return ordered(func(ctx context.Context, keys []string) (map[string][]*memory.Relation, error) {
					return tenant.Knowledge.Relations(ctx, keys, of.Direction, of.of())
				})(ctx, keys)
			})
	}
}
