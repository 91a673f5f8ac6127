package resolvers

import (
	"context"

	"mneme/graph/answering"
	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/selection"
	"mneme/service/boundary"
	"mneme/service/live"
)

func (r *episodeEventResolver) Episode(ctx context.Context, obj *live.RecordEvent) (*memory.Episode, error) {
	episode, err := tenant(ctx).Live.Episode(ctx, obj, included(ctx))
	return told(ctx, episode, err)
}

func (r *feedbackEventResolver) Feedback(ctx context.Context, obj *live.RecordEvent) (*memory.Feedback, error) {
	feedback, err := live.RecordOf[memory.Feedback](ctx, tenant(ctx).Live, obj)
	return told(ctx, feedback, err)
}

func (r *rankingEventResolver) Ranking(ctx context.Context, obj *live.RankingEvent, first *int) ([]*selection.AgentRanking, error) {
	return pointers(tenant(ctx).Learning.RankAgents(ctx, boundary.SelectionInput{TaskType: obj.TaskType}, first))
}

func (r *subscriptionResolver) EpisodeRecorded(ctx context.Context, agentID *string, taskType *string, after *string) (<-chan *live.RecordEvent, error) {
	stream, err := tenant(ctx).Live.Recorded(ctx, memory.KindEpisode, live.RecordFilter{AgentID: agentID, TaskType: taskType}, after)
	return events(ctx, stream, err)
}

func (r *subscriptionResolver) FeedbackSubmitted(ctx context.Context, agentID *string, episodeID *string, after *string) (<-chan *live.RecordEvent, error) {
	stream, err := tenant(ctx).Live.Recorded(ctx, memory.KindFeedback, live.RecordFilter{AgentID: agentID, EpisodeID: episodeID}, after)
	return events(ctx, stream, err)
}

func (r *subscriptionResolver) VerdictRecorded(ctx context.Context, judgeID *string, runID *string, sectionType *string, after *string) (<-chan *live.RecordEvent, error) {
	stream, err := tenant(ctx).Live.Recorded(ctx, memory.KindVerdict, live.RecordFilter{JudgeID: judgeID, RunID: runID, SectionType: sectionType}, after)
	return events(ctx, stream, err)
}

func (r *subscriptionResolver) AgentRankingChanged(ctx context.Context, taskType string, after *string) (<-chan *live.RankingEvent, error) {
	stream, err := tenant(ctx).Live.RankingChanged(ctx, taskType, after)
	return events(ctx, stream, err)
}

func (r *subscriptionResolver) Alert(ctx context.Context, kind *alerts.Kind, severity *alerts.Severity, after *string) (<-chan *live.AlertEvent, error) {
	stream, err := tenant(ctx).Live.AlertsRaised(ctx, boundary.AlertsInput{Kind: kind, Severity: severity}, after)
	return events(ctx, stream, err)
}

func (r *verdictEventResolver) Verdict(ctx context.Context, obj *live.RecordEvent) (*memory.Verdict, error) {
	verdict, err := live.RecordOf[memory.Verdict](ctx, tenant(ctx).Live, obj)
	return told(ctx, verdict, err)
}

// events are those of a subscription that could begin, which lets know why it ends.
func events[T any](ctx context.Context, stream *live.Stream[T], err error) (<-chan *T, error) {
	if err != nil {
		return nil, err
	}
	answering.EndingOf(ctx).Why = stream.Err
	return stream.Events(), nil
}

// told is the record of an event. An event of one that is gone is left out.
func told[T any](ctx context.Context, record *T, err error) (*T, error) {
	if record == nil && err == nil {
		answering.EndingOf(ctx).LeftOut.Store(true)
		err = &memory.Error{Code: memory.CodeNotFound, Message: "the record is gone"} // which no client sees
	}
	return record, err
}
