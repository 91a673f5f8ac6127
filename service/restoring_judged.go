package service

import (
	"mneme/memory"
	"mneme/memory/redaction"
	"mneme/store"
)

// restoreJudged is restore for runs, what they taught, spans, and what is no record. What nobody has written a look for
// does not come back.
func (b *boundary) restoreJudged(item Kept) {
	switch i := item.(type) {
	case *store.RunItem:
		i.Key = b.keyed(memory.KindRun, "key", i.Key)
		i.StartedAt, i.CompletedAt = stamp(i.StartedAt), optionalStamp(i.CompletedAt)
	case *store.VerdictRecord:
		b.restoreVerdict(i)
	case *store.PatternItem:
		b.restorePattern(i)
	case *store.SectionTypeItem:
		i.SectionType = b.label("sectionType", i.SectionType)
	case *store.SpanItem:
		b.reference("trace", i.Trace)
		b.restoreSpan("span", &i.Span)
		b.receipt(&i.Receipt)
	case *store.TenantItem, store.Tombstone: // no text of a caller
	default:
		b.fail(memory.Invalid("kind", "is none that comes back by an import"))
	}
}

func (b *boundary) restoreVerdict(r *store.VerdictRecord) {
	b.written(r.InputHash)
	v := &r.Verdict
	v.Key, v.RunKey = b.keyed(memory.KindVerdict, "key", v.Key), b.keyed(memory.KindRun, "run", v.RunKey)
	b.restoredSection("section", v.SectionKey)
	v.SectionType, v.Context = b.label("sectionType", v.SectionType), b.restoredCircumstances("context", v.Context)
	v.JudgeID, v.LabelledBy = b.optionalLabel("judge", v.JudgeID), b.optionalLabel("labelledBy", v.LabelledBy)
	v.At = stamp(v.At)
	if b.list("issues", len(v.Issues)) {
		for i := range v.Issues {
			place, issue := at("issues", i), &v.Issues[i]
			issue.Code, issue.Area = b.label(place+".code", issue.Code), b.optionalLabel(place+".area", issue.Area)
			issue.Message = b.optional(place+".message", issue.Message)
		}
	}
	v.Patterns, v.Feedback = b.terms("patterns", v.Patterns), b.optional("feedback", v.Feedback)
	v.Strengths, v.Fixes = b.requiredTexts("strengths", v.Strengths), b.requiredTexts("fixes", v.Fixes)
	v.Plan = b.restoredJSON("plan", v.Plan)
	b.receipt(&v.Receipt)
}

// restoredCircumstances are JSON that was in the form of names where others are.
func (b *boundary) restoredCircumstances(field string, value memory.JSON) memory.JSON {
	clean := b.restoredJSON(field, value)
	redaction.MapJSON(clean, func(text string) string { return b.formed(field, text) })
	return clean
}

// restoredSection checks the key of a section.
func (b *boundary) restoredSection(field, key string) {
	parts := memory.SplitKey(key)
	if len(parts) != 2 || memory.JoinKey(parts...) != key {
		b.fail(memory.Invalid(field, "is no key of a section"))
		return
	}
	for _, part := range parts {
		b.reference(field, part)
	}
}

func (b *boundary) restorePattern(i *store.PatternItem) {
	p := &i.Pattern
	p.SectionType, p.Context = b.label("sectionType", p.SectionType), b.restoredCircumstances("context", p.Context)
	p.IssueCode, p.Description = b.optionalLabel("issueCode", p.IssueCode), b.text("description", p.Description)
	for n, section := range i.Sections {
		b.restoredSection(at("learnedFrom", n), section)
	}
	p.LastSeen, p.SaidAt = stamp(p.LastSeen), optionalStamp(p.SaidAt)
}
