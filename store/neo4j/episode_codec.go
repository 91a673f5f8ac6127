package neo4j

import (
	"maps"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// cartesian3D is the system of coordinates of a point of three numbers.
const cartesian3D = 9157

// episodeProperties are what an episode's node holds from the start.
func episodeProperties(tenant string, record *store.EpisodeRecord) cypher.Parameters {
	e := &record.Episode
	properties := graph.Properties(tenant, e.Key, record.InputHash,
		fields.Episode(e), fields.Ending(e), fields.Contents(e), fields.Log(&record.Events))
	maps.Copy(properties, cypher.Parameters{
		"knownAt": bolt.Instant(e.KnownAt()), "feedbackSum": 0.0, "feedbackCount": 0, "feedbackRank": graph.UnratedRank,
		"canvasCount": 0, "canvasActionCount": 0, "aggregates": neo4j.Point3D{SpatialRefId: cartesian3D},
	})
	return properties
}

// eventsOf reads a log, or a stretch of it from a number on; nil where there is none.
func eventsOf(f *bolt.Fields, from int) (events []memory.Event) {
	f.Scan(fields.Log(&events))
	for i := range events {
		events[i].Sequence = from + i
	}
	return events
}

// decodeEpisode reads a row of a query that ends in a stretch of the part episode.
func decodeEpisode(row *neo4j.Record, parts store.Parts, asOf *time.Time) (*memory.Episode, error) {
	properties, err := bolt.Column[map[string]any]("episode")(row)
	if err != nil {
		return nil, err
	}
	f := bolt.FieldsOf(properties)
	e := episodeOf(f)
	if f.Err != nil {
		return e, f.Err
	}
	if parts&store.Context != 0 {
		e.Context, err = decodeContext(row, e.AgentKey, parts, asOf)
	}
	return e, err
}

func episodeOf(f *bolt.Fields) *memory.Episode {
	e := &memory.Episode{}
	f.Scan(fields.Episode(e), fields.Ending(e), fields.Contents(e))
	e.CanvasActionCount, e.FeedbackSum, e.FeedbackCount = graph.Aggregates(f.Node.Props["aggregates"])
	return e
}

// decodeContext reads what came along with an episode.
func decodeContext(row *neo4j.Record, agent string, parts store.Parts, asOf *time.Time) (*memory.EpisodeContext, error) {
	context := &memory.EpisodeContext{}
	var err error
	var left []*bolt.LeftOut
	if parts.Has(store.WithAgent) {
		f := bolt.FieldsOf(row.AsMap())
		f.Of(memory.KindAgent, agent)
		context.Agent = &memory.Agent{Key: agent, Name: f.Text("agentName")}
		if fault := bolt.FaultIn(f.Err); fault != nil {
			context.Agent.Name = agent
			left = append(left, fault)
		}
	}
	if parts.Has(store.WithCanvases) {
		context.Canvases, err = bolt.NodeList(row, "canvases", func(f *bolt.Fields) *memory.Canvas { return graph.CanvasOf(f, asOf) })
		if err = bolt.CollectLeftOut(err, &left); err != nil {
			return nil, err
		}
		slices.SortFunc(context.Canvases, memory.NewestCanvasFirst)
	}
	if parts.Has(store.WithFeedback) {
		context.Feedback, err = bolt.NodeList(row, "feedback", feedbackOf)
		if err = bolt.CollectLeftOut(err, &left); err != nil {
			return nil, err
		}
		slices.SortFunc(context.Feedback, memory.NewestFeedbackFirst)
	}
	return context, bolt.LeftOutError(left)
}
