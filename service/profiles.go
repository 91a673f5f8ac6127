package service

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/judging"
	"mneme/memory/prose"
	"mneme/memory/selection"
	"mneme/memory/trends"
	"mneme/store"
)

// Profile reads how well an agent does a type of task; nil where it never did it.
func (l *Learning) Profile(ctx context.Context, agentID, taskType string) (*memory.LearningProfile, error) {
	b := l.question(ctx)
	agent := b.key(memory.KindAgent, "agentId", agentID)
	if taskType = b.label("taskType", taskType); b.err != nil {
		return nil, b.err
	}
	profiles, err := l.profilesByKey(ctx, []string{memory.ProfileKey(agent, taskType)})
	if err != nil {
		return nil, fault("the profile", err)
	}
	if profiles[0] == nil {
		err = l.nothingFor(ctx, 0, calledAgent(&agentID), calledTaskType(&taskType))
	}
	return profiles[0], err
}

// AgentProfiles reads the profiles of each agent, by task type, by agent key.
func (l *Learning) AgentProfiles(ctx context.Context, agentKeys []string) (map[string][]*memory.LearningProfile, error) {
	profiles, err := l.store.Profiles(ctx, store.ProfileFilter{Agents: agentKeys})
	byAgent := make(map[string][]*memory.LearningProfile, len(agentKeys))
	for _, profile := range profiles {
		byAgent[profile.AgentKey] = append(byAgent[profile.AgentKey], profile)
	}
	return byAgent, fault("the agent", err)
}

// Standing is what a profile says now, or at the instant that it is an answer for.
func (l *Learning) Standing(profile *memory.LearningProfile) selection.Standing {
	return selection.StandingOf(profile, profile.Instant(l.clock()))
}

// maxProfileGrid bounds the profiles that one read by key may meet beside those it looks for.
const maxProfileGrid = 1000

// profilesByKey reads profiles in the order of the keys, nil where there is none. Stores read all task
// types of a list for all agents of a list, so keys that have little in common are read in parts.
func (t *tenant) profilesByKey(ctx context.Context, keys []string) ([]*memory.LearningProfile, error) {
	found := make(map[string]*memory.LearningProfile, len(keys))
	if err := t.collectProfiles(ctx, slices.Sorted(slices.Values(keys)), found); err != nil {
		return nil, err
	}
	profiles := make([]*memory.LearningProfile, len(keys))
	for i, key := range keys {
		profiles[i] = found[key]
	}
	return profiles, nil
}

func (t *tenant) collectProfiles(ctx context.Context, keys []string, found map[string]*memory.LearningProfile) error {
	var agents, taskTypes []string
	for _, key := range keys {
		if agent, taskType, ok := memory.SplitProfileKey(key); ok {
			agents, taskTypes = append(agents, agent), append(taskTypes, taskType)
		}
	}
	agents, taskTypes = distinct(agents), distinct(taskTypes)
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
	profiles, err := t.store.Profiles(ctx, store.ProfileFilter{Agents: agents, TaskTypes: taskTypes})
	for _, profile := range profiles {
		found[memory.ProfileKey(profile.AgentKey, profile.TaskType)] = profile
	}
	return err
}

// TaskTypes lists the distinct task types of all episodes and executions, sorted.
func (l *Learning) TaskTypes(ctx context.Context) ([]string, error) {
	taskTypes, err := l.store.AllTaskTypes(ctx)
	return taskTypes, fault("the task types", err)
}

// ProfileFilter keeps the profiles that meet every set condition.
type ProfileFilter struct {
	TaskType *string          `json:"taskType,omitempty"`
	Trend    *selection.Trend `json:"trend,omitempty"` // which way the quality goes now
	Cold     *bool            `json:"cold,omitempty"`  // whether there are too few executions for full confidence
}

