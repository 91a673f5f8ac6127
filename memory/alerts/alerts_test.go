package alerts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/judging"
	"mneme/memory/memorytest"
)

var now = memorytest.Day(0)

// profile has executions of one quality each, at so many days before now.
func profile(agent, taskType string, total int, qualities map[float64]float64) *memory.LearningProfile {
	var all []*memory.Execution
	for days, quality := range qualities {
		for range 3 {
			all = append(all, &memory.Execution{Key: fmt.Sprint(agent, days, len(all)), AgentKey: agent, TaskType: taskType, Success: true, Quality: quality, At: now.Add(-time.Duration(days * 24 * float64(time.Hour)))})
		}
	}
	p := memory.SumUp(agent, taskType, all)
	p.Total = max(p.Total, total)
	return p
}

type told struct {
	kind     alerts.Kind
	severity alerts.Severity
	subject  string
}

func toldOf(found []alerts.Alert) []told {
	all := []told{}
	for _, a := range found {
		all = append(all, told{a.Kind, a.Severity, a.Subject})
	}
	return all
}

func TestOfProfiles(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		profiles []*memory.LearningProfile
		want     []told
	}{
		"nothing":         {nil, []told{}},
		"all is well":     {[]*memory.LearningProfile{profile("ada", "tax", 40, map[float64]float64{1: 0.9, 20: 0.9})}, []told{}},
		"exactly as much": {[]*memory.LearningProfile{profile("ada", "tax", 40, map[float64]float64{1: 0.85, 20: 0.9})}, []told{}},
		"one gets worse": {[]*memory.LearningProfile{profile("ada", "tax", 40, map[float64]float64{1: 0.8, 20: 0.9})},
			[]told{{alerts.AgentDeclines, alerts.Warning, "agent ada at tax"}}},
		"much worse": {[]*memory.LearningProfile{profile("ada", "tax", 40, map[float64]float64{1: 0.65, 20: 0.9})},
			[]told{{alerts.AgentDeclines, alerts.Critical, "agent ada at tax"}}},
		"all get worse": {
			[]*memory.LearningProfile{profile("ada", "tax", 40, map[float64]float64{1: 0.8, 20: 0.9}), profile("bo", "tax", 40, map[float64]float64{7: 0.8, 8: 0.9})},
			[]told{
				{alerts.TaskTypeDeclines, alerts.Warning, "task type tax"}, {alerts.AgentDeclines, alerts.Warning, "agent ada at tax"},
				{alerts.AgentDeclines, alerts.Warning, "agent bo at tax"},
			}},
		"new, and so nobody is good enough": {[]*memory.LearningProfile{profile("ada", "tax", 3, map[float64]float64{1: 1})},
			[]told{{alerts.NoGoodAgent, alerts.Info, "task type tax"}, {alerts.AgentCold, alerts.Info, "agent ada at tax"}}},
		"not new, and not good": {[]*memory.LearningProfile{profile("ada", "tax\nreturn", 40, map[float64]float64{1: 0.2})},
			[]told{{alerts.NoGoodAgent, alerts.Warning, "task type tax return"}}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, toldOf(alerts.MostSevere(alerts.OfProfiles(test.profiles, 0.5, now))))
		})
	}
	found := alerts.OfProfiles([]*memory.LearningProfile{profile("ada", "tax", 40, map[float64]float64{1: 0.8, 6: 0.8, 20: 0.9})}, 0.5, now)
	require.Len(t, found, 1)
	assert.Equal(t, "the mean quality fell from 0.90 (3 executions) to 0.80 (6 in the last 7 days)", found[0].Happened)
	assert.Equal(t, memorytest.Day(-6), *found[0].Since)
	assert.Equal(t, "learningProfile:ada/tax", *found[0].SubjectID)
}

