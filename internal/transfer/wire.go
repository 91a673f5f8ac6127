package transfer

import "mneme/memory"

// The fields of lines that are not those of their item.
type (
	keptTenant struct {
		Format       int    `json:"format"`
		InputKey     []byte `json:"inputKey"`
		VectorLength int    `json:"vectorLength,omitempty"`
	}
	keptEvent struct {
		Episode  string `json:"episode"`
		Sequence int    `json:"sequence"`
		memory.Event
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptTombstone struct {
		Hash []byte `json:"hash"`
	}
)