// Profiles lists the profiles of all agents that pass a filter, by task type and agent.
func (l *Learning) Profiles(ctx context.Context, filter ProfileFilter, input PageInput) (*Page[*memory.LearningProfile], error) {
	b := l.question(ctx)
	taskType := b.optionalLabel("taskType", filter.TaskType)
	if filter.Trend != nil && !filter.Trend.Valid() {
		b.fail(memory.Invalid("trend", "must be UP, DOWN or FLAT"))
	}
	if b.err != nil {
		return nil, b.err
	}
	request, err := pageRequest(input, fingerprint("profiles", filter), nil)
	if err != nil {
		return nil, err
	}
	taskTypes := []string{}
	if taskType != nil {
		taskTypes = append(taskTypes, *taskType)
	} else if taskTypes, err = l.store.AllTaskTypes(ctx); err != nil {
		return nil, fault("the task types", err)
	}
	var profiles []*memory.LearningProfile
	more := false
	err = l.eachProfile(ctx, filter, taskTypes, request.page.After, func(p *memory.LearningProfile) bool {
		if more = len(profiles) == request.page.Limit; !more {
			profiles = append(profiles, p)
		}
		return !more
	})
	if err != nil {
		return nil, err
	}
	if err := l.nothingFor(ctx, len(profiles), calledTaskType(filter.TaskType)); err != nil {
		return nil, err
	}
	total := func(ctx context.Context) (count int, err error) {
		err = l.eachProfile(ctx, filter, taskTypes, nil, func(*memory.LearningProfile) bool {
			count++
			return true
		})
		return count, err
	}
	return newPage(request, profiles, more, total, func(p *memory.LearningProfile) store.Position {
		return store.Position{Key: placeOf(p)}
	}), nil
}

// placeOf is the place of a profile in a list by task type and agent.
func placeOf(p *memory.LearningProfile) string { return memory.JoinKey(p.TaskType, p.AgentKey) }

// eachProfile goes through the profiles of task types, in order, that pass a filter and come after a place, until each
// says that it wants no more.
func (l *Learning) eachProfile(ctx context.Context, filter ProfileFilter, taskTypes []string, after *store.Position, each func(*memory.LearningProfile) bool) error {
	from := []string{"", ""} // no task type and no agent is empty
	if after != nil {
		from = append(memory.SplitKey(after.Key), "") // a forged place may have one part
		taskTypes = slices.DeleteFunc(slices.Clone(taskTypes), func(t string) bool { return t < from[0] })
	}
	for some := range slices.Chunk(taskTypes, alertChunk) {
		profiles, err := l.store.Profiles(ctx, store.ProfileFilter{TaskTypes: some})
		if err != nil {
			return fault("the task types", err)
		}
		slices.SortFunc(profiles, func(a, b *memory.LearningProfile) int {
			return cmp.Or(cmp.Compare(a.TaskType, b.TaskType), cmp.Compare(a.AgentKey, b.AgentKey))
		})
		for _, p := range profiles {
			if seen := p.TaskType == from[0] && p.AgentKey <= from[1]; !seen && l.passes(p, filter) && !each(p) {
				return nil
			}
		}
	}
	return nil
}

// passes says whether a profile meets the conditions of a filter now, but for its task type.
func (l *Learning) passes(p *memory.LearningProfile, filter ProfileFilter) bool {
	return (filter.Cold == nil || p.ColdStart() == *filter.Cold) && (filter.Trend == nil || l.Standing(p).Trend == *filter.Trend)
}

// DefaultAlertThreshold is the score below which an agent is not good enough, where nobody says otherwise.
const DefaultAlertThreshold = 0.5

// alertChunk is how many task types are looked at together, so that the profiles of a large tenant are
// never all in memory.
const alertChunk = 50

// allProfiles hands over all profiles, those of some task types at a time, and counts them for a sum: what is made of them is little.
func (l *Learning) allProfiles(ctx context.Context, sum store.Sum, each func([]*memory.LearningProfile)) error {
	ctx = store.Unmetered(ctx)
	taskTypes, err := l.store.AllTaskTypes(ctx)
	for some := range slices.Chunk(taskTypes, alertChunk) {
		var profiles []*memory.LearningProfile
		if profiles, err = l.store.Profiles(ctx, store.ProfileFilter{TaskTypes: some}); err != nil {
			break
		}
		each(profiles)
		if err = sum.Add(len(profiles)); err != nil {
			break
		}
	}
	return fault("the task types", err)
}

