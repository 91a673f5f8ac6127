// Package learning tells how well agents do: executions, profiles, choice of an agent, graduation, alerts, trends.
package learning

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/judging"
	"mneme/memory/selection"
	"mneme/memory/trends"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/summaries"
	"mneme/service/tenancy"
	"mneme/store"
)

// Learning is how well agents do what: executions, profiles, the choice of an agent, graduation, trends.
type Learning struct{ t *tenancy.Tenant }

// New are those of a tenant.
func New(t *tenancy.Tenant) *Learning { return &Learning{t} }

// Profile reads how well an agent does a type of task; nil where it never did it.
func (l *Learning) Profile(ctx context.Context, agentID, taskType string) (*memory.LearningProfile, error) {
	b := l.t.Question(ctx)
	agent := b.Key(memory.KindAgent, "agentId", agentID)
	if taskType = b.Label("taskType", taskType); b.Err() != nil {
		return nil, b.Err()
	}
	profiles, err := l.t.ProfilesByKey(ctx, []string{memory.ProfileKey(agent, taskType)})
	if err != nil {
		return nil, faults.Of("the profile", err)
	}
	if profiles[0] == nil {
		err = l.t.NothingFor(ctx, 0, tenancy.Agents.Called("agentId", &agentID), tenancy.TaskTypes.Called("taskType", &taskType))
	}
	return profiles[0], err
}

// AgentProfiles reads the profiles of each agent, by task type, by agent key.
func (l *Learning) AgentProfiles(ctx context.Context, agentKeys []string) (map[string][]*memory.LearningProfile, error) {
	profiles, err := store.All(ctx, l.t.Store, store.ProfilesOf{Agents: agentKeys})
	byAgent := make(map[string][]*memory.LearningProfile, len(agentKeys))
	for _, profile := range profiles {
		byAgent[profile.AgentKey] = append(byAgent[profile.AgentKey], profile)
	}
	return byAgent, faults.Of("the agent", err)
}

// Standing is what a profile says now, or at the instant that it is an answer for.
func (l *Learning) Standing(profile *memory.LearningProfile) selection.Standing {
	return selection.StandingOf(profile, profile.Instant(l.t.Clock()))
}

// TaskTypes lists the distinct task types of all episodes and executions, sorted.
func (l *Learning) TaskTypes(ctx context.Context) ([]string, error) {
	taskTypes, err := l.t.Store.Names(ctx, store.TaskTypes)
	return taskTypes, faults.Of("the task types", err)
}

// Profiles lists the profiles of all agents that pass a filter, by task type and agent.
func (l *Learning) Profiles(ctx context.Context, filter boundary.ProfileFilter, input reading.PageInput) (*reading.Page[*memory.LearningProfile], error) {
	b := l.t.Question(ctx)
	taskType := b.OptionalLabel("taskType", filter.TaskType)
	b.Require(filter.Trend == nil || filter.Trend.Valid(), "trend", "must be UP, DOWN or FLAT")
	if b.Err() != nil {
		return nil, b.Err()
	}
	request, err := reading.PageRequest(input, reading.Fingerprint("profiles", filter), nil)
	if err != nil {
		return nil, err
	}
	taskTypes := []string{}
	if taskType != nil {
		taskTypes = append(taskTypes, *taskType)
	} else if taskTypes, err = l.t.Store.Names(ctx, store.TaskTypes); err != nil {
		return nil, faults.Of("the task types", err)
	}
	var profiles []*memory.LearningProfile
	more := false
	err = l.eachProfile(ctx, filter, taskTypes, request.Page.After, func(p *memory.LearningProfile) bool {
		if more = len(profiles) == request.Page.Limit; !more {
			profiles = append(profiles, p)
		}
		return !more
	})
	if err != nil {
		return nil, err
	}
	if err := l.t.NothingFor(ctx, len(profiles), tenancy.TaskTypes.Called("taskType", filter.TaskType)); err != nil {
		return nil, err
	}
	total := func(ctx context.Context) (count int, err error) {
		err = l.eachProfile(ctx, filter, taskTypes, nil, func(*memory.LearningProfile) bool {
			count++
			return true
		})
		return count, err
	}
	return reading.NewPage(request, profiles, more, total, func(i int) store.Position {
		return store.Position{Key: memory.JoinKey(profiles[i].TaskType, profiles[i].AgentKey)}
	}), nil
}

