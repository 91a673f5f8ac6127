package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

var decodeCanvas = bolt.NodeIn("c", func(f *bolt.Fields) *memory.Canvas { return graph.CanvasOf(f, nil) })

// ownedList is a query for the records of owners, newest first.
type ownedList struct {
	Label, As    string // of the records, and the column that they are in
	Owner        string // the property that names the owner
	After, Count bool
	ByUser       bool
}

// byWaiting are the owners of all records: whether they wait for their episode.
func byWaiting(waiting *bool) []bool {
	if waiting == nil {
		return []bool{false, true}
	}
	return []bool{*waiting}
}

// ownedParameters are the values of such a query. Limit is one more than asked for, to see whether more follow.
func ownedParameters(owner any, p store.Page) cypher.Parameters {
	values := cypher.Parameters{
		"owner": owner, "since": bolt.Instant(graph.Earliest), "until": bolt.Instant(graph.Latest), "limit": p.Limit + 1,
	}
	if p.After != nil {
		values["until"], values["afterKey"] = bolt.Instant(p.After.At), p.After.Key
	}
	return values
}

func (s *tenantStore) canvasQuery(of store.CanvasesOf, p store.Page, count bool) bolt.Query {
	form := ownedList{Label: graph.Labels[memory.KindCanvas], As: "c", After: p.After != nil, Count: count, ByUser: of.User != nil}
	var owners any
	switch {
	case of.Episode != nil:
		form.Owner, owners = "episode", []string{*of.Episode}
	case of.Agent != nil:
		form.Owner, owners = "agent", []string{*of.Agent}
	default:
		form.Owner, owners = "waiting", byWaiting(of.Waiting)
	}
	values := ownedParameters(owners, p)
	values["user"], values["shared"] = of.User, of.Shared
	if of.Since != nil {
		values["since"] = bolt.Instant(*of.Since)
	}
	return s.Query(cypher.Rendered("list_canvases", form), values)
}

// AwaitedEpisodes reads which episodes canvases or feedback wait for by name; see store.EpisodeReader.
func (s *tenantStore) AwaitedEpisodes(ctx context.Context, kind memory.Kind, keys []string) (map[string]string, error) {
	awaited := map[string]string{}
	if len(keys) == 0 {
		return awaited, nil
	}
	q := s.Query(cypher.Rendered("awaited_episodes", graph.Labels[kind]), cypher.Parameters{"keys": linking.SetOf(keys...).Sorted()})
	err := s.Each(ctx, q, func(f *bolt.Fields) { awaited[f.Text("record")] = f.Text("episode") })
	return awaited, err
}
