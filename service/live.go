package service

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/service/events"
	"mneme/store"
)

// settleLooks is how often records are looked for that a notice tells of and that are not there: they were deleted since, or
// are seen a moment later.
const settleLooks = 3

// Stream is the events of a subscription.
type Stream[T any] = events.Stream[T]

// ErrNotTaken is the cause where a subscription ended because an event was not taken in time.
var ErrNotTaken = events.ErrNotTaken

// EpisodeEvent tells of an episode that was recorded. Cursor is the place after which a subscription goes on.
type EpisodeEvent struct {
	Cursor  string
	Episode *memory.Episode
}

// FeedbackEvent tells of a feedback that was submitted.
type FeedbackEvent struct {
	Cursor   string
	Feedback *memory.Feedback
}

// VerdictEvent tells of a verdict that was recorded.
type VerdictEvent struct {
	Cursor  string
	Verdict *memory.Verdict
}

// RankingEvent tells that executions of a task type were counted. Of several at once the last is told.
type RankingEvent struct {
	Cursor   string
	TaskType string
}

// EpisodesRecorded tells of the episodes that are recorded from now on, or after a cursor: all, or those of an agent or a
// task type. It is NOT_FOUND where the events after the cursor are not kept any more, and LIMIT_EXCEEDED where there are
// too many subscriptions; so are the others.
func (l *Live) EpisodesRecorded(ctx context.Context, agentID, taskType, after *string) (*Stream[EpisodeEvent], error) {
	b := l.question(ctx)
	agent, taskType := b.optionalKey(memory.KindAgent, "agentId", agentID), b.optionalLabel("taskType", taskType)
	if b.err != nil {
		return nil, b.err
	}
	return events.Follow(left(ctx), l.feed, after, func(ctx context.Context, notices []store.Notice) (found []*EpisodeEvent, err error) {
		told, err := records(ctx, notices, memory.KindEpisode, l.episodes)
		for i, e := range told {
			if e != nil && is(agent, &e.AgentKey) && is(taskType, e.TaskType) {
				found = append(found, &EpisodeEvent{events.CursorAt(notices[i].Number), e})
			}
		}
		return found, err
	})
}

// FeedbackSubmitted tells of feedback: all, or what is on an episode, or on an agent's episodes, as far as that is known
// when it is told.
func (l *Live) FeedbackSubmitted(ctx context.Context, agentID, episodeID, after *string) (*Stream[FeedbackEvent], error) {
	b := l.question(ctx)
	agent, episode := b.optionalKey(memory.KindAgent, "agentId", agentID), b.optionalKey(memory.KindEpisode, "episodeId", episodeID)
	if b.err != nil {
		return nil, b.err
	}
	return events.Follow(left(ctx), l.feed, after, func(ctx context.Context, notices []store.Notice) (found []*FeedbackEvent, err error) {
		told, err := records(ctx, notices, memory.KindFeedback, l.store.Feedback)
		if err != nil {
			return nil, err
		}
		agents := make([]*string, len(told))
		if agent != nil {
			if agents, err = l.agentsOf(ctx, told); err != nil {
				return nil, err
			}
		}
		for i, f := range told {
			if f != nil && is(episode, f.EpisodeKey) && is(agent, agents[i]) {
				found = append(found, &FeedbackEvent{events.CursorAt(notices[i].Number), f})
			}
		}
		return found, nil
	})
}

// VerdictsRecorded tells of verdicts: all, or those of a judge, a run or a section type.
func (l *Live) VerdictsRecorded(ctx context.Context, judgeID, runID, sectionType, after *string) (*Stream[VerdictEvent], error) {
	b := l.question(ctx)
	judge, run := b.optionalLabel("judgeId", judgeID), b.optionalKey(memory.KindRun, "runId", runID)
	sectionType = b.optionalLabel("sectionType", sectionType)
	if b.err != nil {
		return nil, b.err
	}
	return events.Follow(left(ctx), l.feed, after, func(ctx context.Context, notices []store.Notice) (found []*VerdictEvent, err error) {
		told, err := records(ctx, notices, memory.KindVerdict, l.store.Verdicts)
		for i, v := range told {
			if v != nil && is(judge, v.JudgeID) && is(run, &v.RunKey) && is(sectionType, &v.SectionType) {
				found = append(found, &VerdictEvent{events.CursorAt(notices[i].Number), v})
			}
		}
		return found, err
	})
}

