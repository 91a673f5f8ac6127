package memory

import (
	"cmp"
	"slices"
	"time"
)

// Importance says how much an observation or a correction matters. Critical and high are pinned: they
// neither fade nor are pruned.
type Importance string

// The closed set of importances.
const (
	ImportanceCritical Importance = "CRITICAL"
	ImportanceHigh     Importance = "HIGH"
	ImportanceMedium   Importance = "MEDIUM"
	ImportanceLow      Importance = "LOW"
)

// Importances lists them, the weightiest first.
var Importances = []Importance{ImportanceCritical, ImportanceHigh, ImportanceMedium, ImportanceLow}

// Valid says whether the word is one of the closed set.
func (i Importance) Valid() bool { return slices.Contains(Importances, i) }

// Pinned says whether the record neither fades nor is pruned.
func (i Importance) Pinned() bool { return i == ImportanceCritical || i == ImportanceHigh }

// Observation is something an agent noticed and wants to keep. Its weight follows from importance and
// use by a decay.Policy and is computed, never stored.
type Observation struct {
	Key            string     `json:"key"`
	SessionKey     *string    `json:"session,omitempty"`
	UserID         *string    `json:"userId,omitempty"`
	Content        string     `json:"content"`
	Importance     Importance `json:"importance"`
	AccessCount    int        `json:"accessCount,omitempty"`    // how often it was returned by a search or fetched by id
	LastAccessedAt *time.Time `json:"lastAccessedAt,omitempty"` // null until then
	About          []string   `json:"about,omitempty"`          // global ids of the records it is about
	Receipt        Receipt    `json:"receipt"`
	CreatedAt      time.Time  `json:"createdAt"`
}

// ID is the global id, observation:key.
func (o *Observation) ID() string { return NodeID(KindObservation, o.Key) }

// SessionID is the global id of the session, nil where there is none.
func (o *Observation) SessionID() *string { return OptionalID(KindSession, o.SessionKey) }

// CorrectionStats counts corrections, the most frequent topic first, then by name, and the weightiest
// importance first; what never occurs is left out.
type CorrectionStats struct {
	Total        int               `json:"total"`
	ByTopic      []TopicCount      `json:"byTopic" jsonschema:"The most frequent topic first."`
	ByImportance []ImportanceCount `json:"byImportance" jsonschema:"The weightiest first."`
}

// TopicCount is how many corrections are on a topic.
type TopicCount struct {
	Topic string `json:"topic"`
	Count int    `json:"count"`
}

// ImportanceCount is how many corrections are of an importance.
type ImportanceCount struct {
	Importance Importance `json:"importance"`
	Count      int        `json:"count"`
}

// CorrectionCount is how many corrections are on a topic and of an importance.
type CorrectionCount struct {
	Topic      string
	Importance Importance
	Count      int
}

// CountCorrections sums up counts.
func CountCorrections(counts []CorrectionCount) CorrectionStats {
	stats := CorrectionStats{ByTopic: []TopicCount{}, ByImportance: []ImportanceCount{}}
	topics, importances := map[string]int{}, map[Importance]int{}
	for _, c := range counts {
		if c.Count == 0 {
			continue
		}
		stats.Total += c.Count
		topics[c.Topic] += c.Count
		importances[c.Importance] += c.Count
	}
	for topic, count := range topics {
		stats.ByTopic = append(stats.ByTopic, TopicCount{Topic: topic, Count: count})
	}
	slices.SortFunc(stats.ByTopic, func(a, b TopicCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Topic, b.Topic))
	})
	for _, importance := range Importances {
		if count := importances[importance]; count > 0 {
			stats.ByImportance = append(stats.ByImportance, ImportanceCount{Importance: importance, Count: count})
		}
	}
	return stats
}

// Correction is what a person put right: what was predicted on a topic, and what is so.
type Correction struct {
	Key        string     `json:"key"`
	Topic      string     `json:"topic"`
	Prediction string     `json:"prediction"`
	Correction string     `json:"correction"`
	Context    *string    `json:"context,omitempty"`
	Importance Importance `json:"importance"`
	CreatedBy  *string    `json:"createdBy,omitempty"`
	About      []string   `json:"about,omitempty"` // global ids of the records it is about
	Receipt    Receipt    `json:"receipt"`
	CreatedAt  time.Time  `json:"createdAt"`
}

// ID is the global id, correction:key.
func (c *Correction) ID() string { return NodeID(KindCorrection, c.Key) }
