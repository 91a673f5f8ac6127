package service

import (
	"mneme/service/events"
	"mneme/store"
)

// The groups of use cases. Each holds what it shares with the others, and of the store only the roles that it uses;
// none calls another.

// Episodes is what agents did: recorded, concluded, read again, and what led to what.
type Episodes struct {
	*tenant
	store interface {
		store.EpisodeWriter
		store.EpisodeReader
		store.SpanStore // whose TraceEpisode reads an episode with its whole log
	}
}

// Reactions is what was shown to people and how they took it: canvases and feedback.
type Reactions struct {
	*tenant
	store interface {
		store.CanvasStore
		store.FeedbackStore
		store.EpisodeReader
	}
}

// Agents is who worked, and in which sessions.
type Agents struct {
	*tenant
	store store.ActorReader
}

// Knowledge is what agents know: memoirs and their concepts, observations, corrections.
type Knowledge struct {
	*tenant
	store interface {
		store.ConceptWriter
		store.ConceptReader
		store.ConceptLinks
		store.ObservationStore
		store.CorrectionStore
	}
}

// Learning is how well agents do what: executions, profiles, the choice of an agent, graduation, trends.
type Learning struct {
	*tenant
	store interface {
		store.ExecutionStore
		store.ProfileReader
		store.Passages
		store.EpisodeReader
		store.CanvasStore
		store.HistoryReader
	}
}

// Judging is judged work: verdicts and labels, runs, what they teach, and how judges judge.
type Judging struct {
	*tenant
	store store.Judged
}

// Retrieval finds records of any kind: what matters for a situation, searches, neighbourhoods, records by id.
type Retrieval struct {
	*tenant
	store interface {
		store.Passages
		store.Traverser
		store.EpisodeReader
		store.CanvasStore
		store.FeedbackStore
		store.ActorReader
		store.ConceptReader
		store.ConceptLinks
		store.ObservationStore
		store.CorrectionStore
		store.Learning
		store.Judged
	}
}

// Traces makes episodes of the spans that programs send.
type Traces struct {
	*tenant
	store interface {
		store.SpanStore
		store.EpisodeWriter
	}
}

// Upkeep is what an operator does with what is kept: deleting for good, pruning, summing up, linking what came late.
type Upkeep struct {
	*tenant
	store interface {
		store.EpisodeWriter
		store.EpisodeReader
		store.ActorReader
		store.ObservationStore
		store.ConceptReader
		store.SpanStore
		store.Transfer
		store.Eraser
		store.VerdictReader
		store.Backlogged
		store.Rebuilder
		store.Reindexer
	}
	id       string // of the tenant
	examiner store.Examiner
}

// Live tells of what is recorded as it comes.
type Live struct {
	*tenant
	feed *events.Feed
	// alerting shares what it finds; learning is what finds it.
	alerting *alerting
	learning *Learning
	store    interface {
		store.NoticeReader
		store.AlertKeeper
		store.EpisodeReader
		store.FeedbackStore
		store.VerdictReader
	}
}

// Transfer hands a tenant's memory over as a whole, and takes it back.
type Transfer struct {
	*tenant
	store store.Transfer
}
