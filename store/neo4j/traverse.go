package neo4j

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// fewLinks is how many links a record may have to be read with all of them, where fewer are asked for.
const fewLinks = 100

// Neighbours reads who is linked to records; see store.Traverser. It is one round trip where all of them
// have few links. Those of records that have many are read in order, from the index of each type and
// direction that they have: a query each, because one for all types takes a second to plan.
func (s *tenantStore) Neighbours(ctx context.Context, q store.AdjacencyQuery) ([]string, error) {
	keys := graph.KeyLists(q.Of)
	out, in := followed(wantedLinks(q.Relations), q.Direction)
	if len(keys) == 0 || len(out)+len(in) == 0 || q.Limit <= 0 {
		return []string{}, nil
	}
	values := cypher.Parameters{"keys": keys, "out": out, "in": in, "few": max(fewLinks, q.Limit), "limit": q.Limit + len(q.Of)}
	bound := bolt.ComparablePart(q.After)
	if bound != q.After {
		values["limit"] = math.MaxInt32 // what lies between the two must not take the places of what follows
	}
	values["after"] = bound
	rows, err := bolt.Read(ctx, s.Connection, s.Query(nearNeighbours, values), decodeNear)
	if err != nil {
		return nil, err
	}
	found := make([]string, 0, len(rows))
	for _, row := range rows {
		if row.neighbour > q.After {
			found = append(found, row.neighbour)
		}
	}
	for way, ids := range hubs(rows, out, in) {
		values := cypher.Parameters{"ids": ids, "limit": q.Limit, "after": q.After}
		more, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("neighbours_of_hubs", way), values), bolt.Column[string]("neighbour"))
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	slices.Sort(found)
	found = slices.Compact(found)
	return found[:min(len(found), q.Limit)], nil
}

var nearNeighbours = cypher.Rendered("neighbours", graph.LinkTypes)

// wantedLinks are the names of types that there are, of all where relations is nil.
func wantedLinks(relations []string) []string {
	names := memory.Mapped(graph.LinkTypes, func(l graph.LinkType) string { return l.Name })
	return slices.DeleteFunc(names, func(name string) bool { return relations != nil && !slices.Contains(relations, name) })
}

// followed are the types of links that are followed in each direction, of some.
func followed(names []string, direction memory.Direction) (out, in []string) {
	switch direction {
	case memory.DirectionOut:
		return names, []string{}
	case memory.DirectionIn:
		return []string{}, names
	}
	return names, names
}

// near is a neighbour, or a record that has many.
type near struct {
	neighbour string
	hub       []any // its id, then its types of links, see the statement neighbours
}

func decodeNear(f *bolt.Fields) near {
	if hub := bolt.List[any](f, "hub"); len(hub) > 0 {
		return near{hub: hub}
	}
	return near{neighbour: f.Text("neighbour")}
}

// linkWay is a type of link and the end of it from which it is followed.
type linkWay struct{ Type, Near, Far string }

// hubs gives the ids of records that have many links, by the wanted ways that they have.
func hubs(rows []near, out, in []string) map[linkWay][]string {
	wanted, hubs := map[any]linkWay{}, map[linkWay][]string{}
	for _, name := range out {
		wanted[name+">"] = linkWay{name, "from", "to"}
	}
	for _, name := range in {
		wanted[">"+name] = linkWay{name, "to", "from"}
	}
	for _, row := range rows {
		for i, link := range row.hub {
			if way, is := wanted[link]; i > 0 && is {
				hubs[way] = append(hubs[way], fmt.Sprint(row.hub[0]))
			}
		}
	}
	return hubs
}

// Exist says which ids are those of records; see store.Traverser.
func (s *tenantStore) Exist(ctx context.Context, ids []string) ([]bool, error) {
	exist, keys := make([]bool, len(ids)), graph.KeyLists(ids)
	if len(keys) == 0 {
		return exist, nil
	}
	found, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("exist"), cypher.Parameters{"keys": keys}), bolt.Column[string]("id"))
	known := linking.SetOf(found...)
	for i, id := range ids {
		exist[i] = known.Has(id)
	}
	return exist, err
}

// someLinks is how many links a record may have to be read with all of them in search of links between
// two sets. A link of two records that have more is looked up by its ends.
const someLinks = 1000

// LinksBetween reads the links between two sets of records; see store.Traverser. It reads those of the smaller set, in
// one round trip, unless some records there have many: their links are read from the other ends.
func (s *tenantStore) LinksBetween(ctx context.Context, a, b, relations []string, limit int) ([]store.Link, error) {
	names := wantedLinks(relations)
	if len(a) == 0 || len(b) == 0 || len(names) == 0 || limit <= 0 {
		return []store.Link{}, nil
	}
	small, large := linking.SetOf(a...), linking.SetOf(b...)
	if len(small) > len(large) {
		small, large = large, small
	}
	links, hubs, err := s.linksOf(ctx, small.Sorted(), large.Sorted(), names, limit)
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
	return store.FirstLinks(links, limit), nil
}

// linksToHubs reads the links of those of a small set that have many to a large set. The other ends have
// few, or are looked up as pairs. Where both sets are one, the links of those with few are read already.
func (s *tenantStore) linksToHubs(ctx context.Context, hubs []string, small, large linking.KeySet, relations []string, limit int) (links []store.Link, err error) {
	others := hubs
	if !maps.Equal(small, large) {
		if links, others, err = s.linksOf(ctx, large.Sorted(), hubs, relations, limit); err != nil {
			return nil, err
		}
	}
	for _, link := range graph.LinkTypes {
		if !slices.Contains(relations, link.Name) {
			continue
		}
		for _, sets := range [][2][]string{{hubs, others}, {others, hubs}} {
			sources, targets := ofKinds(sets[0], link.From), ofKinds(sets[1], link.To)
			if len(sources) == 0 || len(targets) == 0 {
				continue
			}
			values := cypher.Parameters{"sources": sources, "targets": targets, "limit": limit}
			found, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("links_of_hubs", link.Name), values), linkOf)
			if err != nil {
				return nil, err
			}
			links = append(links, found...)
		}
	}
	return links, nil
}

// linksOf reads the links from records that have few to others, and tells which have many.
func (s *tenantStore) linksOf(ctx context.Context, ids, others, relations []string, limit int) (links []store.Link, hubs []string, err error) {
	values := cypher.Parameters{
		"keys": graph.KeyLists(ids), "others": others, "relations": relations, "few": someLinks, "limit": limit + len(ids),
	}
	links = []store.Link{}
	found, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("links_between"), values), linkOf)
	for _, link := range found {
		if link.Target == "" { // a record that has many
			hubs = append(hubs, link.Source)
		} else {
			links = append(links, link)
		}
	}
	return links, hubs, err
}

func linkOf(f *bolt.Fields) store.Link {
	return store.Link{Source: f.Text("source"), Target: f.Text("target"), Type: f.Text("type")}
}

// ofKinds gives the ids that are of one of the kinds.
func ofKinds(ids []string, kinds []memory.Kind) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool {
		kind, _, ok := memory.SplitID(id)
		return !ok || !slices.Contains(kinds, kind)
	})
}
