package transfer

import (
	"time"

	"mneme/memory"
	"mneme/memory/capture"
)

// The types here are those of package memory with the names that their fields have in a line. They are
// converted as wholes, so a field that is added there does not compile until it is added here.

type agent struct {
	Key  string `json:"key"`
	Name string `json:"name"`
}

type memoir struct {
	Key         string    `json:"key"`
	Name        string    `json:"name"`
	Description *string   `json:"description,omitempty"`
	CreatedAt   time.Time `json:"createdAt"`
}

type concept struct {
	Key       string                   `json:"key"`
	MemoirKey string                   `json:"memoir"`
	Name      string                   `json:"name"`
	Content   string                   `json:"content"`
	Labels    []string                 `json:"labels,omitempty"`
	Revisions []memory.ConceptRevision `json:"revisions,omitempty"`
	Receipt   memory.Receipt           `json:"receipt"`
	CreatedAt time.Time                `json:"createdAt"`
	UpdatedAt time.Time                `json:"updatedAt"`
}

type relation struct {
	Type      memory.RelationType `json:"type"`
	SourceKey string              `json:"source"`
	TargetKey string              `json:"target"`
	CreatedAt time.Time           `json:"createdAt"`
}

type episode struct {
	Key          string           `json:"key"`
	Title        string           `json:"title"`
	AgentKey     string           `json:"agent"`
	SessionKey   *string          `json:"session,omitempty"`
	TaskType     *string          `json:"taskType,omitempty"`
	Observation  string           `json:"observation"`
	Thoughts     []string         `json:"thoughts,omitempty"`
	Actions      []memory.Action  `json:"actions,omitempty"`
	Result       *string          `json:"result,omitempty"`
	Outcome      memory.Outcome   `json:"outcome"`
	Insight      string           `json:"insight"`
	ExecutionIDs []string         `json:"executionIds,omitempty"`
	StartedAt    time.Time        `json:"startedAt"`
	EndedAt      *time.Time       `json:"endedAt,omitempty"`
	CreatedAt    time.Time        `json:"createdAt"`
	Segments     []memory.Segment `json:"segments,omitempty"`
	Metadata     memory.JSON      `json:"metadata,omitempty"`
	Receipt      memory.Receipt   `json:"receipt"`
	Quality      *float64         `json:"quality,omitempty"`
	Concluded    bool             `json:"concluded"`
	Embedding    []float32        `json:"embedding,omitempty"`

	// What follows from canvases and feedback.
	FeedbackSum       float64                `json:"-"`
	FeedbackCount     int                    `json:"-"`
	CanvasActionCount int                    `json:"-"`
	Context           *memory.EpisodeContext `json:"-"`
}

type canvas struct {
	Key           string                `json:"key"`
	EpisodeKey    *string               `json:"episode,omitempty"`
	SessionKey    *string               `json:"session,omitempty"`
	CanvasType    string                `json:"canvasType"`
	ComponentType *string               `json:"componentType,omitempty"`
	Actions       []memory.CanvasAction `json:"actions"`
}

type feedback struct {
	Key              string                `json:"key"`
	EpisodeKey       *string               `json:"episode,omitempty"`
	CanvasKey        *string               `json:"canvas,omitempty"`
	SessionKey       *string               `json:"session,omitempty"`
	Type             memory.FeedbackType   `json:"type"`
	Rating           *int                  `json:"rating,omitempty"`
	Score            float64               `json:"score"`
	Corrections      *string               `json:"corrections,omitempty"`
	Source           memory.FeedbackSource `json:"source"`
	AgentExecutionID *string               `json:"agentExecutionId,omitempty"`
	CreatedBy        *string               `json:"createdBy,omitempty"`
	CreatedAt        time.Time             `json:"createdAt"`
	Receipt          memory.Receipt        `json:"receipt"`
}

type execution struct {
	Key       string    `json:"key"`
	AgentKey  string    `json:"agent"`
	TaskType  string    `json:"taskType"`
	Success   bool      `json:"success"`
	Quality   float64   `json:"quality"`
	LatencyMs *float64  `json:"latencyMs,omitempty"`
	At        time.Time `json:"at"`

	// What follows from the others.
	Archived bool `json:"-"`
}

type run struct {
	Key         string     `json:"key"`
	StartedAt   time.Time  `json:"startedAt"`
	CompletedAt *time.Time `json:"completedAt,omitempty"`
}

