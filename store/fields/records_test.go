package fields_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/store/fields"
)

// What a store forgets of a record is gone for good, so each field is described, or has a name here that says that it
// is kept otherwise.
func TestEveryFieldOfARecordIsStored(t *testing.T) {
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
		execution   memory.Execution
	)
	for name, test := range map[string]struct {
		record any
		stored []fields.List
		others []string
	}{
		"agent":      {&agent, []fields.List{fields.Agent(&agent)}, []string{"Key"}},
		"canvas":     {&canvas, []fields.List{fields.Canvas(&canvas)}, []string{"Key", "Actions"}},
		"action":     {&action, []fields.List{fields.CanvasAction(&action)}, nil},
		"event":      {&event, []fields.List{fields.Event(&event)}, []string{"Sequence"}},
		"run":        {&run, []fields.List{fields.Run(&run)}, []string{"Key"}},
		"concept":    {&concept, []fields.List{fields.Concept(&concept), fields.ConceptContent(&concept)}, []string{"Key"}},
		"correction": {&correction, []fields.List{fields.Correction(&correction)}, []string{"Key", "About"}},
		"episode": {&episode, []fields.List{fields.Episode(&episode), fields.Ending(&episode), fields.Contents(&episode)}, []string{
			"Key", "Embedding", "FeedbackSum", "FeedbackCount", "CanvasActionCount", "Context",
		}},
		"pattern": {&pattern, []fields.List{fields.Pattern(&pattern), fields.PatternGains(&pattern)}, []string{"Key"}},
		"verdict": {&verdict, []fields.List{fields.Judgement(&verdict.Judgement),
			fields.JudgementLabel(&verdict.Judgement), fields.Verdict(&verdict)}, []string{"Key"}},
		"feedback": {&feedback, []fields.List{fields.Feedback(&feedback)}, []string{"Key"}},
		"memoir":   {&memoir, []fields.List{fields.Memoir(&memoir)}, []string{"Key"}},
		"observation": {&observation, []fields.List{fields.Observation(&observation), fields.ObservationUse(&observation)},
			[]string{"Key", "About"}},
		"execution": {&execution, []fields.List{fields.Execution(&execution)}, []string{"AgentKey", "Archived", "Key", "TaskType"}},
	} {
		t.Run(name, func(t *testing.T) {
			held := map[uintptr]bool{}
			for _, c := range slices.Concat(test.stored...) {
				held[addressOf(c.At)] = true
			}
			missing := fieldsBut(reflect.ValueOf(test.record).Elem(), held)
			slices.Sort(test.others)
			assert.Equal(t, test.others, missing)
		})
	}
}

// addressOf is where a field is.
func addressOf(field any) uintptr {
	v := reflect.ValueOf(field)
	for v.Kind() == reflect.Struct {
		if v = v.Field(0); v.Kind() == reflect.Interface {
			v = v.Elem()
		}
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
