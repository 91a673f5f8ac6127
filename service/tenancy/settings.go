package tenancy

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/compaction"
	"mneme/memory/decay"
	"mneme/service/boundary"
)

// Embedder turns texts into vectors of one length.
type Embedder interface {
	// Embed returns a vector for each text, in order.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Settings are what a deployment decides for all of its tenants.
type Settings struct {
	boundary.Rules
	Log               *slog.Logger
	Seed              func() uint64
	Embedder          Embedder            // nil: no embedder, everything works without
	Writer            Writer              // nil: no model, texts are written by rule
	Embedded          atomic.Int64        // the length of the embedder's vectors; 0 before the first
	ModelTime         time.Duration       // what a call spends on models
	CanvasIntegration bool                // whether recalls have canvas and feedback context and boosts
	CanvasRules       *memory.CanvasRules // what canvases tell of the people who saw them; they passed their Check
	Decay             decay.Policy        // by which observations lose weight
	Waits             capture.TraceWaits  // when a trace counts as complete
	// Reading is held by who reads the whole log of a run, which may be long.
	Reading *semaphore.Weighted
	// Mining is held by who looks at the plans of a run.
	Mining *semaphore.Weighted
	// Reindexing lets one tenant at a time get its vectors in the background.
	Reindexing *semaphore.Weighted
	// ExaminingTime is how long a tenant is examined at most.
	ExaminingTime time.Duration
	// Examining is held by who has a tenant examined.
	Examining *semaphore.Weighted
}

const (
	// usualModelTime is what a call spends on models, for all of its records together; less than a request has. A writer
	// has three quarters of it, and the embedder half of it at most. What was not made by then is completed later.
	usualModelTime = 20 * time.Second
	// usualExaminingTime is how long a tenant is examined at most while somebody waits for the answer; a request has 30 s.
	usualExaminingTime = 20 * time.Second
	// maxMining is how many runs are mined at a time in the process, because each holds tens of megabytes. Others go on
	// while one waits for a model.
	maxMining = 4
)

// UsualSettings are those of a deployment that decides nothing.
func UsualSettings() *Settings {
	return &Settings{
		Log: slog.Default(), Rules: boundary.Rules{Now: time.Now, Compaction: compaction.Lite}, CanvasIntegration: true, CanvasRules: memory.DefaultCanvasRules(),
		Decay: decay.UseFades, Waits: capture.DefaultTraceWaits(), Seed: rand.Uint64, ModelTime: usualModelTime,
		Reading: semaphore.NewWeighted(1), Mining: semaphore.NewWeighted(maxMining), Reindexing: semaphore.NewWeighted(1),
		Examining: semaphore.NewWeighted(1), ExaminingTime: usualExaminingTime,
	}
}
