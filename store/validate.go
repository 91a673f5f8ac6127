package store

import (
	"cmp"
	"encoding/hex"
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/store/fields"
)

// Check says what is wrong with the values of an item, whether it comes from a store or is to be taken back: counts
// below zero, times and numbers beyond their ranges, words of no set, texts that must say something and do not. What
// names and texts may hold is the write boundary's question: names of records that are there stay as they are.
// Its errors are those of package memory, with the field as a line of an export names it.
func Check(item Item) error {
	var c check
	switch i := item.(type) {
	case *TenantItem:
		c.length("inputKey", i.InputKey, InputKeyBytes)
		c.number("vectorLength", float64(i.VectorLength), 0, LongestVector)
	case *AgentItem:
		c.present("key", i.Key)
	case *MemoirRecord:
		c.record(i.Memoir.Key, fields.Memoir(&i.Memoir))
	case *ConceptRecord:
		c.concept(&i.Concept)
	case *RelationItem:
		c.fail(i.Check())
		c.time("createdAt", i.CreatedAt)
	case *EpisodeRecord:
		c.episode(i)
	case *EventItem:
		c.event(i)
	case *CanvasItem:
		c.canvas(i)
	case *FeedbackItem:
		c.record(i.Feedback.Key, fields.Feedback(&i.Feedback))
		c.fail(i.Feedback.Check())
	case *ExecutionRecord:
		c.execution(i)
	case *ObservationRecord:
		c.record(i.Observation.Key, fields.Observation(&i.Observation), fields.ObservationUse(&i.Observation))
	case *CorrectionRecord:
		c.record(i.Correction.Key, fields.Correction(&i.Correction))
	case *SpanItem:
		c.span(i)
	case Tombstone:
		c.length("hash", i, memory.TombstoneBytes)
	default:
		c.judged(item)
	}
	return c.err
}

// Validate is what Check says of a record that a store has; nil for nothing.
func Validate(item Item) *Damaged {
	err := Check(item)
	if err == nil {
		return nil
	}
	damaged := named(item)
	damaged.Cause = err
	return damaged
}

// IsSound says whether there is an execution, of which nothing is wrong.
func IsSound(e *memory.Execution) bool {
	return e != nil && Check(&ExecutionRecord{Execution: *e}) == nil
}

// named says what an item is, for what is wrong with it.
func named(item Item) *Damaged {
	damaged := &Damaged{}
	switch i := item.(type) {
	case *RelationItem:
		damaged.Kind, damaged.Key = KindRelation, memory.JoinKey(string(i.Type), i.SourceKey, i.TargetKey)
	case *SectionTypeItem:
		damaged.Kind, damaged.Key = KindSectionType, i.Key()
	case *JudgeThresholdItem:
		damaged.Kind, damaged.Key = KindJudgeThreshold, i.Key()
	case *EventItem:
		damaged.Kind, damaged.Key, damaged.InLog = memory.KindEpisode, i.Episode, true
	case *SpanItem:
		damaged.Kind, damaged.Key = KindSpan, memory.JoinKey(i.Trace, i.Span.ID)
	case Tombstone:
		damaged.Kind, damaged.Key = KindTombstone, hex.EncodeToString(i)
	default:
		damaged.Kind, damaged.Key, _ = memory.SplitID(item.ID())
	}
	return damaged
}

// check looks at one item; the first fault counts.
type check struct{ err error }

func (c *check) fail(err error) {
	if c.err == nil && err != nil {
		c.err = err
	}
}

// record checks a record by its fields.
func (c *check) record(key string, lists ...fields.List) {
	c.present("key", key)
	for _, list := range lists {
		c.fail(list.Check())
	}
}

func (c *check) present(field, text string) {
	if text == "" {
		c.fail(memory.Invalid(field, "must not be empty"))
	}
}

func (c *check) time(field string, at time.Time) { c.fail(fields.List{{Name: field, At: &at}}.Check()) }

func (c *check) number(field string, value, least, most float64) {
	if !(value >= least && value <= most) { // not a number is neither
		c.fail(memory.Invalid(field, "must be from %v to %v", least, most))
	}
}

func (c *check) length(field string, bytes []byte, want int) {
	if len(bytes) != want {
		c.fail(memory.Invalid(field, "must be %d bytes, not %d", want, len(bytes)))
	}
}

// json checks a value that was let in by itself.
func (c *check) json(field string, value memory.JSON) {
	c.fail(memory.RestoredJSON.Check(field, value))
}

func place(field string, index int) string { return field + "." + strconv.Itoa(index) }

func (c *check) concept(k *memory.Concept) {
	c.record(k.Key, fields.Concept(k), fields.ConceptContent(k))
	c.present("memoir", k.MemoirKey)
	for i, revision := range k.Revisions {
		c.time(place("revisions", i)+".at", revision.At)
	}
}

func (c *check) event(i *EventItem) {
	c.present("episode", i.Episode)
	c.number("sequence", float64(i.Sequence), 0, MaxLogEvents-1)
	c.present("type", i.Type)
	c.time("at", i.At)
}

