package service_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/service/tenancy"
	"mneme/service/upkeep"
	"mneme/store/sqlite"
)

// pen writes what it is told to, and keeps what it was given.
type pen struct {
	text string
	err  error
	mu   sync.Mutex
	read []string
}

func (p *pen) Write(_ context.Context, _, text string) (string, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.read = append(p.read, text)
	return p.text, p.err
}

func quiet() service.Option {
	return service.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil)))
}

func ended(id string) boundary.RecordEpisodeInput {
	input := servicetest.Refund(id)
	input.Outcome = new(memory.OutcomeFailure)
	return input
}

func TestAModelWritesTheInsightOfAnEpisodeThatEnded(t *testing.T) {
	t.Parallel()
	model := &pen{text: "The policy was not read. <private>hers</private>"}
	svc := servicetest.Open(t, service.WithWriter(model), quiet())

	running, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("running"), boundary.Include{})
	require.NoError(t, err)
	require.Empty(t, model.read, "there is nothing to explain yet")
	require.NotEmpty(t, running.Insight)

	said := ended("said")
	said.Insight = new("I know why.")
	own, err := svc.Episodes.RecordEpisode(t.Context(), said, boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, "I know why.", own.Insight)
	require.Empty(t, model.read, "the caller's own insight stands")

	failed, err := svc.Episodes.RecordEpisode(t.Context(), ended("failed"), boundary.Include{})
	require.NoError(t, err)
	require.Contains(t, failed.Insight, "The policy was not read.")
	require.NotContains(t, failed.Insight, "hers", "what a model writes enters as any text does")
	require.Equal(t, []string{"Situation: A customer wants a refund\nOutcome: failure"}, model.read)

	concluded, err := svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "running", Outcome: memory.OutcomeSuccess}, boundary.Include{})
	require.NoError(t, err)
	require.Contains(t, concluded.Insight, "The policy was not read.")

	_, err = svc.Episodes.RecordEpisodes(t.Context(), boundary.RecordEpisodesInput{Episodes: []boundary.RecordEpisodeInput{ended("b1"), ended("b2")}})
	require.NoError(t, err)
	require.Len(t, model.read, 4)
}

func TestWithoutItsModelTheRuleWrites(t *testing.T) {
	t.Parallel()
	byRule, err := servicetest.Open(t).Episodes.RecordEpisode(t.Context(), ended("e"), boundary.Include{})
	require.NoError(t, err)
	for name, model := range map[string]*pen{"failing": {err: errors.New("busy")}, "blank": {text: "  \n"}, "not UTF-8": {text: "\xff"}} {
		t.Run(name, func(t *testing.T) {
			episode, err := servicetest.Open(t, service.WithWriter(model), quiet()).Episodes.RecordEpisode(t.Context(), ended("e"), boundary.Include{})
			require.NoError(t, err)
			require.Equal(t, byRule.Insight, episode.Insight)
		})
	}
}

func TestAModelAddsToAConsolidationOnce(t *testing.T) {
	t.Parallel()
	model := &pen{text: "Read the policy before you promise."}
	svc := servicetest.Open(t, service.WithWriter(model), quiet())
	for _, id := range []string{"e1", "e2", "e3"} {
		input := ended(id)
		input.TaskType, input.Insight = new("refunds"), new("Nobody read the policy.")
		input.StartedAt = new(servicetest.Noon.AddDate(0, 0, -20))
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
		require.NoError(t, err)
	}
	consolidate := func(dry bool) *upkeep.Consolidation {
		done, err := svc.Upkeep.Consolidate(t.Context(), boundary.ConsolidateInput{DryRun: &dry})
		require.NoError(t, err)
		return done
	}
	dry := consolidate(true)
	require.Positive(t, dry.ObservationsCreated)
	require.Empty(t, model.read, "a dry run asks nothing")

	require.Equal(t, dry.ObservationsCreated, consolidate(false).ObservationsCreated)
	require.Len(t, model.read, dry.ObservationsCreated)
	require.Contains(t, model.read[0], "Insight: Nobody read the policy.")
	found, err := svc.Retrieval.SearchObservations(t.Context(), boundary.ObservationSearch{Query: "promise"}, reading.PageInput{})
	require.NoError(t, err)
	require.Len(t, found.Items, dry.ObservationsCreated)
	observation, ok := found.Items[0].Node.(*memory.Observation)
	require.True(t, ok)
	content := observation.Content
	require.True(t, strings.HasSuffix(content, "\nRead the policy before you promise."), content)

	model.text = "Something else."
	require.Zero(t, consolidate(false).ObservationsCreated, "what was said is not said again")
	require.Len(t, model.read, dry.ObservationsCreated)
}