// eachProfile goes through the profiles of task types, in order, that pass a filter and come after a place, until each
// says that it wants no more.
func (l *Learning) eachProfile(ctx context.Context, filter boundary.ProfileFilter, taskTypes []string, after *store.Position, each func(*memory.LearningProfile) bool) error {
	from := []string{"", ""} // no task type and no agent is empty
	if after != nil {
		from = append(memory.SplitKey(after.Key), "") // a forged place may have one part
		taskTypes = slices.DeleteFunc(slices.Clone(taskTypes), func(t string) bool { return t < from[0] })
	}
	for some := range slices.Chunk(taskTypes, alertChunk) {
		profiles, err := store.All(ctx, l.t.Store, store.ProfilesOf{TaskTypes: some})
		if err != nil {
			return faults.Of("the task types", err)
		}
		slices.SortFunc(profiles, func(a, b *memory.LearningProfile) int {
			return cmp.Or(cmp.Compare(a.TaskType, b.TaskType), cmp.Compare(a.AgentKey, b.AgentKey))
		})
		for _, p := range profiles {
			seen := p.TaskType == from[0] && p.AgentKey <= from[1]
			passes := (filter.Cold == nil || p.ColdStart() == *filter.Cold) && (filter.Trend == nil || l.Standing(p).Trend == *filter.Trend)
			if !seen && passes && !each(p) {
				return nil
			}
		}
	}
	return nil
}

// DefaultAlertThreshold is the score below which an agent is not good enough, where nobody says otherwise.
const DefaultAlertThreshold = 0.5

// alertChunk is how many task types are looked at together, so that the profiles of a large tenant are
// never all in memory.
const alertChunk = 50

// allProfiles hands over all profiles, those of some task types at a time, and counts them as a sum, as little is kept.
func (l *Learning) allProfiles(ctx context.Context, sum store.Sum, each func([]*memory.LearningProfile)) error {
	ctx = store.Unmetered(ctx)
	taskTypes, err := l.t.Store.Names(ctx, store.TaskTypes)
	for some := range slices.Chunk(taskTypes, alertChunk) {
		var profiles []*memory.LearningProfile
		if profiles, err = store.All(ctx, l.t.Store, store.ProfilesOf{TaskTypes: some}); err != nil {
			break
		}
		each(profiles)
		if err = sum.Add(len(profiles)); err != nil {
			break
		}
	}
	return faults.Of("the task types", err)
}

