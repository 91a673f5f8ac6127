package mcpserver

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/service"
)

// notesOf says of each concept that no longer holds what superseded or contradicts it, by the concept's
// key. It costs two reads however many concepts there are.
func notesOf(ctx context.Context, tenant *service.Tenant, concepts []*memory.Concept) (map[string]string, error) {
	if len(concepts) == 0 {
		return nil, nil
	}
	relations, err := tenant.Knowledge.Relations(ctx, mapped(concepts, func(c *memory.Concept) string { return c.Key }), service.DirectionBoth,
		[]memory.RelationType{memory.RelationSupersededBy, memory.RelationContradicts})
	if err != nil {
		return nil, err
	}
	var others []string
	for _, c := range concepts {
		if by := memory.SupersededBy(c.Key, relations[c.Key]); by != "" {
			others = append(others, by)
		}
		others = append(others, memory.ContradictedBy(c.Key, relations[c.Key])...)
	}
	names, err := namesOf(ctx, tenant, others)
	if err != nil {
		return nil, err
	}
	notes := map[string]string{}
	for _, c := range concepts {
		by := memory.ContradictedBy(c.Key, relations[c.Key])
		if note := memory.ConceptNote(names[memory.SupersededBy(c.Key, relations[c.Key])], called(names, by)); note != "" {
			notes[c.Key] = note
		}
	}
	return notes, nil
}

// namesOf reads the names of concepts by key; one that is gone has none.
func namesOf(ctx context.Context, tenant *service.Tenant, keys []string) (map[string]string, error) {
	names := map[string]string{}
	if len(keys) == 0 {
		return names, nil
	}
	slices.Sort(keys)
	concepts, err := tenant.Knowledge.ConceptsByKey(ctx, slices.Compact(keys))
	for _, c := range concepts {
		if c != nil {
			names[c.Key] = c.Name
		}
	}
	return names, err
}

func called(names map[string]string, keys []string) []string {
	var found []string
	for _, key := range keys {
		if name := names[key]; name != "" {
			found = append(found, name)
		}
	}
	return found
}