// plan is a verdict that names no approaches, and the plan that it is of.
type plan struct {
	section, plan string
	iteration     int
	status        memory.VerdictStatus
}

// judgedPlans records a run of two verses without named approaches: one refused and then approved, one refused.
func judgedPlans(t *testing.T, svc *service.Tenant) {
	t.Helper()
	judgedRun(t, svc, "song", plan{"a", `{"tempo":90}`, 0, memory.VerdictSoftFail},
		plan{"a", `{"tempo":120,"by":"<private>Ann</private>"}`, 1, memory.VerdictApprove}, plan{"b", `{"tempo":80}`, 0, memory.VerdictHardFail})
	complete(t, svc, "song")
}

func judgedRun(t *testing.T, svc *service.Tenant, run string, plans ...plan) {
	t.Helper()
	for _, p := range plans {
		_, err := svc.Judging.RecordVerdict(t.Context(), boundary.RecordVerdictInput{
			RunID: run, SectionID: p.section, SectionType: "verse", JudgeID: new("critic"), Iteration: p.iteration, Status: p.status, Plan: memory.JSON(p.plan),
		})
		require.NoError(t, err)
	}
}

func complete(t *testing.T, svc *service.Tenant, run string) {
	t.Helper()
	_, err := svc.Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: run})
	require.NoError(t, err)
}

func approachesOf(t *testing.T, svc *service.Tenant) []string {
	t.Helper()
	found, err := svc.Judging.Patterns(t.Context(), boundary.PatternFilter{}, reading.PageInput{})
	require.NoError(t, err)
	approaches := []string{}
	for _, pattern := range found.Items {
		require.True(t, pattern.Mined)
		approaches = append(approaches, pattern.Description)
	}
	return approaches
}

func TestAModelNamesWhatSeparatesPlans(t *testing.T) {
	t.Parallel()
	model := &pen{text: `[{"approach": "take it faster than 100", "plans": [1]}, {"approach": "keep to one key", "plans": [1, 2]}]`}
	svc := servicetest.Open(t, service.WithWriter(model), quiet())
	judgedPlans(t, svc)
	require.Equal(t, []string{"take it faster than 100"}, approachesOf(t, svc), "what refused plans have, too, does not separate")
	require.Len(t, model.read, 1)
	require.Contains(t, model.read[0], `"tempo":120`)
	require.Contains(t, model.read[0], `(refused): {"tempo":90}`)
	require.NotContains(t, model.read[0], "Ann")
	_, err := svc.Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: "song"})
	require.NoError(t, err)
	require.Len(t, model.read, 1, "it was completed")
}

func TestWithoutAnAnswerOfTheModelTheRuleMines(t *testing.T) {
	t.Parallel()
	for name, model := range map[string]*pen{
		"failing": {err: errors.New("busy")}, "talking": {text: "Here is the list: []"}, "of other plans": {text: `[{"approach": "x", "plans": [9]}]`},
	} {
		svc := servicetest.Open(t, service.WithWriter(model), quiet())
		judgedPlans(t, svc)
		require.Contains(t, approachesOf(t, svc), "set tempo to 120", name)
	}
}

func TestAModelThatTagsNoRefusedPlanIsLearnedFrom(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t, service.WithWriter(&pen{text: `[{"approach":"x","plans":[1]}]`}), quiet())
	judgedRun(t, svc, "song", plan{"a", `{"tempo":120}`, 0, memory.VerdictApprove}, plan{"b", `{"tempo":80}`, 0, memory.VerdictHardFail})
	complete(t, svc, "song")
	require.Equal(t, []string{"x"}, approachesOf(t, svc))
}

func TestWithAModelOnlyItsPhrasesAreNew(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t, service.WithWriter(&pen{text: `[{"approach":"x","plans":[1]},{"approach":"y","plans":[5]}]`}), quiet())
	var plans []plan
	for i := range 6 { // of each four are shown; all have the key A
		plans = append(plans, plan{fmt.Sprint("a", i), fmt.Sprintf(`{"key":"A","approved":%d}`, i), 0, memory.VerdictApprove},
			plan{fmt.Sprint("r", i), fmt.Sprintf(`{"key":"A","refused":%d}`, i), 0, memory.VerdictHardFail})
	}
	judgedRun(t, svc, "song", plans...)
	complete(t, svc, "song")
	require.Equal(t, []string{"x"}, approachesOf(t, svc))
}

