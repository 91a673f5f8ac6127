package boundary

import (
	"context"
	"runtime"
	"sync"

	"mneme/memory"
	"mneme/store"
)

// What an export brings back may have been changed since: it meets the same boundary as new records. It stays as it is
// where nothing is wrong, so that an untouched export gives the same records; fields are named as in its lines.

const (
	// restoredGrowth is how many times as long a text may be as one that comes in: the marks in it are longer than what
	// they stand for.
	restoredGrowth = 4
	// restoredList is how long the lists of an episode may be that are read from its log, such as the thoughts of a trace.
	restoredList = 10_000
)

// CheckRestored says of each item why it cannot come back, and redacts the others. Finding secrets is half of the work
// of an import, so all processors do it.
func CheckRestored(ctx context.Context, by *Rules, items []store.Item) []error {
	refused := make([]error, len(items))
	share := (len(items) + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0)
	var parts sync.WaitGroup
	for from := 0; from < len(items); from += share {
		parts.Go(func() {
			for i := from; i < min(from+share, len(items)); i++ {
				b := New(ctx, by, nil)
				b.back, b.maxText, b.maxName = true, restoredGrowth*MaxText, restoredGrowth*memory.MaxKeyBytes
				b.restore(items[i])
				refused[i] = b.err
			}
		})
	}
	parts.Wait()
	return refused
}

// restore brings an item through the boundary, of which store.Check finds nothing wrong.
func (b *Boundary) restore(item store.Item) {
	switch i := item.(type) {
	case *store.AgentItem:
		i.Key, i.Name = b.Label("key", i.Key), b.Text("name", i.Name)
	case *store.MemoirRecord:
		i.Key, i.Name = b.Label("key", i.Key), b.name("name", i.Name)
		i.Description, i.CreatedAt = b.Optional("description", i.Description), stamp(i.CreatedAt)
	case *store.ConceptRecord:
		b.restoreConcept(i)
	case *store.RelationItem:
		i.SourceKey, i.TargetKey = b.Label("source", i.SourceKey), b.Label("target", i.TargetKey)
		i.CreatedAt = stamp(i.CreatedAt)
	case *store.EpisodeRecord:
		b.restoreEpisode(i)
	case *store.CanvasItem:
		b.restoreCanvas(i)
	case *store.FeedbackItem:
		b.restoreFeedback(i)
	case *store.ExecutionRecord:
		i.Key, i.AgentKey = b.Label("key", i.Key), b.Label("agent", i.AgentKey)
		i.TaskType, i.At = b.Label("taskType", i.TaskType), stamp(i.At)
	case *store.ObservationRecord:
		b.restoreObservation(i)
	case *store.CorrectionRecord:
		b.restoreCorrection(i)
	default:
		b.restoreJudged(item)
	}
}

// receipt checks what a record says was done to its texts, and adds what was done to them now.
func (b *Boundary) receipt(receipt *memory.Receipt) {
	if b.List("receipt.redactions", len(receipt.Redactions)) {
		for i, redaction := range receipt.Redactions {
			b.checkName(At("receipt.redactions", i)+".kind", redaction.Kind)
		}
	}
	if now := b.redacting.Receipt(); len(now.Redactions) > 0 {
		*receipt = receipt.Plus(memory.Receipt{Redactions: now.Redactions})
	}
}

// restoreJudged is restore for runs, what they taught, spans, and what is no record. A kind that is checked nowhere
// does not come back.
func (b *Boundary) restoreJudged(item store.Item) {
	switch i := item.(type) {
	case *store.RunItem:
		i.Key = b.Label("key", i.Key)
		i.StartedAt, i.CompletedAt = stamp(i.StartedAt), optionalStamp(i.CompletedAt)
	case *store.VerdictRecord:
		b.restoreVerdict(i)
	case *store.PatternItem:
		b.restorePattern(i)
	case *store.SectionTypeItem:
		i.SectionType, i.Context = b.Label("sectionType", i.SectionType), b.Circumstances(i.Context)
	case *store.JudgeThresholdItem:
		i.JudgeKey, i.SectionType = b.Label("judgeId", i.JudgeKey), b.OptionalLabel("sectionType", i.SectionType)
		i.At = stamp(i.At)
	case *store.SpanItem:
		i.Trace = b.Label("trace", i.Trace)
		b.restoreSpan("span", &i.Span)
		b.receipt(&i.Receipt)
	case *store.EventItem:
		i.Episode = b.Label("episode", i.Episode)
		i.Type, i.Data, i.At = b.Label("type", i.Type), b.json("data", i.Data), stamp(i.At)
	case *store.TenantItem, store.Tombstone: // no text of a caller
	default:
		b.Fail(memory.Invalid("kind", "is none that comes back by an import"))
	}
}

func (b *Boundary) restoreVerdict(r *store.VerdictRecord) {
	v := &r.Verdict
	v.Key, v.RunKey = b.Label("key", v.Key), b.Label("run", v.RunKey)
	v.SectionKey = b.restoredSection("section", v.SectionKey)
	v.SectionType, v.Context = b.Label("sectionType", v.SectionType), b.Circumstances(v.Context)
	v.JudgeID, v.LabelledBy = b.OptionalLabel("judge", v.JudgeID), b.OptionalLabel("labelledBy", v.LabelledBy)
	v.At = stamp(v.At)
	v.Issues = each(b, "issues", v.Issues, b.issue)
	v.Patterns, v.Feedback = b.terms("patterns", v.Patterns), b.Optional("feedback", v.Feedback)
	v.Strengths, v.Fixes = b.requiredTexts("strengths", v.Strengths), b.requiredTexts("fixes", v.Fixes)
	v.Plan = b.json("plan", v.Plan)
	b.receipt(&v.Receipt)
}

// restoredSection is the key of a section.
func (b *Boundary) restoredSection(field, key string) string {
	parts := memory.SplitKey(key)
	if !b.Require(len(parts) == 2 && memory.JoinKey(parts...) == key, field, "is no key of a section") {
		return ""
	}
	return memory.SectionKey(b.Label(field, parts[0]), b.Label(field, parts[1]))
}

func (b *Boundary) restorePattern(i *store.PatternItem) {
	p := &i.Pattern
	p.SectionType, p.Context = b.Label("sectionType", p.SectionType), b.Circumstances(p.Context)
	p.Common = b.formedJSON("common", p.Common)
	p.IssueCode, p.Description = b.OptionalLabel("issueCode", p.IssueCode), b.Text("description", p.Description)
	for n, section := range i.Sections {
		i.Sections[n] = b.restoredSection(At("learnedFrom", n), section)
	}
	p.LastSeen, p.SaidAt = stamp(p.LastSeen), optionalStamp(p.SaidAt)
}
