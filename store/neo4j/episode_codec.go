package neo4j

import (
	"cmp"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// noStepID stands for the null of a step without an id, because lists hold no null.
const noStepID = "\x00"

// Feedback ranks: the mean score, or unratedRank, which sorts an episode without feedback after the worst, which is rated −1.
const (
	bestRank    = 1.0
	unratedRank = -2.0
)

// cartesian3D is the system of coordinates of a point of three numbers.
const cartesian3D = 9157

// episodeProperties are what an episode's node holds from the start.
func episodeProperties(s *tenantStore, record *store.EpisodeRecord) (parameters, error) {
	e := &record.Episode
	segments, err := memory.JSONOf(e.Segments)
	if err != nil {
		return nil, err
	}
	properties := parameters{
		"tenant": s.tenant, "key": e.Key, "title": e.Title, "agent": e.AgentKey, "session": e.SessionKey,
		"taskType": e.TaskType, "observation": e.Observation, "thoughts": orNothing(e.Thoughts),
		"result": e.Result, "outcome": string(e.Outcome), "insight": e.Insight,
		"executionIds": orNothing(e.ExecutionIDs), "quality": e.Quality, "concluded": e.Concluded,
		"startedAt": instant(e.StartedAt), "endedAt": optionalInstant(e.EndedAt), "knownAt": instant(e.KnownAt()),
		"createdAt": instant(e.CreatedAt), "inputHash": hashText(record.InputHash),
		"feedbackSum": 0.0, "feedbackCount": 0, "feedbackRank": unratedRank,
		"canvasCount": 0, "canvasActionCount": 0, "aggregates": neo4j.Point3D{SpatialRefId: cartesian3D},
	}
	if len(e.Segments) > 0 {
		properties["segments"] = string(segments)
	}
	encodeActions(properties, e.Actions)
	encodeMetadata(properties, e.Metadata)
	encodeReceipt(properties, e.Receipt)
	encodeEvents(properties, record.Events)
	giveWords(memory.KindEpisode, properties)
	return properties, nil
}

func encodeActions(properties parameters, actions []memory.Action) {
	if len(actions) == 0 {
		return
	}
	properties["actionNames"] = texts(actions, func(a memory.Action) string { return a.StepName })
	properties["actionResults"] = texts(actions, func(a memory.Action) string { return string(a.Result) })
	ids := texts(actions, func(a memory.Action) string {
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
func encodeMetadata(properties parameters, metadata memory.JSON) {
	if len(metadata) > 0 {
		properties["metadata"] = string(metadata)
	}
}

func encodeReceipt(properties parameters, receipt memory.Receipt) {
	properties["tokensBefore"], properties["tokensAfter"] = receipt.TokensBefore, receipt.TokensAfter
	kinds := texts(receipt.Redactions, func(r memory.Redaction) string { return r.Kind })
	counts := make([]int, len(receipt.Redactions))
	for i, redaction := range receipt.Redactions {
		counts[i] = redaction.Count
	}
	properties["redactionKinds"], properties["redactionCounts"] = orNothing(kinds), orNothing(counts)
}

// encodeEvents keeps the log as parallel lists, which only those who ask for the log read.
func encodeEvents(properties parameters, events []memory.Event) {
	if len(events) == 0 {
		return
	}
	properties["eventTypes"] = texts(events, func(e memory.Event) string { return e.Type })
	properties["eventData"] = texts(events, func(e memory.Event) string { return string(e.Data) })
	properties["eventTimes"] = instants(events, eventTime)
}

// longestVector is the most numbers that Neo4j's index takes.
const longestVector = store.LongestVector

// checkVector says what is wrong with a vector that the index cannot take: one with too many numbers,
// or one whose length in space leaves it no direction.
func checkVector(vector []float32) error {
	if len(vector) > longestVector {
		return fmt.Errorf("%w: an embedding of %d numbers; the most is %d", store.ErrInvalid, len(vector), longestVector)
	}
	square := 0.0
	for _, x := range vector {
		square += float64(x) * float64(x)
	}
	if !(square > 1e-30 && square < 1e30) {
		return fmt.Errorf("%w: an embedding whose square is %g has no direction", store.ErrInvalid, square)
	}
	return nil
}

func hashText(hash []byte) string { return base64.RawStdEncoding.EncodeToString(hash) }

func eventTime(e memory.Event) time.Time { return e.At }

// decodeEpisode reads a row of a query that ends in a stretch of the part episode.
func decodeEpisode(row *neo4j.Record, parts store.Parts, asOf *time.Time) (*memory.Episode, error) {
	properties, err := column[map[string]any]("episode")(row)
	if err != nil {
		return nil, err
	}
	f := fieldsOf(properties)
	e := f.episode()
	if f.err != nil {
		return nil, f.err
	}
	if parts != 0 {
		e.Context, err = decodeContext(row, e.AgentKey, parts, asOf)
	}
	return e, err
}

func (f *fields) episode() *memory.Episode {
	e := &memory.Episode{
		Key: f.key(memory.KindEpisode), Title: f.text("title"), AgentKey: f.text("agent"),
		SessionKey: f.optionalText("session"), TaskType: f.optionalText("taskType"),
		Observation: f.text("observation"), Thoughts: list[string](f, "thoughts"), Actions: f.actions(),
		Result: f.optionalText("result"), Outcome: word[memory.Outcome](f, "outcome"), Insight: f.text("insight"),
		ExecutionIDs: list[string](f, "executionIds"), StartedAt: f.instant("startedAt"),
		EndedAt: f.optionalInstant("endedAt"), CreatedAt: f.instant("createdAt"), Segments: f.segments(),
		Metadata: f.json("metadata"), Receipt: f.receipt(), Quality: f.optionalNumber("quality"),
		Concluded: required[bool](f, "concluded"),
	}
	e.CanvasActionCount, e.FeedbackSum, e.FeedbackCount = aggregates(f.node.Props["aggregates"])
	return e
}

// aggregates reads the point that the part derive makes: 0 where it is none, until the examination counts again.
func aggregates(value any) (actions int, sum float64, count int) {
	p, _ := value.(neo4j.Point3D)
	return int(p.X), p.Y, int(p.Z)
}

func (f *fields) actions() []memory.Action {
	names := list[string](f, "actionNames")
	results := parallel[string](f, "actionResults", len(names))
	actions := make([]memory.Action, len(names))
	for i, name := range names {
		actions[i] = memory.Action{StepName: name, Result: jsonOf(results[i])}
		f.check("actionResults", memory.CheckKeptJSON(actions[i].Result))
	}
	if f.node.Props["actionIds"] != nil {
		for i, id := range parallel[string](f, "actionIds", len(names)) {
			if id != noStepID {
				actions[i].StepID = &id
			}
		}
	}
	return actions
}

func (f *fields) segments() []memory.Segment {
	segments := []memory.Segment{}
	if text := f.optionalText("segments"); text != nil {
		f.check("segments", decodeKept(*text, &segments))
	}
	return segments
}

func (f *fields) json(name string) memory.JSON {
	if text := f.optionalText(name); text != nil {
		f.check(name, memory.CheckKeptJSON(jsonOf(*text)))
		return jsonOf(*text)
	}
	return nil
}

// decodeKept decodes JSON of mneme's own.
func decodeKept(text string, into any) error {
	if err := memory.KeptJSON.Check("", []byte(text)); err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), into)
}

// jsonOf gives null for the empty text that stands for it in lists.
func jsonOf(text string) memory.JSON {
	if text == "" {
		return nil
	}
	return memory.JSON(text)
}

func (f *fields) receipt() memory.Receipt {
	kinds := list[string](f, "redactionKinds")
	counts := parallel[int64](f, "redactionCounts", len(kinds))
	receipt := memory.Receipt{
		TokensBefore: f.count("tokensBefore"), TokensAfter: f.count("tokensAfter"),
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
	var left []*leftOut
	if parts.Has(store.WithAgent) {
		f := fieldsOf(row.AsMap())
		f.of(memory.KindAgent, agent)
		context.Agent = &memory.Agent{Key: agent, Name: f.text("agentName")}
		if fault := faultIn(f.err); fault != nil {
			context.Agent.Name = agent
			left = append(left, fault)
		}
	}
	if parts.Has(store.WithCanvases) {
		context.Canvases, err = nodeList(row, "canvases", func(f *fields) *memory.Canvas { return f.canvas(asOf) })
		if err = collectLeftOut(err, &left); err != nil {
			return nil, err
		}
		slices.SortFunc(context.Canvases, func(a, b *memory.Canvas) int {
			return cmp.Or(b.CreatedAt().Compare(a.CreatedAt()), cmp.Compare(a.Key, b.Key))
		})
	}
	if parts.Has(store.WithFeedback) {
		context.Feedback, err = nodeList(row, "feedback", (*fields).feedback)
		if err = collectLeftOut(err, &left); err != nil {
			return nil, err
		}
		slices.SortFunc(context.Feedback, func(a, b *memory.Feedback) int {
			return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Key, b.Key))
		})
	}
	return context, leftOutError(left)
}

// nodeList decodes a column that lists nodes.
func nodeList[T any](row *neo4j.Record, name string, decode func(f *fields) T) ([]T, error) {
	values, err := column[[]any](name)(row)
	if err != nil {
		return nil, err
	}
	var left []*leftOut
	records := make([]T, 0, len(values))
	for _, value := range values {
		node, ok := value.(neo4j.Node)
		if !ok {
			return nil, fmt.Errorf("%s holds a %T", name, value)
		}
		f := &fields{node: node}
		record := decode(f)
		if fault := faultIn(f.err); fault != nil {
			left = append(left, fault)
			continue
		}
		if f.err != nil {
			return nil, f.err
		}
		records = append(records, record)
	}
	return records, leftOutError(left)
}
