package selection

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/stats"
)

// TaskTypeAlert says that no agent is good enough for a task type.
type TaskTypeAlert struct {
	TaskType  string
	BestScore float64
	Threshold float64
	Agents    int // with a profile for the task type
	// ColdStart says that all of them are merely young: below the executions that full confidence needs.
	ColdStart bool
}

// TaskTypeAlerts finds the task types of profiles for which every agent's score is below the threshold,
// the worst first, then by name.
func TaskTypeAlerts(profiles []*memory.LearningProfile, threshold float64, now time.Time) []TaskTypeAlert {
	byTask := map[string]*TaskTypeAlert{}
	for _, profile := range profiles {
		alert := byTask[profile.TaskType]
		if alert == nil {
			alert = &TaskTypeAlert{TaskType: profile.TaskType, Threshold: threshold, ColdStart: true}
			byTask[profile.TaskType] = alert
		}
		alert.Agents++
		alert.BestScore = max(alert.BestScore, StandingOf(profile, profile.Instant(now)).Score)
		alert.ColdStart = alert.ColdStart && profile.ColdStart()
	}
	alerts := []TaskTypeAlert{}
	for alert := range maps.Values(byTask) {
		if stats.Rounded(alert.BestScore) < threshold {
			alerts = append(alerts, *alert)
		}
	}
	slices.SortFunc(alerts, func(a, b TaskTypeAlert) int {
		return cmp.Or(cmp.Compare(a.BestScore, b.BestScore), cmp.Compare(a.TaskType, b.TaskType))
	})
	return alerts
}
