package neo4j

import (
	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// feedbackProperties are what a feedback's node holds, but for its links.
func feedbackProperties(tenant string, record *store.FeedbackRecord) cypher.Parameters {
	f := &record.Feedback
	properties := graph.Properties(tenant, f.Key, record.InputHash, fields.Feedback(f).Own())
	properties["session"], properties["way"], properties["namedCanvas"] = f.SessionKey, string(linking.Feedback(f).Kind), f.CanvasKey
	properties["waiting"] = true // until it is linked
	return properties
}

func feedbackOf(f *bolt.Fields) *memory.Feedback {
	feedback := &memory.Feedback{}
	f.Scan(fields.Feedback(feedback))
	f.Check("rating", feedback.Check())
	return feedback
}

var decodeFeedback = bolt.NodeIn("f", feedbackOf)

func (s *tenantStore) feedbackQuery(of store.FeedbackOf, p store.Page, count bool) bolt.Query {
	form := ownedList{Label: graph.Labels[memory.KindFeedback], As: "f", After: p.After != nil, Count: count, ByUser: of.User != nil}
	var owners any
	switch {
	case of.Episode != nil:
		form.Owner, owners = "episode", []string{*of.Episode}
	case of.Canvases != nil:
		form.Owner, owners = "canvas", linking.SetOf(of.Canvases...).Sorted()
	default:
		form.Owner, owners = "waiting", byWaiting(of.Waiting)
	}
	values := ownedParameters(owners, p)
	values["asOf"] = bolt.OptionalInstant(of.AsOf)
	values["user"], values["shared"] = of.User, of.Shared
	return s.Query(cypher.Rendered("list_feedback", form), values)
}
