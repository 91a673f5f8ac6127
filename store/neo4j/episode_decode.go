package neo4j

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

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
