package transfer

import (
	"cmp"
	"fmt"
	"math"
	"time"

	"mneme/memory"
	"mneme/service"
	"mneme/store"
)

// checked are the fields of a line, which say what is wrong with them.
type checked interface{ check() error }

// checks says what is wrong with a line, by its fields; the first fault counts.
type checks []error

// fault is the first, nil where there is none.
func (c checks) fault() error { return cmp.Or(c...) }

func present(field, text string) error {
	if text == "" {
		return memory.Invalid(field, "must not be empty")
	}
	return nil
}

// timed is present for a time. Whether it is one that there may be, the service says.
func timed(field string, at time.Time) error {
	if at.IsZero() {
		return memory.Invalid(field, "must be there")
	}
	return nil
}

// item is a field of an item of a list.
func item(list string, i int, field string) string { return fmt.Sprintf("%s.%d.%s", list, i, field) }

// oneOf checks a word of a closed set.
func oneOf[T interface {
	~string
	Valid() bool
}](field string, word T) error {
	if !word.Valid() {
		return memory.Invalid(field, "is no word of the schema")
	}
	return nil
}

func within(field string, value, least, most float64) error {
	if !(value >= least && value <= most) { // not a number is neither
		return memory.Invalid(field, "must be from %v to %v", least, most)
	}
	return nil
}

func ofLength(field string, bytes []byte, want int) error {
	if len(bytes) != want {
		return memory.Invalid(field, "must be %d bytes, not %d", want, len(bytes))
	}
	return nil
}

func (k keptTenant) check() error {
	if k.Format < 1 || k.Format > Format {
		return memory.Invalid("format", "is %d, and this mneme knows up to %d: use a newer mneme", k.Format, Format)
	}
	return checks{
		ofLength("inputKey", k.InputKey, store.InputKeyBytes), within("vectorLength", float64(k.VectorLength), 0, service.MaxVector),
	}.fault()
}

func (k agent) check() error { return present("key", k.Key) }

func (k keptMemoir) check() error {
	return checks{present("key", k.Key), present("name", k.Name), timed("createdAt", k.CreatedAt)}.fault()
}

func (k keptConcept) check() error {
	all := checks{
		present("key", k.Key), present("memoir", k.MemoirKey), present("name", k.Name),
		timed("createdAt", k.CreatedAt), timed("updatedAt", k.UpdatedAt),
	}
	for i, revision := range k.Revisions {
		all = append(all, timed(item("revisions", i, "at"), revision.At))
	}
	return all.fault()
}

func (k relation) check() error {
	r := memory.Relation(k)
	return checks{r.Check(), timed("createdAt", k.CreatedAt)}.fault()
}

func (k keptEpisode) check() error {
	all := checks{
		present("key", k.Key), present("agent", k.AgentKey), oneOf("outcome", k.Outcome),
		timed("startedAt", k.StartedAt), timed("createdAt", k.CreatedAt),
	}
	for i, event := range k.Events {
		all = append(all, timed(item("events", i, "at"), event.At))
	}
	for i, segment := range k.Segments {
		all = append(all, timed(item("segments", i, "startedAt"), segment.StartedAt))
	}
	if k.Quality != nil {
		all = append(all, within("quality", *k.Quality, 0, 1))
	}
	return all.fault()
}

func (k keptCanvas) check() error {
	all := checks{present("key", k.Key), present("canvasType", k.CanvasType)}
	if len(k.Actions) == 0 || len(k.Hashes) != len(k.Actions) {
		all = append(all, memory.Invalid("inputHashes", "must be one for each of the actions, of which a canvas has some"))
	}
	ids := map[string]bool{"": false}
	for i, action := range k.Actions {
		all = append(all, oneOf(item("actions", i, "action"), action.Action), timed(item("actions", i, "at"), action.At))
		if ids[action.ID] {
			all = append(all, memory.Invalid(item("actions", i, "id"), "is that of another action, too"))
		}
		ids[action.ID] = action.ID != ""
	}
	return all.fault()
}

func (k keptFeedback) check() error {
	return checks{
		present("key", k.Key), oneOf("type", k.Type), oneOf("source", k.Source),
		within("score", k.Score, -1, 1), timed("createdAt", k.CreatedAt),
	}.fault()
}

func (k keptExecution) check() error {
	all := checks{
		memory.CheckExecutionKey("key", k.Key), present("agent", k.AgentKey), present("taskType", k.TaskType),
		within("quality", k.Quality, 0, 1), timed("at", k.At),
	}
	if k.LatencyMs != nil {
		all = append(all, within("latencyMs", *k.LatencyMs, 0, memory.MaxLatencyMs))
	}
	return all.fault()
}

func (k run) check() error {
	return checks{present("key", k.Key), timed("startedAt", k.StartedAt)}.fault()
}

func (k keptVerdict) check() error {
	all := checks{
		present("key", k.Key), present("run", k.RunKey), present("section", k.SectionKey), oneOf("status", k.Status), timed("at", k.At),
		within("iteration", float64(k.Iteration), 0, 1<<31),
	}
	if parts := memory.SplitKey(k.SectionKey); len(parts) != 2 || parts[0] != k.RunKey {
		all = append(all, memory.Invalid("section", "is none of the run"))
	}
	return all.fault()
}

func (k keptPattern) check() error {
	all := checks{present("key", k.Key), oneOf("kind", k.Kind), timed("lastSeen", k.LastSeen)}
	for _, of := range []struct {
		field string
		count int
	}{
		{"hits", k.Hits}, {"total", k.Total}, {"scored", k.Scored}, {"recovered", k.Recovered}, {"recoverySum", k.RecoverySum},
	} {
		all = append(all, within(of.field, float64(of.count), 0, math.MaxInt32))
	}
	if k.Hits > k.Total {
		all = append(all, memory.Invalid("hits", "are more than the total"))
	}
	return all.fault()
}

func (k keptSectionType) check() error {
	return within("sections", float64(k.Sections), 0, math.MaxInt32)
}

func (k keptObservation) check() error {
	return checks{
		present("key", k.Key), oneOf("importance", k.Importance), timed("createdAt", k.CreatedAt),
		within("accessCount", float64(k.AccessCount), 0, math.MaxInt32),
	}.fault()
}

func (k keptCorrection) check() error {
	return checks{
		present("key", k.Key), present("topic", k.Topic), oneOf("importance", k.Importance), timed("createdAt", k.CreatedAt),
	}.fault()
}

func (k keptSpan) check() error {
	return checks{
		present("trace", k.Trace), present("span.id", k.Span.ID), timed("span.startedAt", k.Span.StartedAt),
		timed("span.endedAt", k.Span.EndedAt), timed("arrivedAt", k.ArrivedAt),
	}.fault()
}

func (k keptTombstone) check() error { return ofLength("hash", k.Hash, memory.TombstoneBytes) }