func (c *check) episode(r *EpisodeRecord) {
	e := &r.Episode
	c.record(e.Key, fields.Episode(e), fields.Ending(e), fields.Contents(e), fields.Log(&r.Events))
	c.present("agent", e.AgentKey)
	c.fail(e.Check(r.CausedBy, r.InformedBy))
	if len(r.Events) == 0 { // what a log tells wraps what came in
		c.json("metadata", e.Metadata)
		for i, action := range e.Actions {
			c.json(place("actions", i)+".result", action.Result)
		}
	}
	spans, _ := capture.SpansOfLog(r.Events)
	for i := range spans {
		c.fail(spans[i].Check(place("events", i) + ".data"))
	}
	for i, segment := range e.Segments {
		c.segment(place("segments", i), segment)
	}
	if err := cmp.Or(memory.CheckVector(e.Embedding), tooLong(e.Embedding)); err != nil {
		c.fail(memory.Invalid("embedding", "%s", err))
	}
}

func tooLong(vector []float32) error {
	if len(vector) > LongestVector {
		return errors.New("has more than " + strconv.Itoa(LongestVector) + " numbers")
	}
	return nil
}

func (c *check) segment(field string, segment memory.Segment) {
	if !segment.Kind.Valid() {
		c.fail(memory.Invalid(field+".kind", "must be task, gap or rest"))
	}
	c.fail(fields.List{{Name: field + ".startedAt", At: &segment.StartedAt}, {Name: field + ".endedAt", At: fields.Null(&segment.EndedAt)}}.Check())
}

func (c *check) canvas(i *CanvasItem) {
	c.record(i.Key, fields.Canvas(&i.Canvas), fields.CanvasActions(&i.Actions))
	c.present("canvasType", i.CanvasType)
	if len(i.Actions) == 0 || len(i.Hashes) != len(i.Actions) {
		c.fail(memory.Invalid("inputHashes", "must be one for each of the actions, of which a canvas has some"))
	}
	c.fail((&memory.CanvasAction{}).Fits(len(i.Actions)-1, i.Canvas.Shown()))
	ids := map[string]bool{"": false}
	for n, action := range i.Actions {
		c.json(place("actions", n)+".metadata", action.Metadata)
		if ids[action.ID] {
			c.fail(memory.Invalid(place("actions", n)+".id", "is that of another action, too"))
		}
		ids[action.ID] = action.ID != ""
	}
}

func (c *check) execution(r *ExecutionRecord) {
	e := &r.Execution
	c.fail(memory.CheckExecutionKey("key", e.Key))
	c.present("agent", e.AgentKey)
	c.present("taskType", e.TaskType)
	c.fail(e.Check())
}

func (c *check) span(i *SpanItem) {
	c.present("trace", i.Trace)
	c.fail(i.Span.Check("span"))
	c.time("arrivedAt", i.ArrivedAt)
	c.fail(fields.Receipt(&i.Receipt).Check())
}

// judged checks what is kept of judged work.
func (c *check) judged(item Item) {
	switch i := item.(type) {
	case *RunItem:
		c.record(i.Key, fields.Run(&i.Run))
	case *VerdictRecord:
		c.verdict(i)
	case *PatternItem:
		c.pattern(i)
	case *SectionTypeItem:
		c.fail(fields.List{{Name: "sections", At: &i.Sections}}.Check())
		c.json("context", i.Context)
	case *JudgeThresholdItem:
		c.present("judgeId", i.JudgeKey)
		c.fail(i.Check())
		c.fail(fields.JudgeThreshold(&i.JudgeThreshold).Check())
	default:
		c.fail(memory.Invalid("kind", "nothing of this kind is kept"))
	}
}

func (c *check) verdict(r *VerdictRecord) {
	v := &r.Verdict
	c.fail(v.Check("judge"))
	c.record(v.Key, fields.Judgement(&v.Judgement), fields.Verdict(v))
	c.present("run", v.RunKey)
	c.present("section", v.SectionKey)
	if parts := memory.SplitKey(v.SectionKey); len(parts) != 2 || parts[0] != v.RunKey {
		c.fail(memory.Invalid("section", "is none of the run"))
	}
	c.json("context", v.Context)
	c.json("plan", v.Plan)
}

func (c *check) pattern(i *PatternItem) {
	p := &i.Pattern
	c.record(p.Key, fields.Pattern(p), fields.PatternGains(p))
	if parts := memory.SplitKey(p.Key); len(parts) != 3 || parts[0] != strings.ToLower(string(p.Kind)) || parts[1] != p.SectionType ||
		len(parts[2]) != patternHash || strings.Trim(parts[2], hexDigits) != "" || memory.JoinKey(parts...) != p.Key {
		c.fail(memory.Invalid("key", "is not that of the kind and the type of section"))
	}
	c.json("context", p.Context)
	if p.Hits > p.Total {
		c.fail(memory.Invalid("hits", "are more than the total"))
	}
	if !(math.Abs(p.ScoreSum) <= memory.MaxScore*(float64(p.Scored)+1)) {
		c.fail(memory.Invalid("scoreSum", "is beyond what so many scores add up to"))
	}
}

// The end of a pattern's key.
const (
	patternHash = 32
	hexDigits   = "0123456789abcdef"
)
