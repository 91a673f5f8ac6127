package demo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/knowledge"
	"mneme/service/tenancy"
)

// Loaded says what the sample holds, and how much of it was new, was there before, and stays away.
type Loaded struct {
	Agents       int `json:"agents"`
	TaskTypes    int `json:"taskTypes"`
	Sessions     int `json:"sessions"`
	Episodes     int `json:"episodes"`
	Canvases     int `json:"canvases"`
	Feedback     int `json:"feedback"`
	Concepts     int `json:"concepts"`
	Observations int `json:"observations"`
	Corrections  int `json:"corrections"`
	// Reports are runs of judged work, and Verdicts what was decided on their sections.
	Reports  int `json:"reports"`
	Verdicts int `json:"verdicts"`
	// Known counts the episodes that were there already; such are left as they are.
	Known int `json:"known"`
	// New counts what was not there before: records of all kinds, links between concepts, and actions on canvases.
	New int `json:"new"`
	// LeftOut counts the records of all kinds that were deleted for good, and stay away.
	LeftOut int `json:"leftOut"`
	// From and To are the instants at which the first and the last episode started.
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

// batchSize is the number of records in a batch.
const batchSize = 100

// Load records the sample. A second time adds nothing: the times of the sample count from the day of
// the first time, which is read off the episodes that are there.
func Load(ctx context.Context, tenant *service.Tenant, now time.Time) (Loaded, error) {
	anchor, known, err := anchorOf(ctx, tenant, now)
	if err != nil {
		return Loaded{}, err
	}
	sample, err := NewSample(anchor)
	if err != nil {
		return Loaded{}, err
	}
	ctx = tenancy.Importing(ctx, false)
	if err := sample.record(ctx, tenant); err != nil {
		return Loaded{}, err
	}
	loaded := sample.count()
	loaded.Known, loaded.New, loaded.LeftOut = known, tenancy.ImportCreated(ctx), tenancy.ImportLeftOut(ctx)
	return loaded, nil
}

// anchorOf finds the day from which the times of the sample count, and how many of its episodes are
// there. Episodes of a sample of any day lie equally far from its anchor.
func anchorOf(ctx context.Context, tenant *service.Tenant, now time.Time) (anchor time.Time, known int, err error) {
	sample, err := NewSample(now)
	if err != nil {
		return time.Time{}, 0, err
	}
	starts := sample.starts()
	episodes, err := tenant.Episodes.ByKey(ctx, slices.Collect(maps.Keys(starts)), boundary.Include{}, nil)
	if err != nil {
		return time.Time{}, 0, err
	}
	anchor = now
	for _, episode := range episodes {
		if episode != nil {
			known++
			anchor = now.Add(episode.StartedAt.Sub(starts[episode.Key]))
		}
	}
	return anchor, known, nil
}

// record records the sample; what is there already stays as it is, as do the labels of the people who own it now.
func (s *Sample) record(ctx context.Context, tenant *service.Tenant) error {
	for _, agent := range s.Agents {
		if err := tenant.Agents.Save(ctx, agent.ID, agent.Name); unlessThere(err) != nil {
			return err
		}
	}
	if err := s.recordKnowledge(ctx, tenant.Knowledge); err != nil {
		return err
	}
	for actions := range slices.Chunk(s.Actions, batchSize) {
		if err := whole(tenant.Reactions.RecordCanvasActions(ctx, boundary.RecordCanvasActionsInput{Actions: actions})); err != nil {
			return err
		}
	}
	for _, feedback := range s.Feedback {
		if _, err := tenant.Reactions.SubmitFeedback(ctx, feedback); unlessThere(err) != nil {
			return fmt.Errorf("feedback %s: %w", *feedback.ID, err)
		}
	}
	for episodes := range slices.Chunk(s.Episodes, batchSize) {
		if err := whole(tenant.Episodes.RecordEpisodes(ctx, boundary.RecordEpisodesInput{Episodes: episodes})); err != nil {
			return err
		}
	}
	for _, run := range s.Runs {
		if _, err := tenant.Episodes.CaptureRun(ctx, run, boundary.Include{}); unlessThere(err) != nil {
			return fmt.Errorf("run %s: %w", run.RunID, err)
		}
	}
	return s.recordJudged(ctx, tenant)
}

func (s *Sample) recordKnowledge(ctx context.Context, k *knowledge.Knowledge) error {
	if err := whole(k.CreateMemoirs(ctx, s.Memoirs)); err != nil {
		return err
	}
	if err := whole(k.AddConcepts(ctx, s.Concepts)); err != nil {
		return err
	}
	for _, refinement := range s.Refinements {
		if _, err := k.RefineConcept(ctx, refinement); unlessGone(err) != nil {
			return fmt.Errorf("concept %s: %w", refinement.ID, err)
		}
	}
	if err := whole(k.ImportRelations(ctx, s.Relations)); err != nil {
		return err
	}
	if err := whole(k.RecordObservations(ctx, boundary.RecordObservationsInput{Observations: s.Observations})); err != nil {
		return err
	}
	return whole(k.RecordCorrections(ctx, s.Corrections))
}

func (s *Sample) recordJudged(ctx context.Context, into *service.Tenant) error {
	judging := into.Judging
	if err := whole(judging.RecordVerdicts(ctx, boundary.RecordVerdictsInput{Verdicts: s.Verdicts})); err != nil {
		return err
	}
	for _, label := range s.Labels {
		known, err := service.ByKey[memory.Verdict](into, memory.KindVerdict)(ctx, []string{label.VerdictID})
		if err == nil && known[0] != nil && known[0].Label == nil {
			_, err = judging.LabelVerdict(ctx, label)
		}
		if err != nil {
			return fmt.Errorf("label of verdict %s: %w", label.VerdictID, err)
		}
	}
	for _, run := range s.Completed {
		if _, err := judging.CompleteRun(ctx, run); err != nil {
			return fmt.Errorf("run %s: %w", run.RunID, err)
		}
	}
	return nil
}

// whole takes a batch for a fault as soon as one of its items is one.
func whole(result *tenancy.BatchResult, err error) error {
	if err != nil {
		return err
	}
	for _, item := range result.Errors {
		fault := &memory.Error{Code: item.Code, Message: fmt.Sprintf("the sample's record %d: %s", item.Index, item.Message)}
		if err := unlessThere(fault); err != nil {
			return err
		}
	}
	return nil
}

// unlessThere forgives that a record is there with other content: the sample of another version left it,
// and it stays as it is. It forgives too that it was deleted for good, and stays away.
func unlessThere(err error) error {
	if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeConflict {
		return nil
	}
	return err
}

// unlessGone forgives that what is to be changed was deleted for good.
func unlessGone(err error) error {
	if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeNotFound {
		return nil
	}
	return err
}

func (s *Sample) count() Loaded {
	sessions, taskTypes, canvases, reports := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, episode := range s.Episodes {
		sessions[*episode.SessionID], taskTypes[*episode.TaskType] = true, true
	}
	for _, run := range s.Runs {
		sessions[*run.SessionID], taskTypes[*run.WorkflowName] = true, true
	}
	for _, verdict := range s.Verdicts {
		reports[verdict.RunID] = true
	}
	for _, action := range s.Actions {
		canvases[action.CanvasID] = true
	}
	loaded := Loaded{
		Agents: len(s.Agents), TaskTypes: len(taskTypes), Sessions: len(sessions),
		Episodes: len(s.Episodes) + len(s.Runs), Canvases: len(canvases), Feedback: len(s.Feedback),
		Concepts: len(s.Concepts), Observations: len(s.Observations), Corrections: len(s.Corrections),
		Reports: len(reports), Verdicts: len(s.Verdicts),
	}
	for _, start := range s.starts() {
		if loaded.From.IsZero() || start.Before(loaded.From) {
			loaded.From = start
		}
		if start.After(loaded.To) {
			loaded.To = start
		}
	}
	return loaded
}