func TestOfJudge(t *testing.T) {
	t.Parallel()
	record := func(n int, approves func(int) bool, label func(int) *bool) []alerts.Alert {
		judge := judging.NewJudgeRecord("critic")
		for i := range n {
			status := memory.VerdictSoftFail
			if approves(i) {
				status = memory.VerdictApprove
			}
			judge.Add(&memory.Judgement{Status: status, Label: label(i), At: memorytest.Day(-20)})
		}
		return alerts.OfJudge(judge.Tendencies())
	}
	always, unlabelled := func(int) bool { return true }, func(int) *bool { return nil }
	half := func(i int) bool { return i%2 == 0 }
	assert.Equal(t, []told{{alerts.JudgeTooLenient, alerts.Warning, "judge critic"}}, toldOf(record(20, always, unlabelled)))
	assert.Empty(t, record(19, always, unlabelled), "too few to say")
	assert.Equal(t, []told{{alerts.JudgeTooCritical, alerts.Warning, "judge critic"}}, toldOf(record(20, func(int) bool { return false }, unlabelled)))
	assert.Empty(t, record(20, half, unlabelled))
	drifting := func(n int) func(int) *bool { return func(i int) *bool { return new(half(i) == (i < n)) } } // agrees with the first n
	found := record(20, half, drifting(15))
	require.Len(t, found, 1)
	assert.Equal(t, alerts.JudgeDrifts, found[0].Kind)
	assert.Equal(t, "agrees with people in 75% of 20 labelled verdicts, in the newer half 50 points less than in the older", found[0].Happened)
	assert.Nil(t, found[0].Since)
	assert.Empty(t, record(20, half, drifting(19)), "ten points may be chance")
	assert.Empty(t, record(9, half, drifting(4)), "too few labels")

	stricter := func(approved int) func(int) bool { // all of the older 20, so many of the newer
		return func(i int) bool { return i < 20+approved && i%2 == 0 || i < 20 }
	}
	found = record(40, stricter(16), unlabelled)
	require.Len(t, found, 1)
	assert.Equal(t, alerts.JudgeShifts, found[0].Kind)
	assert.Equal(t, "became stricter: it approved 100% of the older 20 verdicts, 40% of the newer 20", found[0].Happened)
	assert.Contains(t, record(40, func(i int) bool { return stricter(16)(39 - i) }, unlabelled)[0].Happened, "became milder")
	assert.Empty(t, record(40, func(i int) bool { return i < 14 || i >= 20 && i < 30 }, unlabelled), "14 and 10 of 20 may be chance")
	assert.Empty(t, record(40, stricter(16), func(i int) *bool { return new(stricter(16)(i)) }), "labels say that the work changed")
}

func TestOfIssue(t *testing.T) {
	t.Parallel()
	since := memorytest.Day(-30)
	issue := func(hits int, seen time.Time) *memory.Pattern {
		return &memory.Pattern{Key: "k", Kind: memory.PatternDont, IssueCode: new("BASE"), SectionType: "verse", Description: "uses gtpl_base_* only.", Hits: hits, Total: 10, LastSeen: seen}
	}
	alert, ok := alerts.OfIssue(issue(7, memorytest.Day(-1)), since)
	require.True(t, ok)
	assert.Equal(t, alerts.Warning, alert.Severity)
	assert.Equal(t, "issue BASE of section type verse", alert.Subject)
	assert.Contains(t, alert.Happened, "70% of 10 sections had it, last on ")
	assert.True(t, strings.HasSuffix(alert.Happened, ": uses gtpl_base_* only"), "what is told goes on: %s", alert.Happened)
	alert, ok = alerts.OfIssue(issue(9, since), since)
	require.True(t, ok)
	assert.Equal(t, alerts.Critical, alert.Severity)
	_, ok = alerts.OfIssue(issue(9, memorytest.Day(-31)), since)
	assert.False(t, ok, "it is not seen any more")
	_, ok = alerts.OfIssue(&memory.Pattern{Kind: memory.PatternDo, LastSeen: now}, since)
	assert.False(t, ok)
}

func TestMostSevereIsBounded(t *testing.T) {
	t.Parallel()
	var many []alerts.Alert
	for i := range 150 {
		many = append(many, alerts.Alert{Kind: alerts.AgentCold, Severity: alerts.Info, Subject: fmt.Sprintf("%03d", i)})
	}
	many = append(many, alerts.Alert{Kind: alerts.AgentDeclines, Severity: alerts.Critical, Subject: "z"})
	found := alerts.MostSevere(many)
	require.Len(t, found, alerts.MaxAlerts)
	assert.Equal(t, "z", found[0].Subject)
	assert.Equal(t, "098", found[99].Subject)
}
