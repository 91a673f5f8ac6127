package neo4j

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// Neighbours reads who is linked to records, in one round trip; see store.Traverser. The query is the
// same whatever is asked for, so that it is planned once: a type or a direction that is not wanted, or
// that records of this kind do not have, gets no ids to start from.
func (s *tenantStore) Neighbours(ctx context.Context, q store.AdjacencyQuery) ([]string, error) {
	out, in := linkEnds(q.Of, q.Relations, q.Direction)
	if len(out)+len(in) == 0 || q.Limit <= 0 {
		return []string{}, nil
	}
	text, err := neighboursText()
	if err != nil {
		return nil, err
	}
	values := parameters{"out": out, "in": in, "after": q.After, "limit": q.Limit}
	return read(ctx, s.backend, s.query("neighbours", text, values), column[string]("neighbour"))
}

func neighboursText() (string, error) { return expandOnce("neighbours", linkTypes) }

// linkEnds gives, by the types of links that are wanted, the ids that have such links, out of them and
// into them.
func linkEnds(ids, relations []string, direction store.Direction) (out, in parameters) {
	out, in = parameters{}, parameters{}
	byKind := idsByKind(ids)
	for _, link := range linkTypes {
		if relations != nil && !slices.Contains(relations, link.Name) {
			continue
		}
		if direction != store.In {
			addEnds(out, link.Name, byKind, link.from)
		}
		if direction != store.Out {
			addEnds(in, link.Name, byKind, link.to)
		}
	}
	return out, in
}

// addEnds notes the ids of some kinds as ends of links of a type, where there are any.
func addEnds(ends parameters, link string, byKind map[memory.Kind][]string, kinds []memory.Kind) {
	var ids []string
	for _, kind := range kinds {
		ids = append(ids, byKind[kind]...)
	}
	if len(ids) > 0 {
		ends[link] = ids
	}
}

// idsByKind sorts global ids by kind, each once; those that are none are left out.
func idsByKind(ids []string) map[memory.Kind][]string {
	byKind := map[memory.Kind][]string{}
	for kind, keys := range keysByKind(ids) {
		for _, key := range keys.sorted() {
			byKind[kind] = append(byKind[kind], memory.NodeID(kind, key))
		}
	}
	return byKind
}

// fewLinks is how many links of a record are read to find those that lead to a given set, where the set
// is smaller than that. Those of a record with more are looked up one by one.
const fewLinks = 100

// LinksBetween reads the links between two sets of records; see store.Traverser.
func (s *tenantStore) LinksBetween(ctx context.Context, a, b, relations []string, limit int) ([]store.Link, error) {
	if len(a) > len(b) {
		a, b = b, a
	}
	out, in := linkEnds(a, relations, store.Both)
	if len(out)+len(in) == 0 || len(b) == 0 || limit <= 0 {
		return []store.Link{}, nil
	}
	text, err := expandOnce("links_between", linkTypes)
	if err != nil {
		return nil, err
	}
	return read(ctx, s.backend, s.query("links_between", text, parameters{
		"out": out, "in": in, "others": setOf(b...).sorted(), "few": max(fewLinks, len(b)), "limit": limit,
	}), decodeLink)
}

func decodeLink(row *neo4j.Record) (store.Link, error) {
	f := fieldsOf(row.AsMap())
	return store.Link{Source: f.text("source"), Target: f.text("target"), Type: f.text("type")}, f.err
}

// Exist says which ids are those of records; see store.Traverser.
func (s *tenantStore) Exist(ctx context.Context, ids []string) ([]bool, error) {
	exist := make([]bool, len(ids))
	keys := keyLists(keysByKind(ids))
	if len(keys) == 0 {
		return exist, nil
	}
	text, err := expandOnce("exist", labels)
	if err != nil {
		return nil, err
	}
	found, err := read(ctx, s.backend, s.query("exist", text, parameters{"keys": keys}), column[string]("id"))
	if err != nil {
		return nil, err
	}
	known := setOf(found...)
	for i, id := range ids {
		exist[i] = known.has(id)
	}
	return exist, nil
}
