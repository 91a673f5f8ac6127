package store

import (
	"cmp"
	"context"
	"time"

	"mneme/memory"
)

// Item is one thing that a tenant keeps, as an export hands it over and Restore takes it back: a *TenantItem,
// *AgentItem, *MemoirRecord, *ConceptRecord, *RelationItem, *EpisodeRecord, *EventItem, *CanvasItem, *FeedbackItem,
// *ExecutionRecord, *RunItem, *VerdictRecord, *PatternItem, *SectionTypeItem, *JudgeThresholdItem, *ObservationRecord,
// *CorrectionRecord, *SpanItem or Tombstone. A record holds what it names, whether that is there or still waited for,
// but not what follows from other items (sessions, sections, aggregates, profiles, the executions that episodes are,
// indexes).
type Item interface {
	// ID is the item's own global id; empty where it is no record of its own.
	ID() string
}

// TenantItem is what a tenant has once.
type TenantItem struct {
	InputKey []byte
	// VectorLength is as of EpisodeReader; 0 where there was no vector so far.
	VectorLength int
}

// Guarded is an item that the tombstones of other ids keep out than those of its own and its owners, also
// where its record is there already.
type Guarded struct {
	Item
	// Unless are the global ids.
	Unless []string
}

// AgentItem is an agent. Record makes it known, or renames it.
type AgentItem struct {
	memory.Agent
	// Rename has Restore give the name to an agent that is there already. No export says so.
	Rename bool `json:"-"`
}

// RelationItem is a typed link between two concepts.
type RelationItem struct{ memory.Relation }

// CanvasItem is a canvas; its EpisodeKey is the episode that it is linked to, however it got there.
type CanvasItem struct {
	memory.Canvas
	// Named is the episode that its actions name, null where none does.
	Named *string `json:"named,omitempty"`
	// Hashes are those of the inputs of its actions, one for each, nil for an action without an id.
	Hashes [][]byte `json:"inputHashes"`
}

// FeedbackItem is a feedback. Its Feedback holds what the caller named, as FeedbackRecord says, without
// an EpisodeKey or a CanvasKey that was named and is deleted.
type FeedbackItem struct {
	FeedbackRecord
	// Linked is the episode that it is linked to, however it got there.
	Linked *string `json:"linked,omitempty"`
}

// NewFeedbackItem makes the item of stored feedback, with what led it to its episode, and the keys that it waits for.
func NewFeedbackItem(f memory.Feedback, hash []byte, led memory.Kind, episode, canvas *string) *FeedbackItem {
	item := &FeedbackItem{FeedbackRecord: FeedbackRecord{Feedback: f, InputHash: hash}, Linked: f.EpisodeKey}
	item.Feedback.EpisodeKey, item.Feedback.CanvasKey = nil, cmp.Or(f.CanvasKey, canvas)
	if led == memory.KindEpisode { // else it did not name the episode
		item.Feedback.EpisodeKey = cmp.Or(f.EpisodeKey, episode)
	}
	return item
}

// RunItem is a run.
type RunItem struct{ memory.Run }

// PatternItem is a pattern with the keys of the sections that it was learned from, sorted.
type PatternItem struct {
	memory.Pattern
	Sections []string `json:"learnedFrom"`
}

// SectionTypeItem is how many sections of a type completed runs had, of all or of those made under a part of a context.
type SectionTypeItem struct {
	SectionType string      `json:"sectionType"`
	Context     memory.JSON `json:"context,omitempty"` // the part; null for all of the type
	Sections    int         `json:"sections"`
}

// Key is that under which they are counted.
func (i *SectionTypeItem) Key() string { return memory.SectionsKey(i.SectionType, i.Context) }

// JudgeThresholdItem is a threshold that was applied to a judge, or taken away. Of one that is there already the later
// stays; Record keeps its own in place of it. A null one is kept, too, so that an import does not undo its removal.
type JudgeThresholdItem struct{ memory.JudgeThreshold }

// SpanItem is a span that waits until its trace is complete, and when it arrived.
type SpanItem struct {
	HeldSpan
	ArrivedAt time.Time `json:"arrivedAt"`
}

// Tombstone is what stays of a record that was deleted for good: memory.Tombstone of its global id.
type Tombstone []byte

// Transfer takes a tenant out and in again, record by record.
type Transfer interface {
	// Export hands over all that the tenant keeps, in one order that is the same in every store: the TenantItem, agents,
	// memoirs, concepts, relations (by type, source, target), episodes, events of logs that came in parts (by episode and
	// number), canvases, feedback, executions that are no episodes, runs, verdicts, patterns, section types, thresholds of
	// judges, observations, corrections, spans (by trace and ID) and tombstones, each by key (tombstones by their bytes).
	// Embeddings, logs and revisions are there; canvas actions are by time, those of one instant in the order in which
	// they arrived; lists that a record names (causes, mentions, ABOUT) are by their bytes. It keeps a bounded number of
	// records in memory. An error of each ends it and is returned.
	Export(ctx context.Context, each func(Item) error) error
	// Restore takes items back as they are, without new keys, times or counts, a batch in one
	// transaction. Given all items of an export in its order, a tenant without records is then the same
	// as the exported one: it gives the same export, and what was waited for is waited for.
	//
	// An item whose record is there already is left as it is (Created is false; Err is ErrConflict where InputHash says
	// that it is another). An item with a tombstone is left out with ErrForgotten, unless force: then it comes back and
	// the tombstones of its ID and its Owners go. What is left out leaves a tombstone (see Leaves). A verdict that was
	// labelled by a person with a tombstone comes back without the label, unless force. A Tombstone deletes nothing. A
	// TenantItem sets the input key where the tenant has no records; where it has some and another key, the whole batch
	// fails with ErrConflict. A pattern is linked with those of its sections that are there. Err may be ErrVectorLength,
	// ErrNotFound (no such memoir, concept or verdict) and ErrInvalid too. Recorded.Key is the item's own global id, empty
	// where it has none.
	//
	// It is also how whatever is no client's own new record is written: a *CanvasActionRecord, a *FeedbackRecord
	// and a *VerdictLabel are taken too, as by Record. Tombstones are asked for in the
	// transaction that writes, under locks that deleting for good takes first: what is admitted is there when
	// that looks for what to delete, and what comes later meets its tombstone.
	Restore(ctx context.Context, items []Item, force bool) ([]Recorded, error)
}

// Backuper is a Store that can copy itself into a file while it is in use.
type Backuper interface {
	// Backup writes a consistent copy to a path where nothing is yet.
	Backup(ctx context.Context, path string) error
}