func TestWithAModelRefusalsCountAgainstWhatTheRuleMined(t *testing.T) {
	t.Parallel()
	model := &pen{err: errors.New("busy")}
	svc := servicetest.Open(t, service.WithWriter(model), quiet())
	judgedRun(t, svc, "song", plan{"a", `{"tempo":120}`, 0, memory.VerdictApprove}, plan{"b", `{"tempo":80}`, 0, memory.VerdictHardFail})
	complete(t, svc, "song")
	model.text, model.err = `[{"approach":"x","plans":[1]}]`, nil
	judgedRun(t, svc, "next", plan{"a", `{"tempo":60}`, 0, memory.VerdictApprove}, plan{"b", `{"tempo":120}`, 0, memory.VerdictHardFail})
	complete(t, svc, "next")
	found, err := svc.Judging.Patterns(t.Context(), boundary.PatternFilter{}, reading.PageInput{})
	require.NoError(t, err)
	counted := map[string]string{}
	for _, pattern := range found.Items {
		counted[pattern.Description] = fmt.Sprint(pattern.Hits, " of ", pattern.Total)
	}
	require.Equal(t, map[string]string{"set tempo to 120": "1 of 2", "x": "1 of 1"}, counted)
}

func TestMinedApproachesHaveTheFormOfNames(t *testing.T) {
	t.Parallel()
	const composed, apart = "caf\u00e9", "cafe\u0301"
	for name, test := range map[string]struct {
		writer tenancy.Writer
		want   string
	}{
		"the rule's":  {nil, "set at to " + composed},
		"the model's": {&pen{text: `[{"approach":"play in the ` + apart + `","plans":[1]}]`}, "play in the " + composed},
	} {
		options := []service.Option{quiet()}
		if test.writer != nil {
			options = append(options, service.WithWriter(test.writer))
		}
		svc := servicetest.Open(t, options...)
		judgedRun(t, svc, "song", plan{"a", `{"at":"` + apart + `"}`, 0, memory.VerdictApprove}, plan{"b", `{"at":"home"}`, 0, memory.VerdictHardFail})
		complete(t, svc, "song")
		require.Equal(t, []string{test.want}, approachesOf(t, svc), name)
	}
}

func TestAModelIsLeftOutWhereLittleTimeIsLeft(t *testing.T) {
	t.Parallel()
	model := &pen{text: `[{"approach":"x","plans":[1]}]`}
	svc := servicetest.Open(t, service.WithWriter(model), quiet())
	judgedRun(t, svc, "song", plan{"a", `{"tempo":120}`, 0, memory.VerdictApprove}, plan{"b", `{"tempo":80}`, 0, memory.VerdictHardFail})
	short, cancel := context.WithTimeout(t.Context(), 9*time.Second)
	defer cancel()
	_, err := svc.Judging.CompleteRun(short, boundary.CompleteRunInput{RunID: "song"})
	require.NoError(t, err)
	require.Empty(t, model.read)
	require.Equal(t, []string{"set tempo to 120"}, approachesOf(t, svc))
}

// slowPen says when it was asked, and writes once it may.
type slowPen struct{ asked, may chan struct{} }

func (p *slowPen) Write(context.Context, string, string) (string, error) {
	p.asked <- struct{}{}
	<-p.may
	return `[]`, nil
}

func TestFewRunsAreMinedAtATime(t *testing.T) {
	t.Parallel()
	const runs, atATime = 6, 4
	model := &slowPen{asked: make(chan struct{}, runs), may: make(chan struct{})}
	svc := servicetest.Open(t, service.WithWriter(model), quiet())
	for run := range runs {
		judgedRun(t, svc, fmt.Sprint(run), plan{"a", `{"tempo":120}`, 0, memory.VerdictApprove}, plan{"b", `{"tempo":80}`, 0, memory.VerdictHardFail})
	}
	var group errgroup.Group
	for run := range runs {
		group.Go(func() error {
			_, err := svc.Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: fmt.Sprint(run)})
			return err
		})
	}
	for range atATime {
		<-model.asked
	}
	select {
	case <-model.asked:
		t.Error("one more is mined than may be")
	case <-time.After(200 * time.Millisecond): // nothing comes, however long one waits
	}
	close(model.may)
	require.NoError(t, group.Wait())
}