// TaskTypeAlerts finds the task types for which every agent's score is below a threshold, the worst first.
func (l *Learning) TaskTypeAlerts(ctx context.Context, threshold float64) ([]selection.TaskTypeAlert, error) {
	b := l.t.Question(ctx)
	b.Share("threshold", &threshold)
	if b.Err() != nil {
		return nil, b.Err()
	}
	alerts, now := []selection.TaskTypeAlert{}, l.t.Clock()
	err := l.allProfiles(ctx, store.BudgetOf(ctx).Sum(), func(profiles []*memory.LearningProfile) {
		alerts = append(alerts, selection.TaskTypeAlerts(profiles, threshold, now)...)
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(alerts, func(a, b selection.TaskTypeAlert) int {
		return cmp.Or(cmp.Compare(a.BestScore, b.BestScore), cmp.Compare(a.TaskType, b.TaskType))
	})
	return alerts, nil
}

// alertPatterns is how many issues that history tells to avoid are looked at, those of the highest rates.
const alertPatterns = 1000

// Alerts lists what somebody should look at, the most severe first, at most alerts.MaxAlerts: of all profiles, of the
// verdicts of the last alerts.Days days, and of the issues that most sections have.
func (l *Learning) Alerts(ctx context.Context, input boundary.AlertsInput) ([]alerts.Alert, error) {
	if err := input.Check(); err != nil {
		return nil, err
	}
	all, now := []alerts.Alert{}, l.t.Clock()
	add := func(found ...alerts.Alert) {
		found = slices.DeleteFunc(found, func(a alerts.Alert) bool { return !input.Keeps(a) })
		all = alerts.MostSevere(append(all, found...))
	}
	sum := store.BudgetOf(ctx).Sum()
	err := l.allProfiles(ctx, sum, func(profiles []*memory.LearningProfile) {
		add(alerts.OfProfiles(profiles, DefaultAlertThreshold, now)...)
	})
	if err != nil {
		return nil, err
	}
	since := now.AddDate(0, 0, -alerts.Days)
	if err := l.judgeAlerts(ctx, sum, since, now, add); err != nil {
		return nil, faults.Of("the verdicts", err)
	}
	return all, faults.Of("the patterns", l.issueAlerts(ctx, since, add))
}

// judgeAlerts are those of the verdicts from since to now: what is dated later would be among the last for years.
func (l *Learning) judgeAlerts(ctx context.Context, sum store.Sum, since, now time.Time, add func(...alerts.Alert)) error {
	judges := map[string]*judging.JudgeRecord{}
	query := store.JudgementQuery{Since: &since}
	err := reading.ListOf(l.t.Store, "", query).Summed(store.Unmetered(ctx), sum, func(j *memory.Judgement) {
		if j.JudgeID != nil && !j.At.After(now) {
			if judges[*j.JudgeID] == nil {
				judges[*j.JudgeID] = judging.NewJudgeRecord(*j.JudgeID)
			}
			judges[*j.JudgeID].Add(j)
		}
	})
	for _, record := range judges {
		add(alerts.OfJudge(record.Tendencies())...)
	}
	return err
}

func (l *Learning) issueAlerts(ctx context.Context, since time.Time, add func(...alerts.Alert)) error {
	query := store.PatternQuery{
		Kind: new(memory.PatternDont), Context: new(""), MinRate: judging.MinDontRate, MinTotal: judging.MinPatternSections,
	}
	patterns, _, err := store.List(ctx, l.t.Store, query, store.Page{Limit: alertPatterns})
	for _, p := range patterns {
		if alert, ok := alerts.OfIssue(p, since); ok {
			add(alert)
		}
	}
	return err
}

// countedTogether is how many episodes a store counts in the time in which it gives one to be summed up.
const countedTogether = 4

// costOf is how much of the budget for sums a store's counts take.
func costOf(counts []*memory.EpisodeCount) int {
	episodes := 0
	for _, count := range counts {
		episodes += count.Episodes
	}
	return (episodes + countedTogether - 1) / countedTogether
}

// AgentCost is what an agent's episodes cost together, of those of which it is known.
func (l *Learning) AgentCost(ctx context.Context, agent string) (cost float64, err error) {
	sum := store.BudgetOf(ctx).Sum()
	counts, err := store.All(store.Unmetered(ctx), l.t.Store, store.CountsOf{Filter: store.EpisodeFilter{Agent: &agent}, Bucket: trends.Day.Counted()})
	if err == nil {
		err = sum.Add(costOf(counts))
	}
	for _, count := range counts {
		cost += count.Cost
	}
	return cost, faults.Of("the episodes", err)
}

// Trends charts how episodes turn out and what judges say over time. The chart ends now.
func (l *Learning) Trends(ctx context.Context, input boundary.TrendsInput) ([]trends.Point, error) {
	b := l.t.Question(ctx)
	since := b.OptionalTime("since", input.Since)
	filter := store.EpisodeFilter{
		Agent: b.OptionalKey(memory.KindAgent, "agentId", input.AgentID), TaskType: b.OptionalLabel("taskType", input.TaskType),
	}
	verdicts := store.JudgementQuery{Judge: b.OptionalLabel("judgeId", input.JudgeID)}
	sectionType, pairs := b.OptionalLabel("sectionType", input.SectionType), b.Circumstances(input.Context)
	if b.Err() != nil {
		return nil, b.Err()
	}
	trends, err := trends.NewChart(input.Bucket, since, l.t.Clock())
	if err != nil {
		return nil, err
	}
	filter.Since, verdicts.Since = new(trends.Since()), new(trends.Since())
	sum, ctx := store.BudgetOf(ctx).Sum(), store.Unmetered(ctx)
	asked := []tenancy.Called{
		tenancy.Agents.Called("agentId", input.AgentID), tenancy.TaskTypes.Called("taskType", input.TaskType),
		tenancy.SectionTypes.Called("sectionType", input.SectionType),
	}
	if err := l.t.NothingFor(ctx, 0, asked...); err != nil {
		return nil, err
	}
	counts, err := store.All(ctx, l.t.Store, store.CountsOf{Filter: filter, Bucket: input.Bucket.Counted()})
	if err != nil {
		return nil, faults.Of("the episodes", err)
	}
	if err := sum.Add(costOf(counts)); err != nil {
		return nil, faults.Of("the episodes", err)
	}
	trends.AddEpisodes(counts)
	ofEpisodes := input.AgentID != nil || input.TaskType != nil
	if ofEpisodes && input.JudgeID == nil && sectionType == nil && len(pairs) == 0 { // verdicts are of no agent
		return trends.Points(), nil
	}
	err = reading.ListOf(l.t.Store, "", verdicts).Summed(ctx, sum, func(j *memory.Judgement) {
		if (sectionType == nil || j.SectionType == *sectionType) && memory.ContextHas(j.Context, pairs) {
			trends.AddVerdict(j)
		}
	})
	if err != nil {
		return nil, faults.Of("the verdicts", err)
	}
	return trends.Points(), nil
}

// Summary sums up a profile as of now.
func (l *Learning) Summary(p *memory.LearningProfile) summaries.ProfileSummary {
	standing := l.Standing(p)
	return summaries.ProfileSummary{
		ID: p.ID(), AgentID: memory.NodeID(memory.KindAgent, p.AgentKey), TaskType: p.TaskType,
		ExecutionsTotal: p.Total, ExecutionsSuccessful: p.Successful, AvgQuality: p.AvgQuality(), AvgLatencyMs: p.AvgLatencyMs(),
		Expertise: standing.Expertise, Confidence: p.Confidence(), Score: standing.Score,
		ColdStart: p.ColdStart(), Trend: standing.Trend, LastUpdated: p.LastUpdated(),
	}
}

// RankingSummary sums up where an agent stands.
func (l *Learning) RankingSummary(r *selection.AgentRanking) summaries.RankingSummary {
	summary := summaries.RankingSummary{
		AgentID: memory.NodeID(memory.KindAgent, r.AgentKey), Rank: r.Rank, Score: r.Score, Expertise: r.Expertise, Confidence: r.Confidence, Reasons: append([]string{}, r.Reasons...),
	}
	if r.Profile != nil {
		summary.Profile = new(l.Summary(r.Profile))
	}
	return summary
}
