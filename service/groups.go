package service

import (
	"mneme/service/events"
	"mneme/store"
)

// The groups of use cases. None calls another.
type (
	// Episodes is what agents did: recorded, concluded, read again, and what led to what.
	Episodes struct{ *tenant }

	// Reactions is what was shown to people and how they took it: canvases and feedback.
	Reactions struct{ *tenant }

	// Agents is who worked, and in which sessions.
	Agents struct{ *tenant }

	// Knowledge is what agents know: memoirs and their concepts, observations, corrections.
	Knowledge struct{ *tenant }

	// Learning is how well agents do what: executions, profiles, the choice of an agent, graduation, trends.
	Learning struct{ *tenant }

	// Judging is judged work: verdicts and labels, runs, what they teach, and how judges judge.
	Judging struct{ *tenant }

	// Retrieval finds records of any kind: what matters for a situation, searches, neighbourhoods, records by id.
	Retrieval struct{ *tenant }

	// Traces makes episodes of the spans that programs send.
	Traces struct{ *tenant }

	// Transfer hands a tenant's memory over as a whole, and takes it back.
	Transfer struct{ *tenant }

	// Upkeep is what an operator does with what is kept: deleting for good, pruning, summing up, linking what came late.
	Upkeep struct {
		*tenant
		id       string // of the tenant
		examiner store.Examiner
	}

	// Live tells of what is recorded as it comes.
	Live struct {
		*tenant
		feed *events.Feed
		// alerting shares what it finds; learning is what finds it.
		alerting *alerting
		learning *Learning
	}
)
