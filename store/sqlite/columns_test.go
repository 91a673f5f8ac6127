package sqlite

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/store/sqlite/db"
)

// What a store forgets of a record is gone for good, so each field has a column, or a name here that says that it is
// kept otherwise.
func TestEveryFieldOfARecordHasAColumn(t *testing.T) {
	t.Parallel()
	var (
		concept     memory.Concept
		episode     memory.Episode
		pattern     memory.Pattern
		verdict     memory.Verdict
		correction  memory.Correction
		feedback    memory.Feedback
		agent       memory.Agent
		canvas      memory.Canvas
		action      memory.CanvasAction
		event       memory.Event
		run         memory.Run
		memoir      memory.Memoir
		observation memory.Observation
	)
	for name, test := range map[string]struct {
		record  any
		columns []db.Columns
		others  []string
	}{
		"agent":      {&agent, []db.Columns{agentFields(&agent)}, []string{"Key"}},
		"canvas":     {&canvas, []db.Columns{canvasFields(&canvas), canvasLinks(&canvas)}, []string{"Key", "Actions"}},
		"action":     {&action, []db.Columns{actionFields(&action)}, nil},
		"event":      {&event, []db.Columns{eventFields(&event)}, []string{"Sequence"}},
		"run":        {&run, []db.Columns{runFields(&run)}, []string{"Key"}},
		"concept":    {&concept, []db.Columns{conceptFields(&concept), conceptSaid(&concept)}, []string{"Key", "MemoirKey"}},
		"correction": {&correction, []db.Columns{correctionFields(&correction)}, []string{"Key", "About"}},
		"episode": {&episode, []db.Columns{episodeFields(&episode), contentFields(&episode)}, []string{
			"Key", "AgentKey", "SessionKey", "Embedding", "FeedbackSum", "FeedbackCount", "CanvasActionCount", "Context",
		}},
		"pattern": {&pattern, []db.Columns{patternFields(&pattern), patternGains(&pattern)}, []string{"Key"}},
		"verdict": {&verdict, []db.Columns{judgementFields(&verdict.Judgement), judgementLabel(&verdict.Judgement), verdictFields(&verdict)},
			[]string{"Key", "RunKey", "SectionKey"}},
		"feedback":    {&feedback, []db.Columns{feedbackFields(&feedback), feedbackLinks(&feedback)}, []string{"Key"}},
		"memoir":      {&memoir, []db.Columns{memoirFields(&memoir)}, []string{"Key"}},
		"observation": {&observation, []db.Columns{observationFields(&observation), observationUse(&observation)}, []string{"Key", "SessionKey", "About"}},
	} {
		t.Run(name, func(t *testing.T) {
			held := map[uintptr]bool{}
			for _, c := range slices.Concat(test.columns...) {
				held[addressOf(c.Field)] = true
			}
			missing := fieldsBut(reflect.ValueOf(test.record).Elem(), held)
			slices.Sort(test.others)
			assert.Equal(t, test.others, missing)
		})
	}
}

// addressOf is where the field of a column is.
func addressOf(field any) uintptr {
	v := reflect.ValueOf(field)
	if v.Kind() == reflect.Struct {
		v = v.Field(0)
	}
	return v.Pointer()
}

// fieldsBut names, in order, the fields of a record whose addresses are not among those held.
func fieldsBut(record reflect.Value, held map[uintptr]bool) (missing []string) {
	for i := range record.NumField() {
		field, name := record.Field(i), record.Type().Field(i).Name
		switch {
		case field.Kind() == reflect.Struct && field.Type().PkgPath() == record.Type().PkgPath():
			missing = append(missing, fieldsBut(field, held)...)
		case !held[field.Addr().Pointer()]:
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}
