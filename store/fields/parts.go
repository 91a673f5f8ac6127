package fields

import (
	"slices"

	"mneme/memory"
)

// Parts are fields by a name, for schemas and for statements that name them one by one.
var Parts = map[string]List{
	"agent":          Agent(&memory.Agent{}),
	"episode":        slices.Concat(Episode(&memory.Episode{}), Ending(&memory.Episode{})),
	"contents":       Contents(&memory.Episode{}),
	"event":          Event(&memory.Event{}),
	"canvas":         Canvas(&memory.Canvas{}),
	"canvasAction":   CanvasAction(&memory.CanvasAction{}),
	"feedback":       Feedback(&memory.Feedback{}),
	"memoir":         Memoir(&memory.Memoir{}),
	"concept":        slices.Concat(Concept(&memory.Concept{}), ConceptContent(&memory.Concept{})),
	"observation":    slices.Concat(Observation(&memory.Observation{}), ObservationUse(&memory.Observation{})),
	"correction":     Correction(&memory.Correction{}),
	"run":            Run(&memory.Run{}),
	"judgement":      slices.Concat(Judgement(&memory.Judgement{}), JudgementLabel(&memory.Judgement{})),
	"verdict":        Verdict(&memory.Verdict{}),
	"judgeThreshold": JudgeThreshold(&memory.JudgeThreshold{}),
	"pattern":        slices.Concat(Pattern(&memory.Pattern{}), PatternGains(&memory.Pattern{})),
	"execution":      Execution(&memory.Execution{}),
	"profile":        slices.Concat(Profile(&memory.LearningProfile{}), ProfileWindow(&memory.LearningProfile{})),
	"receipt":        Receipt(&memory.Receipt{}),
}
