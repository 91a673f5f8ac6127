package neo4j

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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

var linkNames = map[store.EpisodeLink]string{store.LinkPrevious: "previous", store.LinkNext: "next"}

func shapeOfLink(q store.LinkedQuery) (linkShape, error) {
	s := linkShape{EpisodeShape: graph.EpisodeShape{AsOf: q.AsOf != nil, HeadOnly: q.HeadOnly}, Link: linkNames[q.Link], Reads: q.AsOf != nil || q.User != nil}
	switch edge, forward := q.Link.Edge(); {
	case edge != "" && forward:
		s.Link, s.Near, s.Far = edge, "from", "to"
	case edge != "":
		s.Link, s.Near, s.Far = edge, "to", "from"
	case s.Link == "":
		return s, fmt.Errorf("%w: link %d", store.ErrInvalid, q.Link)
	}
	return s, nil
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
	type link struct {
		origin  string
		episode *memory.Episode
	}
	rows, err := bolt.Read(ctx, s.Connection, asked, func(row *neo4j.Record) (link, error) {
		origin, err := bolt.Column[string]("origin")(row)
		if err != nil {
			return link{}, err
		}
		episode, err := decodeEpisode(row, 0, nil)
		return link{origin, episode}, err
	})
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		linked[row.origin] = store.LinkedPage{Episodes: append(linked[row.origin].Episodes, row.episode)}
	}
	if _, single := linkNames[q.Link]; single {
		return linked, nil
	}
	store.CutLinked(linked, q.Page.Limit)
	return linked, nil
}

func (s *tenantStore) linkedQuery(q store.LinkedQuery) (bolt.Query, error) {
	shape, err := shapeOfLink(q)
	if err != nil {
		return bolt.Query{}, err
	}
	from := ""
	if q.Page.After != nil {
		from = memory.NodeID(memory.KindEpisode, q.Page.After.Key)
	}
	values := cypher.Parameters{"keys": linking.SetOf(q.Episodes...).Sorted(), "page": graph.After(from), "limit": q.Page.Limit + 1, "user": q.User, "shared": q.Shared}
	graph.ContextParameters(values, q.AsOf)
	return s.Query(cypher.Rendered("linked", shape), values), nil
}

// CountLinked counts the causes or effects of episodes; see store.EpisodeReader.
func (s *tenantStore) CountLinked(ctx context.Context, q store.LinkedQuery) (map[string]int, error) {
	counts := map[string]int{}
	shape, err := shapeOfLink(q)
	if err != nil || len(q.Episodes) == 0 {
		return counts, err
	}
	values := cypher.Parameters{"keys": linking.SetOf(q.Episodes...).Sorted(), "user": q.User, "shared": q.Shared}
	graph.ContextParameters(values, q.AsOf)
	err = s.Each(ctx, s.Query(cypher.Rendered("count_linked", shape), values), func(f *bolt.Fields) {
		counts[f.Text("origin")] = f.Integer("count")
	})
	return counts, err
}