// mute is an embedder and a model that do not answer, until they speak.
type mute struct{ speaks atomic.Bool }

func (m *mute) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if m.speaks.Load() {
		return lengthy(3).Embed(ctx, texts)
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (m *mute) Write(ctx context.Context, _, _ string) (string, error) {
	if m.speaks.Load() {
		return "The policy was not read.", nil
	}
	<-ctx.Done()
	return "", ctx.Err()
}

// Where neither model answers, a call goes on without them in its own time. Their part is completed when they answer.
func TestWithoutAnAnswerOfEitherModel(t *testing.T) {
	t.Parallel()
	models := &mute{}
	var passed atomic.Int64
	svc := servicetest.Open(t, service.WithWriter(models), func(s *service.Settings) { s.Embedder = models }, service.WithModelTime(100*time.Millisecond), quiet(),
		service.WithClock(func() time.Time { return servicetest.Noon.Add(time.Duration(passed.Load())) }))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := svc.Episodes.RecordEpisode(ctx, ended("e"), boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Episodes.RecordEpisodes(ctx, boundary.RecordEpisodesInput{Episodes: []boundary.RecordEpisodeInput{ended("b1"), ended("b2"), servicetest.Refund("b3")}})
	require.NoError(t, err)
	_, err = svc.Episodes.ConcludeEpisode(ctx, boundary.ConcludeEpisodeInput{ID: "b3", Outcome: memory.OutcomeSuccess}, boundary.Include{})
	require.NoError(t, err)
	found, err := svc.Retrieval.Recall(ctx, boundary.RecallInput{Situation: "refund", Variants: new(boundary.VariantsSeparate)}, boundary.Include{})
	require.NoError(t, err)
	require.Len(t, found.Hits, 4)

	traced := root()
	traced.StartedAt, traced.EndedAt = servicetest.Noon.Add(-time.Minute), servicetest.Noon
	_, err = svc.Traces.RecordSpans(ctx, []boundary.TraceSpan{{Trace: traceKey, Span: traced}})
	require.NoError(t, err)
	passed.Store(int64(72 * time.Hour))
	_, err = svc.Traces.Finish(ctx)
	require.NoError(t, err)

	own := ended("own")
	own.Insight = new("I know why.")
	_, err = svc.Episodes.RecordEpisode(ctx, own, boundary.Include{})
	require.NoError(t, err)
	models.speaks.Store(true)
	for _, id := range []string{"e", "b1", "b2", "b3", traceKey} {
		require.Eventually(t, func() bool {
			e, err := svc.Episodes.Get(ctx, id, boundary.Include{})
			return err == nil && e.Insight == "The policy was not read."
		}, time.Minute, 10*time.Millisecond, id)
	}
	require.Eventually(t, func() bool {
		found, err := svc.Retrieval.Recall(ctx, boundary.RecallInput{Embedding: []float64{1, 0, 0}, Variants: new(boundary.VariantsSeparate)}, boundary.Include{})
		return err == nil && len(found.Hits) == 5 && found.Hits[4].Score.Semantic > 0.999
	}, time.Minute, 100*time.Millisecond)
	e, err := svc.Episodes.Get(ctx, "own", boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, "I know why.", e.Insight)
}

// What a model did not give before its server ended is completed after the next start.
func TestAfterAStartAModelCompletesWhatWaits(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	models := &mute{}
	start := func() (*service.Service, *service.Tenant) {
		svc := service.New(backend, service.WithWriter(models), service.WithModelTime(50*time.Millisecond), quiet())
		return svc, servicetest.Bind(t.Context(), t, svc)
	}
	first, tenant := start()
	_, err = tenant.Episodes.RecordEpisode(t.Context(), ended("e"), boundary.Include{})
	require.NoError(t, err)
	require.NoError(t, first.Close(t.Context()))
	models.speaks.Store(true)
	_, tenant = start()
	require.Eventually(t, func() bool {
		e, err := tenant.Episodes.Get(t.Context(), "e", boundary.Include{})
		return err == nil && e.Insight == "The policy was not read."
	}, time.Minute, 10*time.Millisecond)
}