// RankingChanged tells when executions of a task type were counted, by which its agents are ranked.
func (l *Live) RankingChanged(ctx context.Context, taskType string, after *string) (*Stream[RankingEvent], error) {
	b := l.question(ctx)
	taskType = b.label("taskType", taskType)
	if b.err != nil {
		return nil, b.err
	}
	return events.Follow(left(ctx), l.feed, after, func(_ context.Context, notices []store.Notice) ([]*RankingEvent, error) {
		for _, n := range slices.Backward(notices) {
			if n.Kind == memory.KindExecution && n.TaskType == taskType {
				return []*RankingEvent{{events.CursorAt(n.Number), taskType}}, nil
			}
		}
		return nil, nil
	})
}

// left lets reads leave out what cannot be read, as lists do, and counts none of them: a subscription has no end.
func left(ctx context.Context) context.Context {
	var unread Unreadable
	return unread.Within(store.Unmetered(ctx))
}

// is says whether a value is the one that a filter wants; nil wants all.
func is(wanted, value *string) bool {
	return wanted == nil || value != nil && *wanted == *value
}

func (l *Live) episodes(ctx context.Context, keys []string) ([]*memory.Episode, error) {
	return l.store.Episodes(ctx, store.EpisodesByKey{Keys: keys})
}

// agentsOf are the agents of the episodes that feedback is on, nil where there is none.
func (l *Live) agentsOf(ctx context.Context, told []*memory.Feedback) ([]*string, error) {
	var keys []string
	for _, f := range told {
		if f != nil && f.EpisodeKey != nil {
			keys = append(keys, *f.EpisodeKey)
		}
	}
	agents, known := make([]*string, len(told)), map[string]*memory.Episode{}
	if len(keys) == 0 {
		return agents, nil
	}
	episodes, err := l.episodes(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i, key := range keys {
		known[key] = episodes[i]
	}
	for i, f := range told {
		if f != nil && f.EpisodeKey != nil && known[*f.EpisodeKey] != nil {
			agents[i] = &known[*f.EpisodeKey].AgentKey
		}
	}
	return agents, nil
}

// records reads the records of a kind that notices tell of, each at the place of its notice; nil where a notice is of
// another kind, and where the record is gone.
func records[T any](
	ctx context.Context, notices []store.Notice, kind memory.Kind, read func(context.Context, []string) ([]*T, error),
) ([]*T, error) {
	told := make([]*T, len(notices))
	for look := range settleLooks {
		var places []int
		var keys []string
		for i, n := range notices {
			if n.Kind == kind && told[i] == nil {
				places, keys = append(places, i), append(keys, n.Key)
			}
		}
		if len(keys) == 0 {
			break
		}
		if look > 0 && !events.Settle(ctx) {
			return nil, ctx.Err()
		}
		found, err := read(ctx, keys)
		if err != nil {
			return nil, err
		}
		for i, record := range found {
			told[places[i]] = record
		}
	}
	return told, nil
}

// TrimEvents forgets the events that are older than is promised, of the tenants that were used since this was done last.
func (s *Service) TrimEvents(ctx context.Context) {
	s.tenants.Range(func(_, known any) bool {
		if t, ok := known.(*Tenant); ok && t.used.Swap(false) {
			if err := t.Live.store.TrimNotices(ctx, s.clock().Add(-store.NoticesKept)); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "old events were not trimmed; they wait for the next time", "error", err)
			}
		}
		return ctx.Err() == nil
	})
}
