package neo4j

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// noStepID stands for the null of a step without an id, because lists hold no null.
const noStepID = "\x00"

// cartesian3D is the system of coordinates of a point of three numbers.
const cartesian3D = 9157

// episodeProperties are what an episode's node holds from the start.
func episodeProperties(s *tenantStore, record *store.EpisodeRecord) (cypher.Parameters, error) {
	e := &record.Episode
	segments, err := memory.JSONOf(e.Segments)
	if err != nil {
		return nil, err
	}
	properties := cypher.Parameters{
		"tenant": s.TenantID, "key": e.Key, "title": e.Title, "agent": e.AgentKey, "session": e.SessionKey,
		"taskType": e.TaskType, "user": e.UserID, "observation": e.Observation, "thoughts": bolt.OrNothing(e.Thoughts),
		"result": e.Result, "outcome": string(e.Outcome), "insight": e.Insight,
		"executionIds": bolt.OrNothing(e.ExecutionIDs), "quality": e.Quality, "concluded": e.Concluded,
		"startedAt": bolt.Instant(e.StartedAt), "endedAt": bolt.OptionalInstant(e.EndedAt), "knownAt": bolt.Instant(e.KnownAt()),
		"createdAt": bolt.Instant(e.CreatedAt), "inputHash": graph.HashText(record.InputHash),
		"feedbackSum": 0.0, "feedbackCount": 0, "feedbackRank": graph.UnratedRank,
		"canvasCount": 0, "canvasActionCount": 0, "aggregates": neo4j.Point3D{SpatialRefId: cartesian3D},
	}
	if e.ConcludedLater {
		properties["concludedLater"] = true
	}
	if len(e.Segments) > 0 {
		properties["segments"] = string(segments)
	}
	encodeActions(properties, e.Actions)
	encodeMetadata(properties, e.Metadata)
	encodeReceipt(properties, e.Receipt)
	encodeEvents(properties, record.Events)
	return properties, nil
}

func encodeActions(properties cypher.Parameters, actions []memory.Action) {
	if len(actions) == 0 {
		return
	}
	properties["actionNames"] = bolt.Texts(actions, func(a memory.Action) string { return a.StepName })
	properties["actionResults"] = bolt.Texts(actions, func(a memory.Action) string { return string(a.Result) })
	ids := bolt.Texts(actions, func(a memory.Action) string {
		if a.StepID == nil {
			return noStepID
		}
		return *a.StepID
	})
	if strings.Join(ids, "") != strings.Repeat(noStepID, len(ids)) {
		properties["actionIds"] = ids
	}
}

// encodeMetadata leaves null out; JSON text is never empty.
func encodeMetadata(properties cypher.Parameters, metadata memory.JSON) {
	if len(metadata) > 0 {
		properties["metadata"] = string(metadata)
	}
}

func encodeReceipt(properties cypher.Parameters, receipt memory.Receipt) {
	properties["tokensBefore"], properties["tokensAfter"] = receipt.TokensBefore, receipt.TokensAfter
	kinds := bolt.Texts(receipt.Redactions, func(r memory.Redaction) string { return r.Kind })
	counts := make([]int, len(receipt.Redactions))
	for i, redaction := range receipt.Redactions {
		counts[i] = redaction.Count
	}
	properties["redactionKinds"], properties["redactionCounts"] = bolt.OrNothing(kinds), bolt.OrNothing(counts)
}

// encodeEvents keeps the log as parallel lists, which only those who ask for the log read.
func encodeEvents(properties cypher.Parameters, events []memory.Event) {
	if len(events) == 0 {
		return
	}
	properties["eventTypes"] = bolt.Texts(events, func(e memory.Event) string { return e.Type })
	properties["eventData"] = bolt.Texts(events, func(e memory.Event) string { return string(e.Data) })
	properties["eventTimes"] = bolt.Instants(events, func(e memory.Event) time.Time { return e.At })
}

