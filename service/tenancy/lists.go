package tenancy

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/service/reading"
	"mneme/store"
)

// Canvases is the list of canvases that a query keeps, the newest first; as of an instant where one is given. The
// actions that were not known then are cut off. The canvases that were first shown later are before UntilInstant.
func (t *Tenant) Canvases(query store.CanvasesOf, asOf *time.Time) reading.List[*memory.Canvas] {
	canvases := reading.ListOf(t.Store, "the canvas", query)
	if asOf == nil {
		return canvases
	}
	now := canvases
	canvases.Read = func(ctx context.Context, page store.Page) ([]*memory.Canvas, bool, error) {
		found, more, err := now.Read(ctx, page)
		return memory.Mapped(found, func(canvas *memory.Canvas) *memory.Canvas {
			cut := *canvas
			cut.Actions = canvas.ActionsAsOf(*asOf)
			return &cut
		}), more, err
	}
	canvases.Count = func(ctx context.Context) (int, error) {
		known, err := now.All(ctx, reading.UntilInstant(asOf))
		return len(known), err
	}
	return canvases
}

// Feedback is the list of feedback that a query keeps, the newest first.
func (t *Tenant) Feedback(query store.FeedbackOf) reading.List[*memory.Feedback] {
	return reading.ListOf(t.Store, "the feedback", query)
}

// maxProfileGrid bounds the profiles that one read by key may meet beside those it looks for.
const maxProfileGrid = 1000

// ProfilesByKey reads profiles in the order of the keys, nil where there is none. Stores read all task
// types of a list for all agents of a list, so keys that have little in common are read in parts.
func (t *Tenant) ProfilesByKey(ctx context.Context, keys []string) ([]*memory.LearningProfile, error) {
	found := make(map[string]*memory.LearningProfile, len(keys))
	if err := t.collectProfiles(ctx, slices.Sorted(slices.Values(keys)), found); err != nil {
		return nil, err
	}
	return memory.Mapped(keys, func(key string) *memory.LearningProfile { return found[key] }), nil
}

func (t *Tenant) collectProfiles(ctx context.Context, keys []string, found map[string]*memory.LearningProfile) error {
	var agents, taskTypes []string
	for _, key := range keys {
		if agent, taskType, ok := memory.SplitProfileKey(key); ok {
			agents, taskTypes = append(agents, agent), append(taskTypes, taskType)
		}
	}
	agents, taskTypes = memory.Distinct(agents), memory.Distinct(taskTypes)
	switch grid := len(agents) * len(taskTypes); {
	case grid == 0:
		return nil
	case grid > maxProfileGrid && grid > len(keys):
		half := len(keys) / 2
		if err := t.collectProfiles(ctx, keys[:half], found); err != nil {
			return err
		}
		return t.collectProfiles(ctx, keys[half:], found)
	}
	profiles, err := store.All(ctx, t.Store, store.ProfilesOf{Agents: agents, TaskTypes: taskTypes})
	for _, profile := range profiles {
		found[memory.ProfileKey(profile.AgentKey, profile.TaskType)] = profile
	}
	return err
}

// WeighingOf is how a list has been weighed from its first page on.
func (t *Tenant) WeighingOf(r reading.Request) reading.WeighedAt {
	if r.Policy != "" {
		return r.WeighedAt
	}
	return reading.WeighedAt{Policy: cmp.Or(t.Decay, decay.UseFades), At: t.Clock().Truncate(time.Millisecond)}
}

// CanvasWeight is how much more a canvas or a feedback costs to read for a sum than the numbers of an episode.
const CanvasWeight = 5
