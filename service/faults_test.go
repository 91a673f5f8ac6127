package service_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/internal/testsecret"
	"mneme/memory"
	"mneme/service/boundary"
)

// What does not exist is told by the name that the caller gave it, whichever call it was.
func TestWhatIsNotThereIsNamed(t *testing.T) {
	t.Parallel()
	svc, ctx := testsecret.Open(t), t.Context()
	_, conclude := svc.Episodes.ConcludeEpisode(ctx, boundary.ConcludeEpisodeInput{ID: "none", Outcome: memory.OutcomeSuccess}, boundary.Include{})
	_, refine := svc.Knowledge.RefineConcept(ctx, boundary.RefineConceptInput{ID: "concept:none", Content: new("x")})
	_, add := svc.Knowledge.AddConcept(ctx, boundary.AddConceptInput{MemoirID: "none", Name: "n", Content: "c"})
	_, link := svc.Knowledge.LinkConcepts(ctx, boundary.LinkConceptsInput{SourceID: "none", TargetID: "other", Type: memory.RelationPartOf})
	_, label := svc.Judging.LabelVerdict(ctx, boundary.LabelVerdictInput{VerdictID: "none"})
	_, complete := svc.Judging.CompleteRun(ctx, boundary.CompleteRunInput{RunID: "none"})
	_, forget := svc.Upkeep.Delete(ctx, memory.KindAgent, boundary.DeleteInput{ID: "none"})
	_, remove := svc.Upkeep.Delete(ctx, memory.KindMemoir, boundary.DeleteInput{ID: "none"})
	_, around := svc.Retrieval.Neighbourhood(ctx, boundary.NeighbourhoodInput{ID: "agent:none"}, boundary.Include{})
	for says, err := range map[string]error{
		`NOT_FOUND: id: the episode "none" does not exist`:                                 conclude,
		`NOT_FOUND: id: the concept "concept:none" does not exist`:                         refine,
		`NOT_FOUND: memoirId: the memoir "none" does not exist`:                            add,
		`NOT_FOUND: sourceId: the record "concept:none" does not exist`:                    link,
		`NOT_FOUND: verdictId: the verdict "none" does not exist`:                          label,
		`NOT_FOUND: runId: the run "none" does not exist; it comes with its first verdict`: complete,
		`NOT_FOUND: id: the agent "none" does not exist`:                                   forget,
		`NOT_FOUND: id: the memoir "none" does not exist`:                                  remove,
		`NOT_FOUND: id: the record "agent:none" does not exist`:                            around,
	} {
		assert.EqualError(t, err, says)
	}
}

// A name is repeated in short, and without the secrets in it.
func TestNamesOfWhatIsNotThereAreShortAndClean(t *testing.T) {
	t.Parallel()
	svc := testsecret.Open(t)
	for name, shown := range map[string]string{
		strings.Repeat("n", 100): strings.Repeat("n", 100),
		strings.Repeat("é", 101): strings.Repeat("é", 99) + "…",
	} {
		_, err := svc.Upkeep.Delete(t.Context(), memory.KindEpisode, boundary.DeleteInput{ID: name})
		assert.EqualError(t, err, `NOT_FOUND: id: the episode "`+shown+`" does not exist`)
	}
	_, err := svc.Upkeep.Delete(t.Context(), memory.KindEpisode, boundary.DeleteInput{ID: secretName})
	assert.NotContains(t, err.Error(), testsecret.Planted)
	assert.Contains(t, err.Error(), `the episode "run-`)
}
