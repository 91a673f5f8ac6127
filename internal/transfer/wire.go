package transfer

import (
	"time"

	"mneme/memory"
	"mneme/memory/capture"
)

// A line holds a record with the names that its type gives its fields in `json` tags, and what is kept beside it.
type (
	keptTenant struct {
		Format       int    `json:"format"`
		InputKey     []byte `json:"inputKey"`
		VectorLength int    `json:"vectorLength,omitempty"`
	}
	keptMemoir struct {
		memory.Memoir
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptConcept struct {
		memory.Concept
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptEpisode struct {
		memory.Episode
		CausedBy  []string       `json:"causedBy,omitempty"`
		Mentions  []string       `json:"mentions,omitempty"`
		Events    []memory.Event `json:"events,omitempty"`
		InputHash []byte         `json:"inputHash,omitempty"`
	}
	keptEvent struct {
		Episode  string `json:"episode"`
		Sequence int    `json:"sequence"`
		memory.Event
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptCanvas struct {
		memory.Canvas
		Named  *string  `json:"named,omitempty"`
		Hashes [][]byte `json:"inputHashes"`
	}
	keptFeedback struct {
		memory.Feedback
		Linked    *string `json:"linked,omitempty"`
		InputHash []byte  `json:"inputHash,omitempty"`
	}
	keptExecution struct {
		memory.Execution
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptVerdict struct {
		memory.Verdict
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptPattern struct {
		memory.Pattern
		LearnedFrom []string `json:"learnedFrom"`
	}
	keptSectionType struct {
		SectionType string      `json:"sectionType"`
		Context     memory.JSON `json:"context,omitempty"`
		Sections    int         `json:"sections"`
	}
	keptSpan struct {
		Trace     string         `json:"trace"`
		Span      capture.Span   `json:"span"`
		Receipt   memory.Receipt `json:"receipt"`
		ArrivedAt time.Time      `json:"arrivedAt"`
	}
	keptObservation struct {
		memory.Observation
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptCorrection struct {
		memory.Correction
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptTombstone struct {
		Hash []byte `json:"hash"`
	}
)