// TaskTypeAlerts finds the task types for which every agent's score is below a threshold, the worst first.
func (l *Learning) TaskTypeAlerts(ctx context.Context, threshold float64) ([]selection.TaskTypeAlert, error) {
	b := l.question(ctx)
	b.share("threshold", &threshold)
	if b.err != nil {
		return nil, b.err
	}
	alerts, now := []selection.TaskTypeAlert{}, l.clock()
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

// AlertsInput keeps the alerts that meet every set condition.
type AlertsInput struct {
	Kind     *alerts.Kind     `json:"kind,omitempty" jsonschema:"Only alerts of this kind."`
	Severity *alerts.Severity `json:"severity,omitempty" jsonschema:"Only alerts that are as severe, or more."`
}

func (in AlertsInput) keeps(alert alerts.Alert) bool {
	return (in.Kind == nil || alert.Kind == *in.Kind) &&
		(in.Severity == nil || slices.Index(alerts.Severities, alert.Severity) <= slices.Index(alerts.Severities, *in.Severity))
}

func (in AlertsInput) check() error {
	if in.Kind != nil && !slices.Contains(alerts.Kinds, *in.Kind) {
		return memory.Invalid("kind", "must be %s", prose.Listed(alerts.Kinds, "or"))
	}
	if in.Severity != nil && !slices.Contains(alerts.Severities, *in.Severity) {
		return memory.Invalid("severity", "must be CRITICAL, WARNING or INFO")
	}
	return nil
}

// alertPatterns is how many issues that history tells to avoid are looked at, those of the highest rates.
const alertPatterns = 1000

// Alerts lists what somebody should look at, the most severe first, at most alerts.MaxAlerts: of all profiles, of the verdicts
// of the last alerts.Days days, and of the issues that most sections have.
func (l *Learning) Alerts(ctx context.Context, input AlertsInput) ([]alerts.Alert, error) {
	if err := input.check(); err != nil {
		return nil, err
	}
	all, now := []alerts.Alert{}, l.clock()
	add := func(found ...alerts.Alert) {
		found = slices.DeleteFunc(found, func(a alerts.Alert) bool { return !input.keeps(a) })
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
		return nil, fault("the verdicts", err)
	}
	return all, fault("the patterns", l.issueAlerts(ctx, since, add))
}

// judgeAlerts are those of the verdicts from since to now: what is dated later would be among the last for years.
func (l *Learning) judgeAlerts(ctx context.Context, sum store.Sum, since, now time.Time, add func(...alerts.Alert)) error {
	judges := map[string]*judging.JudgeRecord{}
	query := store.JudgementQuery{Since: &since}
	err := listOf(l.store, "", query).summed(store.Unmetered(ctx), sum, func(j *memory.Judgement) {
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
	patterns, _, err := store.List(ctx, l.store, query, store.Page{Limit: alertPatterns})
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
func costOf(counts []memory.EpisodeCount) int {
	episodes := 0
	for _, count := range counts {
		episodes += count.Episodes
	}
	return (episodes + countedTogether - 1) / countedTogether
}

// AgentCost is what an agent's episodes cost together, of those of which it is known.
func (l *Learning) AgentCost(ctx context.Context, agent string) (cost float64, err error) {
	sum := store.BudgetOf(ctx).Sum()
	counts, err := l.store.EpisodeCounts(store.Unmetered(ctx), store.EpisodeFilter{Agent: &agent}, trends.Day.Counted())
	if err == nil {
		err = sum.Add(costOf(counts))
	}
	for _, count := range counts {
		cost += count.Cost
	}
	return cost, fault("the episodes", err)
}

// Trends charts how episodes turn out and what judges say over time. The chart ends now.
func (l *Learning) Trends(ctx context.Context, input TrendsInput) ([]trends.Point, error) {
	b := l.question(ctx)
	since := b.optionalTime("since", input.Since)
	filter := store.EpisodeFilter{
		Agent: b.optionalKey(memory.KindAgent, "agentId", input.AgentID), TaskType: b.optionalLabel("taskType", input.TaskType),
	}
	verdicts := store.JudgementQuery{Judge: b.optionalLabel("judgeId", input.JudgeID)}
	sectionType, pairs := b.optionalLabel("sectionType", input.SectionType), b.circumstances(input.Context)
	if b.err != nil {
		return nil, b.err
	}
	trends, err := trends.NewChart(input.Bucket, since, l.clock())
	if err != nil {
		return nil, err
	}
	filter.Since, verdicts.Since = new(trends.Since()), new(trends.Since())
	sum, ctx := store.BudgetOf(ctx).Sum(), store.Unmetered(ctx)
	if err := l.nothingFor(ctx, 0, calledAgent(input.AgentID), calledTaskType(input.TaskType), calledSectionType(input.SectionType)); err != nil {
		return nil, err
	}
	counts, err := l.store.EpisodeCounts(ctx, filter, input.Bucket.Counted())
	if err != nil {
		return nil, fault("the episodes", err)
	}
	if err := sum.Add(costOf(counts)); err != nil {
		return nil, fault("the episodes", err)
	}
	trends.AddEpisodes(counts)
	ofEpisodes := input.AgentID != nil || input.TaskType != nil
	if ofEpisodes && input.JudgeID == nil && sectionType == nil && len(pairs) == 0 { // verdicts are of no agent
		return trends.Points(), nil
	}
	err = listOf(l.store, "", verdicts).summed(ctx, sum, func(j *memory.Judgement) {
		if (sectionType == nil || j.SectionType == *sectionType) && memory.ContextHas(j.Context, pairs) {
			trends.AddVerdict(j)
		}
	})
	if err != nil {
		return nil, fault("the verdicts", err)
	}
	return trends.Points(), nil
}

// ProfileSummary is a learning profile as people and agents are told of it.
type ProfileSummary struct {
	ID                   string          `json:"id"`
	AgentID              string          `json:"agentId"`
	TaskType             string          `json:"taskType"`
	ExecutionsTotal      int             `json:"executionsTotal"`
	ExecutionsSuccessful int             `json:"executionsSuccessful"`
	AvgQuality           float64         `json:"avgQuality" jsonschema:"The plain mean over all executions, 0 to 1."`
	AvgLatencyMs         *float64        `json:"avgLatencyMs,omitempty"`
	Expertise            float64         `json:"expertise" jsonschema:"The mean quality of the latest 100 executions, 0 to 1; recent ones weigh more."`
	Confidence           float64         `json:"confidence" jsonschema:"How much is known, 0 to 1: a twentieth for each execution."`
	Score                float64         `json:"score" jsonschema:"Expertise times confidence."`
	ColdStart            bool            `json:"coldStart" jsonschema:"Whether there are fewer than the 20 executions that full confidence needs."`
	Trend                selection.Trend `json:"trend" jsonschema:"Of the quality: the last 7 days against the time before."`
	LastUpdated          time.Time       `json:"lastUpdated"`
}

// Summary sums up a profile as of now.
func (l *Learning) Summary(p *memory.LearningProfile) ProfileSummary {
	standing := l.Standing(p)
	return ProfileSummary{
		ID: p.ID(), AgentID: memory.NodeID(memory.KindAgent, p.AgentKey), TaskType: p.TaskType,
		ExecutionsTotal: p.Total, ExecutionsSuccessful: p.Successful, AvgQuality: p.AvgQuality(), AvgLatencyMs: p.AvgLatencyMs(),
		Expertise: standing.Expertise, Confidence: p.Confidence(), Score: standing.Score,
		ColdStart: p.ColdStart(), Trend: standing.Trend, LastUpdated: p.LastUpdated(),
	}
}

// RankingSummary is where an agent stands for a task, as people and agents are told of it.
type RankingSummary struct {
	AgentID    string          `json:"agentId"`
	Rank       int             `json:"rank" jsonschema:"Its place among the agents, from 1."`
	Score      float64         `json:"score" jsonschema:"0 to 1: expertise times confidence; with a situation the quality to be expected."`
	Expertise  float64         `json:"expertise" jsonschema:"How well it did that type of task lately, 0 to 1."`
	Confidence float64         `json:"confidence" jsonschema:"How much is known of that, 0 to 1."`
	Profile    *ProfileSummary `json:"profile,omitempty" jsonschema:"What its work of that type adds up to."`
	Reasons    []string        `json:"reasons" jsonschema:"Why it was chosen, in words."`
}

// RankingSummary sums up where an agent stands.
func (l *Learning) RankingSummary(r *selection.AgentRanking) RankingSummary {
	summary := RankingSummary{
		AgentID: memory.NodeID(memory.KindAgent, r.AgentKey), Rank: r.Rank, Score: r.Score, Expertise: r.Expertise, Confidence: r.Confidence, Reasons: append([]string{}, r.Reasons...),
	}
	if r.Profile != nil {
		summary.Profile = new(l.Summary(r.Profile))
	}
	return summary
}
