package mcpserver

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/alerts"
	"mneme/memory/engagement"
	"mneme/memory/graduation"
	"mneme/memory/selection"
	"mneme/memory/trends"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/summaries"
)

var canvasInsightsTool = tool[canvasInsightsInput, canvasInsightsOutput]{
	name: "canvas_insights", title: "See how canvases were taken", hints: reads, rule: access.Reads,
	about: "Says how people took what an agent showed them, by type and component: what they close quickly, stay with and submit.",
	run:   canvasInsights,
}

type canvasInsightsInput struct {
	AgentID   string            `json:"agentId" jsonschema:"The agent, by id or key."`
	TimeRange *memory.TimeRange `json:"timeRange,omitempty" jsonschema:"Only what was shown in this range back from now."`
}

type canvasInsightsOutput struct {
	ClosesQuickly []string        `json:"closesQuickly" jsonschema:"What people close after less than 5 seconds on average, as type or type/component."`
	Engages       []string        `json:"engages" jsonschema:"What they keep open for longer."`
	Submits       []string        `json:"submits" jsonschema:"What they submitted at least once."`
	ByType        []canvasInsight `json:"byType" jsonschema:"The figures, best first; means weigh recent ones more."`
}

type canvasInsight struct {
	Name string `json:"name"`
	engagement.TypeInsight
}

func canvasInsights(ctx context.Context, tenant *service.Tenant, in canvasInsightsInput) (canvasInsightsOutput, error) {
	key, err := agentKey(ctx, tenant, in.AgentID)
	if err != nil {
		return canvasInsightsOutput{}, err
	}
	found, err := tenant.Reactions.AgentCanvasInsights(ctx, key, in.TimeRange)
	return canvasInsightsOutput{
		ClosesQuickly: memory.OrEmpty(found.ClosesQuickly), Engages: memory.OrEmpty(found.Engages), Submits: memory.OrEmpty(found.Submits),
		ByType: memory.Mapped(found.ByType, func(i engagement.TypeInsight) canvasInsight { return canvasInsight{i.Name(), i} }),
	}, err
}

// agentKey is the key of an agent that must be there.
func agentKey(ctx context.Context, tenant *service.Tenant, id string) (string, error) {
	agent, err := tenant.Agents.Get(ctx, id)
	if err != nil {
		return "", err
	}
	if agent == nil {
		return "", tenant.NotFound(ctx, "agentId", "the agent", id)
	}
	return agent.Key, nil
}

var graduationTool = tool[graduationInput, graduationOutput]{
	name: "graduation", title: "See how far an agent is trusted", hints: reads, rule: access.Reads,
	about: "Says how far an agent may work by itself (student, intern, supervised, autonomous), and what the next level takes.",
	run: func(ctx context.Context, tenant *service.Tenant, in graduationInput) (graduationOutput, error) {
		key, err := agentKey(ctx, tenant, in.AgentID)
		if err != nil {
			return graduationOutput{}, err
		}
		g, err := result(tenant.Learning.AgentGraduation(ctx, key, in.Weights))
		return graduationOutput{
			Level: g.Level, NextLevel: g.NextLevel, Episodes: g.Episodes, Quality: g.Quality, InterventionRate: g.InterventionRate,
			Parts: g.Parts, Criteria: memory.OrEmpty(g.Criteria),
		}, err
	},
}

type graduationInput struct {
	AgentID string                      `json:"agentId" jsonschema:"The agent, by id or key."`
	Weights *boundary.GraduationWeights `json:"weights,omitempty" jsonschema:"How much each part counts in the quality of an episode, 0 to 1,000 each; in proportion."`
}

type graduationOutput struct {
	Level            graduation.Level       `json:"level"`
	NextLevel        *graduation.Level      `json:"nextLevel,omitempty"`
	Episodes         int                    `json:"episodes"`
	Quality          float64                `json:"quality" jsonschema:"The mean quality of its episodes, 0 to 1."`
	InterventionRate float64                `json:"interventionRate" jsonschema:"The share of episodes in which people corrected it."`
	Parts            graduation.Parts       `json:"parts" jsonschema:"What quality is made of, 0 to 1 each; left out where nothing says it."`
	Criteria         []graduation.Criterion `json:"criteria" jsonschema:"What the next level takes; at the highest what it took."`
}

var trendsTool = tool[trendsInput, trendsOutput]{
	name: "trends", title: "See how things go", hints: reads, rule: access.Reads,
	about: "Charts over time how episodes ended, and what people and judges thought. Or lists alerts or learning profiles, without a chart unless since or bucket is given.",
	run:   trendsOf,
}

type trendsInput struct {
	boundary.TrendsInput
	Bucket *trends.Bucket `json:"bucket,omitempty" jsonschema:"What one point covers; DAY by default."`

	Alerts   *boundary.AlertsInput `json:"alerts,omitempty" jsonschema:"Lists alerts; {} for all."`
	Profiles *profilesInput        `json:"profiles,omitempty" jsonschema:"Lists learning profiles across agents, of taskType where it is given; {} for all."`
}

type profilesInput struct {
	Trend *selection.Trend `json:"trend,omitempty" jsonschema:"Only those whose quality goes this way."`
	Cold  *bool            `json:"cold,omitempty" jsonschema:"Only those with too few executions for full confidence; false: with enough."`
	reading.PageInput
}

// trendsOutput has a list for whatever is asked for, though it be empty.
type trendsOutput struct {
	Points   []trends.Point             `json:"points" jsonschema:"By time; buckets in which nothing happened are left out."`
	Alerts   []alerts.Alert             `json:"alerts,omitzero" jsonschema:"The most severe first."`
	Profiles []summaries.ProfileSummary `json:"profiles,omitzero" jsonschema:"By task type and agent."`
	pageOutput
}

// charted says whether a chart is asked for: unless only alerts or profiles are, or where something is said of it.
func (in *trendsInput) charted() bool {
	return in.Alerts == nil && in.Profiles == nil || in.Since != nil || in.Bucket != nil || in.AgentID != nil || in.JudgeID != nil || in.SectionType != nil || in.Context != nil
}

func (in *trendsInput) chart(ctx context.Context, tenant *service.Tenant) ([]trends.Point, error) {
	in.TrendsInput.Bucket = memory.ValueOr(in.Bucket, trends.Day)
	all, err := tenant.Learning.Trends(ctx, in.TrendsInput)
	return memory.OrEmpty(slices.DeleteFunc(all, func(p trends.Point) bool {
		return p.Episodes == 0 && p.ApprovalRate == nil && p.JudgeScore == nil
	})), err
}

func trendsOf(ctx context.Context, tenant *service.Tenant, in trendsInput) (chart trendsOutput, err error) {
	if chart.Points = []trends.Point{}; in.charted() {
		if chart.Points, err = in.chart(ctx, tenant); err != nil {
			return chart, err
		}
	}
	if in.Alerts != nil {
		found, err := tenant.Learning.Alerts(ctx, *in.Alerts)
		if err != nil {
			return chart, err
		}
		chart.Alerts = memory.OrEmpty(found)
	}
	if in.Profiles != nil {
		filter := boundary.ProfileFilter{TaskType: in.TaskType, Trend: in.Profiles.Trend, Cold: in.Profiles.Cold}
		page, err := tenant.Learning.Profiles(ctx, filter, in.Profiles.PageInput)
		if err != nil {
			return chart, err
		}
		chart.Profiles = memory.Mapped(page.Items, tenant.Learning.Summary)
		chart.pageOutput = nextOf(page)
	}
	return chart, nil
}
