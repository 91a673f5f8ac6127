package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

var feedbackStatsTool = tool[feedbackStatsInput, feedbackStatsOutput]{
	name: "feedback_stats", title: "Count corrections", hints: reads,
	about: "Counts the corrections by topic and by importance: where agents go wrong most.",
	run:   feedbackStats,
}

type feedbackStatsInput struct {
	Since *time.Time `json:"since,omitempty" jsonschema:"Only those recorded then or later."`
}

type feedbackStatsOutput struct {
	Total        int               `json:"total"`
	ByTopic      []topicCount      `json:"byTopic" jsonschema:"The most frequent topic first."`
	ByImportance []importanceCount `json:"byImportance" jsonschema:"The weightiest first."`
}

type topicCount struct {
	Topic string `json:"topic"`
	Count int    `json:"count"`
}

type importanceCount struct {
	Importance memory.Importance `json:"importance"`
	Count      int               `json:"count"`
}

func feedbackStats(ctx context.Context, tenant *service.Tenant, in feedbackStatsInput) (feedbackStatsOutput, error) {
	stats, err := tenant.Knowledge.CorrectionStats(ctx, in.Since)
	if err != nil {
		return feedbackStatsOutput{}, err
	}
	return feedbackStatsOutput{
		Total:        stats.Total,
		ByTopic:      mapped(stats.ByTopic, func(c memory.TopicCount) topicCount { return topicCount(c) }),
		ByImportance: mapped(stats.ByImportance, func(c memory.ImportanceCount) importanceCount { return importanceCount(c) }),
	}, nil
}