type judgement struct {
	Key         string               `json:"key"`
	RunKey      string               `json:"run"`
	SectionKey  string               `json:"section"`
	SectionType string               `json:"sectionType"`
	Context     memory.JSON          `json:"context,omitempty"`
	JudgeID     *string              `json:"judge,omitempty"`
	Status      memory.VerdictStatus `json:"status"`
	Score       *float64             `json:"score,omitempty"`
	Iteration   int                  `json:"iteration"`
	Issues      []memory.Issue       `json:"issues,omitempty"`
	Patterns    []string             `json:"patterns,omitempty"`
	Label       *bool                `json:"label,omitempty"`
	LabelledBy  *string              `json:"labelledBy,omitempty"`
	At          time.Time            `json:"at"`
}

type pattern struct {
	Key         string             `json:"key"`
	Kind        memory.PatternKind `json:"kind"`
	Description string             `json:"description"`
	SaidAt      *time.Time         `json:"saidAt,omitempty"`
	IssueCode   *string            `json:"issueCode,omitempty"`
	SectionType string             `json:"sectionType"`
	Context     memory.JSON        `json:"context,omitempty"`
	Hits        int                `json:"hits"`
	Total       int                `json:"total"`
	Scored      int                `json:"scored"`
	ScoreSum    float64            `json:"scoreSum"`
	Recovered   int                `json:"recovered"`
	RecoverySum int                `json:"recoverySum"`
	LastSeen    time.Time          `json:"lastSeen"`
}

type observation struct {
	Key            string            `json:"key"`
	SessionKey     *string           `json:"session,omitempty"`
	Content        string            `json:"content"`
	Importance     memory.Importance `json:"importance"`
	AccessCount    int               `json:"accessCount,omitempty"`
	LastAccessedAt *time.Time        `json:"lastAccessedAt,omitempty"`
	About          []string          `json:"about,omitempty"`
	Receipt        memory.Receipt    `json:"receipt"`
	CreatedAt      time.Time         `json:"createdAt"`
}

type correction struct {
	Key        string            `json:"key"`
	Topic      string            `json:"topic"`
	Prediction string            `json:"prediction"`
	Correction string            `json:"correction"`
	Context    *string           `json:"context,omitempty"`
	Importance memory.Importance `json:"importance"`
	CreatedBy  *string           `json:"createdBy,omitempty"`
	About      []string          `json:"about,omitempty"`
	Receipt    memory.Receipt    `json:"receipt"`
	CreatedAt  time.Time         `json:"createdAt"`
}

// What is kept of each beside what is known of it.
type (
	keptTenant struct {
		Format       int    `json:"format"`
		InputKey     []byte `json:"inputKey"`
		VectorLength int    `json:"vectorLength,omitempty"`
	}
	keptMemoir struct {
		memoir
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptConcept struct {
		concept
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptEpisode struct {
		episode
		CausedBy  []string       `json:"causedBy,omitempty"`
		Mentions  []string       `json:"mentions,omitempty"`
		Events    []memory.Event `json:"events,omitempty"`
		InputHash []byte         `json:"inputHash,omitempty"`
	}
	keptCanvas struct {
		canvas
		Named  *string  `json:"named,omitempty"`
		Hashes [][]byte `json:"inputHashes"`
	}
	keptFeedback struct {
		feedback
		Linked    *string `json:"linked,omitempty"`
		InputHash []byte  `json:"inputHash,omitempty"`
	}
	keptExecution struct {
		execution
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptVerdict struct {
		judgement
		Feedback  *string        `json:"feedback,omitempty"`
		Strengths []string       `json:"strengths,omitempty"`
		Fixes     []string       `json:"fixes,omitempty"`
		Plan      memory.JSON    `json:"plan,omitempty"`
		Receipt   memory.Receipt `json:"receipt"`
		InputHash []byte         `json:"inputHash,omitempty"`
	}
	keptPattern struct {
		pattern
		LearnedFrom []string `json:"learnedFrom"`
	}
	keptSectionType struct {
		SectionType string `json:"sectionType"`
		Sections    int    `json:"sections"`
	}
	keptSpan struct {
		Trace     string         `json:"trace"`
		Span      capture.Span   `json:"span"`
		Receipt   memory.Receipt `json:"receipt"`
		ArrivedAt time.Time      `json:"arrivedAt"`
	}
	keptObservation struct {
		observation
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptCorrection struct {
		correction
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptTombstone struct {
		Hash []byte `json:"hash"`
	}
)
