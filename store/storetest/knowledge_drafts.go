package storetest

import (
	"time"

	"mneme/memory"
	"mneme/store"
)

// noReceipt is that of a text that was left as it is.
var noReceipt = memory.Receipt{Redactions: []memory.Redaction{}}

// memoirDraft is a memoir on its way to the store.
type memoirDraft struct{ store.MemoirRecord }

// memoir is a memoir that is named "Name of {key}".
func memoir(key string) memoirDraft {
	return memoirDraft{store.MemoirRecord{Memoir: memory.Memoir{Key: key, Name: "Name of " + key, CreatedAt: at(0)}}}
}

func (d memoirDraft) named(name string) memoirDraft      { d.Memoir.Name = name; return d }
func (d memoirDraft) describing(text string) memoirDraft { d.Memoir.Description = &text; return d }

// conceptDraft is a concept on its way to the store.
type conceptDraft struct{ store.ConceptRecord }

// concept is a concept of the memoir "m", named by its key.
func concept(key string) conceptDraft {
	return conceptDraft{store.ConceptRecord{Concept: memory.Concept{
		Key: key, MemoirKey: "m", Name: key, Content: "Content of " + key, Labels: []string{},
		Revisions: []memory.ConceptRevision{}, Receipt: noReceipt, CreatedAt: at(1), UpdatedAt: at(1),
	}}}
}

func (d conceptDraft) of(memoir string) conceptDraft          { d.Concept.MemoirKey = memoir; return d }
func (d conceptDraft) named(name string) conceptDraft         { d.Concept.Name = name; return d }
func (d conceptDraft) saying(content string) conceptDraft     { d.Concept.Content = content; return d }
func (d conceptDraft) labelled(labels ...string) conceptDraft { d.Concept.Labels = labels; return d }

// relates is a relation that came into being at at(2).
func relates(source string, kind memory.RelationType, target string) memory.Relation {
	return memory.Relation{Type: kind, SourceKey: source, TargetKey: target, CreatedAt: at(2)}
}

// observationDraft is an observation on its way to the store.
type observationDraft struct{ store.ObservationRecord }

// observation is an observation of medium importance, about nothing.
func observation(key string, createdAt time.Time) observationDraft {
	return observationDraft{store.ObservationRecord{Observation: memory.Observation{
		Key: key, Content: "Content of " + key, Importance: memory.ImportanceMedium, About: []string{},
		Receipt: noReceipt, CreatedAt: createdAt,
	}}}
}

func (d observationDraft) in(session string) observationDraft {
	d.Observation.SessionKey = &session
	return d
}
func (d observationDraft) saying(text string) observationDraft {
	d.Observation.Content = text
	return d
}
func (d observationDraft) about(ids ...string) observationDraft { d.Observation.About = ids; return d }
func (d observationDraft) weighing(i memory.Importance) observationDraft {
	d.Observation.Importance = i
	return d
}

// correctionDraft is a correction on its way to the store.
type correctionDraft struct{ store.CorrectionRecord }

// correction is a correction of medium importance on a topic, about nothing.
func correction(key, topic string, createdAt time.Time) correctionDraft {
	return correctionDraft{store.CorrectionRecord{Correction: memory.Correction{
		Key: key, Topic: topic, Prediction: "Prediction of " + key, Correction: "Correction of " + key,
		Importance: memory.ImportanceMedium, About: []string{}, Receipt: noReceipt, CreatedAt: createdAt,
	}}}
}

func (d correctionDraft) predicting(text string) correctionDraft {
	d.Correction.Prediction = text
	return d
}
func (d correctionDraft) saying(text string) correctionDraft {
	d.Correction.Correction = text
	return d
}
func (d correctionDraft) within(text string) correctionDraft { d.Correction.Context = &text; return d }
func (d correctionDraft) by(person string) correctionDraft {
	d.Correction.CreatedBy = &person
	return d
}
func (d correctionDraft) about(ids ...string) correctionDraft { d.Correction.About = ids; return d }
func (d correctionDraft) weighing(i memory.Importance) correctionDraft {
	d.Correction.Importance = i
	return d
}

// What a read of each gives.
func (d memoirDraft) read() *memory.Memoir           { return &d.Memoir }
func (d conceptDraft) read() *memory.Concept         { return &d.Concept }
func (d observationDraft) read() *memory.Observation { return &d.Observation }
func (d correctionDraft) read() *memory.Correction   { return &d.Correction }

// mentioning names the concepts that an episode mentions.
func (d episodeDraft) mentioning(concepts ...string) episodeDraft { d.Mentions = concepts; return d }

func memoirRecords(drafts []memoirDraft) []store.MemoirRecord {
	records := make([]store.MemoirRecord, len(drafts))
	for i, draft := range drafts {
		records[i] = draft.MemoirRecord
		records[i].InputHash = hash(draft)
	}
	return records
}

func conceptRecords(drafts []conceptDraft) []store.ConceptRecord {
	records := make([]store.ConceptRecord, len(drafts))
	for i, draft := range drafts {
		records[i] = draft.ConceptRecord
		records[i].InputHash = hash(draft)
	}
	return records
}

func observationRecords(drafts []observationDraft) []store.ObservationRecord {
	records := make([]store.ObservationRecord, len(drafts))
	for i, draft := range drafts {
		records[i] = draft.ObservationRecord
		records[i].InputHash = hash(draft)
	}
	return records
}

func correctionRecords(drafts []correctionDraft) []store.CorrectionRecord {
	records := make([]store.CorrectionRecord, len(drafts))
	for i, draft := range drafts {
		records[i] = draft.CorrectionRecord
		records[i].InputHash = hash(draft)
	}
	return records
}
