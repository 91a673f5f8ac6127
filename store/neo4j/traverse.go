package neo4j

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// fewLinks is how many links a record may have to be read with all of them, where fewer are asked for.
const fewLinks = 100

// Neighbours reads who is linked to records; see store.Traverser. It is one round trip where all of them
// have few links. Those of records that have many are read in order, from the index of each type and
// direction that they have: a query each, because one for all types takes a second to plan.
func (s *tenantStore) Neighbours(ctx context.Context, q store.AdjacencyQuery) ([]string, error) {
	keys, out, in := keyLists(keysByKind(q.Of)), wantedLinks(q.Relations), wantedLinks(q.Relations)
	switch q.Direction {
	case store.Out:
		in = []string{}
	case store.In:
		out = []string{}
	}
	if len(keys) == 0 || len(out)+len(in) == 0 || q.Limit <= 0 {
		return []string{}, nil
	}
	values := parameters{"keys": keys, "out": out, "in": in, "few": max(fewLinks, q.Limit), "limit": q.Limit}
	bound := comparablePart(q.After)
	if bound != q.After {
		values["limit"] = math.MaxInt32 // what lies between the two must not take the places of what follows
	}
	values["page"] = after(bound)
	near, err := one(ctx, s.backend, s.query(nearNeighbours, values), decodeNear)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(near.neighbours, func(id string) bool { return id <= q.After })
	for way, ids := range near.hubs(out, in) {
		more, err := s.neighboursOfHubs(ctx, way, ids, q)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	slices.Sort(found)
	found = slices.Compact(found)
	return found[:min(len(found), q.Limit)], nil
}

// nearShape is the part of a query that comes from constants.
type nearShape struct {
	Labels map[memory.Kind]string
	Links  []linkType
}

var nearNeighbours = rendered("neighbours", nearShape{Labels: labels, Links: linkTypes})

// after is a position as a parameter. Neo4j plans a query anew for texts of very different lengths,
// unless they are in a map.
func after(id string) parameters { return parameters{"after": id} }

// wantedLinks are the names of types that there are, of all where relations is nil.
func wantedLinks(relations []string) []string {
	names := texts(linkTypes, func(l linkType) string { return l.Name })
	if relations == nil {
		return names
	}
	return slices.DeleteFunc(names, func(name string) bool { return !slices.Contains(relations, name) })
}

// near is what is known after a look at records: neighbours, and which records have many.
type near struct {
	neighbours []string
	many       [][]any // of each its id, then its types of links, see the statement neighbours
}

func decodeNear(row *neo4j.Record) (near, error) {
	f := fieldsOf(row.AsMap())
	return near{neighbours: list[string](f, "neighbours"), many: list[[]any](f, "hubs")}, f.err
}

// linkWay is a type of link and the end of it from which it is followed.
type linkWay struct{ Type, Near, Far string }

func leaving(name string) linkWay  { return linkWay{name, "from", "to"} }
func arriving(name string) linkWay { return linkWay{name, "to", "from"} }

// hubs gives the ids of records that have many links, by the wanted ways that they have.
func (n near) hubs(out, in []string) map[linkWay][]string {
	hubs := map[linkWay][]string{}
	for _, many := range n.many {
		id := fmt.Sprint(many[0])
		for _, link := range many[1:] {
			name, leaves := strings.CutSuffix(fmt.Sprint(link), ">")
			if leaves && slices.Contains(out, name) {
				hubs[leaving(name)] = append(hubs[leaving(name)], id)
			}
			name, arrives := strings.CutPrefix(fmt.Sprint(link), ">")
			if arrives && slices.Contains(in, name) {
				hubs[arriving(name)] = append(hubs[arriving(name)], id)
			}
		}
	}
	return hubs
}

func (s *tenantStore) neighboursOfHubs(
	ctx context.Context, way linkWay, ids []string, q store.AdjacencyQuery,
) ([]string, error) {
	values := parameters{"ids": ids, "limit": q.Limit, "page": after(q.After)}
	return read(ctx, s.backend, s.query(rendered("neighbours_of_hubs", way), values), column[string]("neighbour"))
}

var whichExist = rendered("exist", labels)

// Exist says which ids are those of records; see store.Traverser.
func (s *tenantStore) Exist(ctx context.Context, ids []string) ([]bool, error) {
	exist, keys := make([]bool, len(ids)), keyLists(keysByKind(ids))
	if len(keys) == 0 {
		return exist, nil
	}
	found, err := read(ctx, s.backend, s.query(whichExist, parameters{"keys": keys}), column[string]("id"))
	known := setOf(found...)
	for i, id := range ids {
		exist[i] = known.has(id)
	}
	return exist, err
}
