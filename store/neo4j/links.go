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

// linkQuery asks for links, or how many there are.
func (s *tenantStore) linkQuery(shaped func(any) cypher.Statement, q store.LinkedQuery) (bolt.Query, error) {
	form := linkShape{EpisodeShape: graph.EpisodeShape{AsOf: q.AsOf != nil, HeadOnly: q.HeadOnly}, Link: linkNames[q.Link], Reads: q.AsOf != nil || q.User != nil}
	from := ""
	if q.Page.After != nil {
		from = memory.NodeID(memory.KindEpisode, q.Page.After.Key)
	}
	values := cypher.Parameters{"keys": linking.SetOf(q.Episodes...).Sorted(), "after": from, "limit": q.Page.Limit + 1, "user": q.User, "shared": q.Shared}
	graph.ContextParameters(values, q.AsOf)
	switch edge, forward := q.Link.Edge(); {
	case edge != "" && forward:
		form.Link, form.Near, form.Far = edge, "from", "to"
	case edge != "":
		form.Link, form.Near, form.Far = edge, "to", "from"
	case form.Link == "":
		return bolt.Query{}, fmt.Errorf("%w: link %d", store.ErrInvalid, q.Link)
	}
	return s.Query(shaped(form), values), nil
}

// Linked reads the episodes that others are linked to; see store.EpisodeReader.
func (s *tenantStore) Linked(ctx context.Context, q store.LinkedQuery) (map[string]store.LinkedPage, error) {
	linked := map[string]store.LinkedPage{}
	asked, err := s.linkQuery(cypher.Shaped("linked"), q)
	if err != nil || len(q.Episodes) == 0 {
		return linked, err
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

// CountLinked counts the causes or effects of episodes; see store.EpisodeReader.
func (s *tenantStore) CountLinked(ctx context.Context, q store.LinkedQuery) (map[string]int, error) {
	counts := map[string]int{}
	asked, err := s.linkQuery(cypher.Shaped("count_linked"), q)
	if err != nil || len(q.Episodes) == 0 {
		return counts, err
	}
	err = s.Each(ctx, asked, func(f *bolt.Fields) { counts[f.Text("origin")] = f.Integer("count") })
	return counts, err
}
