package neo4j

import (
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// linkShape is a query for one of the links. Causes and effects are followed from one end of their
// relationships to the other.
type linkShape struct {
	graph.EpisodeShape
	Link, Near, Far string
	Reads           bool // what is counted
}

var linkNames = map[memory.EpisodeLink]string{memory.LinkPrevious: "previous", memory.LinkNext: "next"}

// askLinks gives the shape and the values of a query for links.
func askLinks(q store.LinkedQuery) (linkShape, cypher.Parameters, error) {
	s := linkShape{EpisodeShape: graph.EpisodeShape{AsOf: q.AsOf != nil, HeadOnly: q.HeadOnly}, Link: linkNames[q.Link], Reads: q.AsOf != nil || q.User != nil}
	from := ""
	if q.Page.After != nil {
		from = memory.NodeID(memory.KindEpisode, q.Page.After.Key)
	}
	values := cypher.Parameters{"keys": linking.SetOf(q.Episodes...).Sorted(), "after": from, "limit": q.Page.Limit + 1, "user": q.User, "shared": q.Shared}
	graph.ContextParameters(values, q.AsOf)
	switch edge, forward := q.Link.Edge(); {
	case edge != "" && forward:
		s.Link, s.Near, s.Far = edge, "from", "to"
	case edge != "":
		s.Link, s.Near, s.Far = edge, "to", "from"
	case s.Link == "":
		return s, nil, fmt.Errorf("%w: link %d", store.ErrInvalid, q.Link)
	}
	return s, values, nil
}

// Linked reads the episodes that others are linked to; see store.EpisodeReader.
func (s *tenantStore) Linked(ctx context.Context, q store.LinkedQuery) (map[string]store.LinkedPage, error) {
	linked := map[string]store.LinkedPage{}
	if len(q.Episodes) == 0 {
		return linked, nil
	}
	asked, err := s.linkedQuery(q)
	if err != nil {
		return nil, err
	}
	found, err := grouped(ctx, s, "origin", asked, episodeDecoder(0, nil))
	for origin, episodes := range found {
		linked[origin] = store.LinkedPage{Episodes: episodes}
	}
	if linkNames[q.Link] == "" { // not one each
		store.CutLinked(linked, q.Page.Limit)
	}
	return linked, err
}

func (s *tenantStore) linkedQuery(q store.LinkedQuery) (bolt.Query, error) {
	shape, values, err := askLinks(q)
	if err != nil {
		return bolt.Query{}, err
	}
	return s.Query(cypher.Rendered("linked", shape), values), nil
}

// CountLinked counts the causes or effects of episodes; see store.EpisodeReader.
func (s *tenantStore) CountLinked(ctx context.Context, q store.LinkedQuery) (map[string]int, error) {
	counts := map[string]int{}
	shape, values, err := askLinks(q)
	if err != nil || len(q.Episodes) == 0 {
		return counts, err
	}
	err = s.Each(ctx, s.Query(cypher.Rendered("count_linked", shape), values), func(f *bolt.Fields) {
		counts[f.Text("origin")] = f.Integer("count")
	})
	return counts, err
}
