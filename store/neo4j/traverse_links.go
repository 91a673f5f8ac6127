package neo4j

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// someLinks is how many links a record may have to be read with all of them in search of links between
// two sets. A link of two records that have more is looked up by its ends.
const someLinks = 1000

// LinksBetween reads the links between two sets of records; see store.Traverser. It reads those of the
// smaller set, in one round trip, unless some records there have many: their links are read from the
// other ends.
func (s *tenantStore) LinksBetween(ctx context.Context, a, b, relations []string, limit int) ([]store.Link, error) {
	names := wantedLinks(relations)
	if len(a) == 0 || len(b) == 0 || len(names) == 0 || limit <= 0 {
		return []store.Link{}, nil
	}
	small, large := setOf(a...), setOf(b...)
	if len(small) > len(large) {
		small, large = large, small
	}
	links, hubs, err := s.linksOf(ctx, small.sorted(), large.sorted(), names, limit)
	if err != nil {
		return nil, err
	}
	if len(hubs) > 0 {
		more, err := s.linksToHubs(ctx, hubs, small, large, names, limit)
		if err != nil {
			return nil, err
		}
		links = append(links, more...)
	}
	slices.SortFunc(links, compareLinks)
	links = slices.Compact(links)
	return links[:min(len(links), limit)], nil
}

// linksToHubs reads the links of those of a small set that have many to a large set. The other ends have
// few, or are looked up as pairs. Where both sets are one, the links of those with few are read already.
func (s *tenantStore) linksToHubs(ctx context.Context, hubs []string, small, large keySet, relations []string, limit int) ([]store.Link, error) {
	links, others := []store.Link(nil), hubs
	if !maps.Equal(small, large) {
		var err error
		if links, others, err = s.linksOf(ctx, large.sorted(), hubs, relations, limit); err != nil {
			return nil, err
		}
	}
	more, err := s.linksOfHubs(ctx, hubs, others, relations, limit)
	return append(links, more...), err
}

var linksBetween = rendered("links_between", labels)

// linksOf reads the links from records that have few to others, and tells which have many.
func (s *tenantStore) linksOf(ctx context.Context, ids, others, relations []string, limit int) (links []store.Link, hubs []string, err error) {
	found, err := read(ctx, s.backend, s.query(linksBetween, linksParameters(ids, others, relations, limit)), decodeLinkOrHub)
	links = make([]store.Link, 0, len(found))
	for _, row := range found {
		if row.hub != "" {
			hubs = append(hubs, row.hub)
		} else {
			links = append(links, row.Link)
		}
	}
	return links, hubs, err
}

func linksParameters(ids, others, relations []string, limit int) parameters {
	return parameters{
		"keys": keyLists(keysByKind(ids)), "others": others, "relations": relations,
		"few": someLinks, "limit": limit + len(ids),
	}
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
			values := parameters{"sources": sources, "targets": targets, "limit": limit}
			found, err := read(ctx, s.backend, s.query(rendered("links_of_hubs", link.Name), values), decodeLink)
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
		if kind, _, ok := memory.SplitID(id); ok && slices.Contains(kinds, kind) {
			some = append(some, id)
		}
	}
	return some
}