// eventsOf reads a log, or a stretch of it from a number on; nil where there is none.
func eventsOf(f *bolt.Fields, from int) (events []memory.Event) {
	types := bolt.List[string](f, "eventTypes")
	data, times := bolt.Parallel[string](f, "eventData", len(types)), bolt.Parallel[time.Time](f, "eventTimes", len(types))
	for i := range types {
		f.Check("eventData", memory.CheckKeptJSON(bolt.OptionalJSON(data[i])))
		f.Check("eventTimes", memory.CheckKeptTime(times[i]))
		events = append(events, memory.Event{Sequence: from + i, Type: types[i], Data: bolt.OptionalJSON(data[i]), At: times[i].UTC()})
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
	e := &memory.Episode{
		Key: f.Key(memory.KindEpisode), Title: f.Text("title"), AgentKey: f.Text("agent"),
		SessionKey: f.OptionalText("session"), TaskType: f.OptionalText("taskType"), UserID: f.OptionalText("user"),
		Observation: f.Text("observation"), Thoughts: bolt.List[string](f, "thoughts"), Actions: actionsOf(f),
		Result: f.OptionalText("result"), Outcome: bolt.Word[memory.Outcome](f, "outcome"), Insight: f.Text("insight"),
		ExecutionIDs: bolt.List[string](f, "executionIds"), StartedAt: f.Instant("startedAt"),
		EndedAt: f.OptionalInstant("endedAt"), CreatedAt: f.Instant("createdAt"), Segments: segmentsOf(f),
		Metadata: f.JSON("metadata"), Receipt: receiptOf(f), Quality: f.OptionalNumber("quality"),
		Concluded: bolt.Required[bool](f, "concluded"), ConcludedLater: f.Flag("concludedLater"),
	}
	e.CanvasActionCount, e.FeedbackSum, e.FeedbackCount = graph.Aggregates(f.Node.Props["aggregates"])
	return e
}

func actionsOf(f *bolt.Fields) []memory.Action {
	names := bolt.List[string](f, "actionNames")
	results := bolt.Parallel[string](f, "actionResults", len(names))
	actions := make([]memory.Action, len(names))
	for i, name := range names {
		actions[i] = memory.Action{StepName: name, Result: bolt.OptionalJSON(results[i])}
		f.Check("actionResults", memory.CheckKeptJSON(actions[i].Result))
	}
	if f.Node.Props["actionIds"] != nil {
		for i, id := range bolt.Parallel[string](f, "actionIds", len(names)) {
			if id != noStepID {
				actions[i].StepID = &id
			}
		}
	}
	return actions
}

func segmentsOf(f *bolt.Fields) []memory.Segment {
	segments := []memory.Segment{}
	if text := f.OptionalText("segments"); text != nil {
		f.Check("segments", bolt.DecodeKept(*text, &segments))
	}
	return segments
}

func receiptOf(f *bolt.Fields) memory.Receipt {
	kinds := bolt.List[string](f, "redactionKinds")
	counts := bolt.Parallel[int64](f, "redactionCounts", len(kinds))
	receipt := memory.Receipt{
		TokensBefore: f.Count("tokensBefore"), TokensAfter: f.Count("tokensAfter"),
		Redactions: make([]memory.Redaction, len(kinds)),
	}
	for i, kind := range kinds {
		receipt.Redactions[i] = memory.Redaction{Kind: kind, Count: int(counts[i])}
	}
	return receipt
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
		slices.SortFunc(context.Canvases, func(a, b *memory.Canvas) int {
			return cmp.Or(b.CreatedAt().Compare(a.CreatedAt()), cmp.Compare(a.Key, b.Key))
		})
	}
	if parts.Has(store.WithFeedback) {
		context.Feedback, err = bolt.NodeList(row, "feedback", feedbackOf)
		if err = bolt.CollectLeftOut(err, &left); err != nil {
			return nil, err
		}
		slices.SortFunc(context.Feedback, func(a, b *memory.Feedback) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Key, b.Key))
		})
	}
	return context, bolt.LeftOutError(left)
}
