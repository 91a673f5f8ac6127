package service_test

import (
	"context"
	"testing"

	"mneme/service/servicetest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
)

// A read that names what there is not is told of a similar name, and otherwise answers nothing and says so.
func TestReadsOfUnknownNames(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	_, err := svc.Episodes.RecordEpisode(t.Context(), boundary.RecordEpisodeInput{
		AgentID: "support-1", Observation: "A kettle leaks", TaskType: new("refund"), Outcome: new(memory.OutcomeSuccess),
	}, boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Knowledge.CreateMemoir(t.Context(), boundary.CreateMemoirInput{ID: new("handbook"), Name: "The Handbook"})
	require.NoError(t, err)
	judge(t, svc, verdict("intro", 0, memory.VerdictApprove))
	reads := map[string]map[string]func(ctx context.Context, name string) error{
		"agentId": {
			"recall": func(ctx context.Context, name string) error {
				_, err := svc.Retrieval.Recall(ctx, boundary.RecallInput{Situation: "kettle", WorkFilter: boundary.WorkFilter{AgentID: &name}}, boundary.Include{})
				return err
			},
			"episodes": func(ctx context.Context, name string) error {
				_, err := svc.Episodes.List(ctx, boundary.EpisodeFilter{WorkFilter: boundary.WorkFilter{AgentID: &name}}, "", reading.PageInput{}, boundary.Include{})
				return err
			},
			"profile": func(ctx context.Context, name string) error {
				_, err := svc.Learning.Profile(ctx, name, "refund")
				return err
			},
			"trends": func(ctx context.Context, name string) error {
				_, err := svc.Learning.Trends(ctx, boundary.TrendsInput{AgentID: &name, Bucket: "DAY"})
				return err
			},
		},
		"id": {
			"agent": func(ctx context.Context, name string) error { return second(svc.Agents.Get(ctx, name)) },
		},
		"taskType": {
			"recall": func(ctx context.Context, name string) error {
				_, err := svc.Retrieval.Recall(ctx, boundary.RecallInput{Situation: "kettle", WorkFilter: boundary.WorkFilter{TaskType: &name}}, boundary.Include{})
				return err
			},
			"ranking": func(ctx context.Context, name string) error {
				return second(svc.Learning.RankAgents(ctx, boundary.SelectionInput{TaskType: name}, nil))
			},
			"profiles": func(ctx context.Context, name string) error {
				return second(svc.Learning.Profiles(ctx, boundary.ProfileFilter{TaskType: &name}, reading.PageInput{}))
			},
		},
		"sectionType": {
			"guidance": func(ctx context.Context, name string) error {
				return second(svc.Judging.Guidance(ctx, boundary.GuidanceInput{SectionType: name}))
			},
			"verdicts": func(ctx context.Context, name string) error {
				return second(svc.Judging.Verdicts(ctx, boundary.VerdictFilter{SectionType: &name}, reading.PageInput{}))
			},
			"patterns": func(ctx context.Context, name string) error {
				return second(svc.Judging.Patterns(ctx, boundary.PatternFilter{SectionType: &name}, reading.PageInput{}))
			},
		},
		"memoirId": {
			"concepts": func(ctx context.Context, name string) error {
				return second(svc.Retrieval.SearchConcepts(ctx, boundary.ConceptSearch{Query: "kettle", MemoirID: &name}, reading.PageInput{}))
			},
		},
		"name": {
			"memoir": func(ctx context.Context, name string) error { return second(svc.Knowledge.Memoir(ctx, nil, &name)) },
		},
	}
	for field, names := range map[string]struct{ known, similar, unknown string }{
		"agentId": {"support-1", "supprt-1", "support-2"}, "id": {"support-1", "Support_1", "support-2"}, "taskType": {"refund", "refnd", "juggling"},
		"sectionType": {"verse", "vrese", "chorus"}, "memoirId": {"handbook", "hand-book", "cookery"}, "name": {"The Handbook", "The Hendbook", "Cookery"},
	} {
		for what, read := range reads[field] {
			var none, noted faults.Unknown
			assert.NoError(t, read(none.Within(t.Context()), names.known), what)
			assert.Empty(t, none.Names(), what)
			err := read(t.Context(), names.similar)
			var fault *memory.Error
			if assert.ErrorAs(t, err, &fault, what) {
				assert.Equal(t, memory.CodeNotFound, fault.Code, what)
				assert.Equal(t, field, fault.Field, what)
				assert.Contains(t, fault.Message, `"`+names.similar+`" does not exist; did you mean "`+names.known+`"?`, what)
			}
			assert.NoError(t, read(noted.Within(t.Context()), names.unknown), what)
			if assert.Len(t, noted.Names(), 1, what) {
				assert.Equal(t, field, noted.Names()[0].Field)
				assert.Contains(t, noted.Names()[0].Message, `"`+names.unknown+`" does not exist`)
			}
		}
	}
}

func second[T any](_ T, err error) error { return err }
