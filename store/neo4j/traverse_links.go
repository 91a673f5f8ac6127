package neo4j

import (
	"cmp"
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// someLinks is how many links a record may have to be read with all of them in search of links between
// two sets. A link of two records that have more is looked up by its ends.
const someLinks = 1000

// LinksBetween reads the links between two sets of records; see store.Traverser. It is one round trip,
// unless either set has a record with many links.
func (s *tenantStore) LinksBetween(ctx context.Context, a, b, relations []string, limit int) ([]store.Link, error) {
	names := wantedLinks(relations)
	if len(a) == 0 || len(b) == 0 || len(names) == 0 || limit <= 0 {
		return []store.Link{}, nil
	}
	text, err := expandOnce("links_between", labels)
	if err != nil {
		return nil, err
	}
	inA, inB := setOf(a...), setOf(b...)
	found, err := read(ctx, s.backend, s.query("links_between", text, parameters{
		"keys": keyLists(keysByKind(slices.Concat(a, b))), "a": inA.sorted(), "b": inB.sorted(), "relations": names,
		"few": someLinks, "limit": limit, "hubs": len(inA) + len(inB),
	}), decodeLinkOrHub)
	if err != nil {
		return nil, err
	}
	links, hubsA, hubsB := []store.Link{}, []string{}, []string{}
	for _, row := range found {
		switch {
		case row.hub == "":
			links = append(links, row.Link)
			continue
		case inA.has(row.hub):
			hubsA = append(hubsA, row.hub)
		}
		if inB.has(row.hub) {
			hubsB = append(hubsB, row.hub)
		}
	}
	more, err := s.linksOfHubs(ctx, hubsA, hubsB, names, limit)
	if err != nil {
		return nil, err
	}
	links = append(links, more...)
	slices.SortFunc(links, compareLinks)
	links = slices.Compact(links)
	return links[:min(len(links), limit)], nil
}

func compareLinks(a, b store.Link) int {
	return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Target, b.Target), cmp.Compare(a.Type, b.Type))
}

// linkOrHub is a link, or the id of a record that has many.
type linkOrHub struct {
	store.Link
	hub string
}

func decodeLinkOrHub(row *neo4j.Record) (linkOrHub, error) {
	hub, err := optionalColumn[string]("hub")(row)
	if err != nil || hub != "" {
		return linkOrHub{hub: hub}, err
	}
	link, err := decodeLink(row)
	return linkOrHub{Link: link}, err
}

func decodeLink(row *neo4j.Record) (store.Link, error) {
	f := fieldsOf(row.AsMap())
	return store.Link{Source: f.text("source"), Target: f.text("target"), Type: f.text("type")}, f.err
}

// linksOfHubs looks up the links between two sets of records that have many, of each type that leads
// from a kind in one set to a kind in the other.
func (s *tenantStore) linksOfHubs(ctx context.Context, a, b, relations []string, limit int) ([]store.Link, error) {
	var links []store.Link
	for _, link := range linkTypes {
		if !slices.Contains(relations, link.Name) {
			continue
		}
		for _, sets := range [][2][]string{{a, b}, {b, a}} {
			sources, targets := ofKinds(sets[0], link.from), ofKinds(sets[1], link.to)
			if len(sources) == 0 || len(targets) == 0 {
				continue
			}
			text, err := expand("links_of_hubs", link.Name)
			if err != nil {
				return nil, err
			}
			values := parameters{"sources": sources, "targets": targets, "limit": limit}
			found, err := read(ctx, s.backend, s.query("links_of_hubs", text, values), decodeLink)
			if err != nil {
				return nil, err
			}
			links = append(links, found...)
		}
	}
	return links, nil
}

// ofKinds gives the ids that are of one of the kinds.
func ofKinds(ids []string, kinds []memory.Kind) []string {
	var some []string
	for _, id := range ids {
		if kind, _, ok := splitID(id); ok && slices.Contains(kinds, kind) {
			some = append(some, id)
		}
	}
	return some
}
