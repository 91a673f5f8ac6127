package alerts

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/memory/prose"
	"mneme/memory/selection"
	"mneme/memory/stats"
)

// Kind is what an alert is about.
type Kind string

// The closed set of kinds, in the order in which equally severe ones stand.
const (
	NoGoodAgent      Kind = "NO_GOOD_AGENT"
	TaskTypeDeclines Kind = "TASK_TYPE_DECLINES"
	AgentDeclines    Kind = "AGENT_DECLINES"
	IssueRecurs      Kind = "ISSUE_RECURS"
	JudgeDrifts      Kind = "JUDGE_DRIFTS"
	JudgeShifts      Kind = "JUDGE_SHIFTS"
	JudgeTooLenient  Kind = "JUDGE_TOO_LENIENT"
	JudgeTooCritical Kind = "JUDGE_TOO_CRITICAL"
	AgentCold        Kind = "AGENT_COLD"
)

// Kinds are all of them, in their order.
var Kinds = []Kind{NoGoodAgent, TaskTypeDeclines, AgentDeclines, IssueRecurs, JudgeDrifts, JudgeShifts, JudgeTooLenient, JudgeTooCritical, AgentCold}

// Severity is how soon somebody should look at an alert.
type Severity string

// The closed set of severities, the most severe first.
const (
	Critical Severity = "CRITICAL"
	Warning  Severity = "WARNING"
	Info     Severity = "INFO"
)

// Severities are all of them, the most severe first.
var Severities = []Severity{Critical, Warning, Info}

// The bounds of the rules.
const (
	// MaxAlerts is how many alerts are told at most, the most severe.
	MaxAlerts = 100
	// Days is how far back verdicts count, and how lately an issue must have been seen to be open.
	Days = 30
	// droppedMuch is the least that a mean fell by to be critical. To be told at all it falls as selection.Trend does, so
	// that the two agree.
	droppedMuch = 0.25
	// driftLabels is how many labels a drift needs, and drifted the least that agreement with people fell by.
	driftLabels = 10
	drifted     = 0.15
	// shifted is the least that a share of approvals changed by, beyond chance, to be told.
	shifted = 0.15
	// nearlyAlways is the rate from which on a recurring issue is critical.
	nearlyAlways = 0.9
)

// Alert is one thing that somebody should look at.
type Alert struct {
	Kind     Kind     `json:"kind"`
	Severity Severity `json:"severity"`
	// Subject says in words what it is about: "agent ada at refund", "task type refund", "judge critic".
	Subject string `json:"subject"`
	// SubjectID is the global id of the record that it is about; null where that is none, as of task types and judges.
	SubjectID *string `json:"subjectId,omitempty"`
	// Happened says what is the matter, with its numbers, and Do what can be done about it.
	Happened string `json:"happened"`
	Do       string `json:"do"`
	// Since is from when on it is so; null where nobody knows.
	Since *time.Time `json:"since,omitempty"`
}

// OfProfiles finds what is wrong with agents and task types, of all profiles of some task types: no agent whose score
// reaches the threshold, means of quality that fell (see selection.Trend), and agents that are new to a task.
func OfProfiles(profiles []*memory.LearningProfile, threshold float64, now time.Time) []Alert {
	var found []Alert
	for _, alert := range selection.TaskTypeAlerts(profiles, threshold, now) {
		found = append(found, noGoodAgent(alert))
	}
	byTask := map[string][]*memory.LearningProfile{}
	for _, p := range profiles {
		byTask[p.TaskType] = append(byTask[p.TaskType], p)
		if p.ColdStart() {
			found = append(found, Alert{
				Kind: AgentCold, Severity: Info, Subject: subjectOf(p), SubjectID: new(p.ID()),
				Happened: fmt.Sprintf("%s of the %d that full confidence needs", prose.Plural(p.Total, "execution"), memory.ConfidentTotal),
				Do:       "Its score counts in part until then: let it do more of the type.", Since: firstOf(p),
			})
		}
		alert := Alert{
			Kind: AgentDeclines, Subject: subjectOf(p), SubjectID: new(p.ID()),
			Do: "Look at its latest episodes of the type, and hand the task to another agent where one ranks higher.",
		}
		if fell(&alert, []*memory.LearningProfile{p}, now) {
			found = append(found, alert)
		}
	}
	for _, taskType := range slices.Sorted(maps.Keys(byTask)) {
		alert := Alert{
			Kind: TaskTypeDeclines, Subject: "task type " + named(taskType),
			Do: "Look for what changed for all of them: the tasks, the tools, or how quality is measured.",
		}
		if len(byTask[taskType]) > 1 && fell(&alert, byTask[taskType], now) { // of one agent alone that is said already
			alert.Happened += ", over all agents"
			found = append(found, alert)
		}
	}
	return found
}

func noGoodAgent(a selection.TaskTypeAlert) Alert {
	alert := Alert{
		Kind: NoGoodAgent, Severity: Warning, Subject: "task type " + named(a.TaskType),
		Happened: fmt.Sprintf("the best of %s has a score of %.2f, below %.2f", prose.Plural(a.Agents, "agent"), a.BestScore, a.Threshold),
		Do:       "Read what failed in the lessons of recall, or let another agent try (explore).",
	}
	if a.ColdStart {
		alert.Severity, alert.Happened = Info, alert.Happened+"; all are merely new to it"
	}
	return alert
}

func firstOf(p *memory.LearningProfile) *time.Time {
	if len(p.Window.At) == 0 {
		return nil
	}
	return new(time.UnixMilli(p.Window.At[0]).UTC())
}

func subjectOf(p *memory.LearningProfile) string {
	return fmt.Sprintf("agent %s at %s", named(p.AgentKey), named(p.TaskType))
}

// named is a name on one line, cut where it is long.
func named(name string) string { return prose.Shorten(prose.OneLine(name), 80) }

// fell says whether the mean quality over windows went down (see selection.Trend), and fills in of an alert how much.
func fell(alert *Alert, profiles []*memory.LearningProfile, now time.Time) bool {
	var change selection.Change
	for _, p := range profiles {
		change.Add(p, p.Instant(now))
	}
	if change.Trend() != selection.TrendDown {
		return false
	}
	before, late := change.Means()
	if alert.Severity = Warning; stats.Rounded(before-late) >= droppedMuch {
		alert.Severity = Critical
	}
	alert.Since = new(time.UnixMilli(change.Since).UTC())
	alert.Happened = fmt.Sprintf("the mean quality fell from %.2f (%s) to %.2f (%d in the last %d days)",
		before, prose.Plural(change.Earlier, "execution"), late, change.Late, selection.RecentDays)
	return true
}

// OfJudge finds what is wrong with how a judge decided in the time that was looked at. Nobody knows since when.
func OfJudge(t *judging.JudgeTendencies) []Alert {
	var found []Alert
	alert := Alert{Subject: "judge " + named(t.JudgeKey), Severity: Warning}
	lenient := map[judging.Leniency]Kind{judging.LeniencyTooLenient: JudgeTooLenient, judging.LeniencyTooCritical: JudgeTooCritical}
	if kind, ok := lenient[t.Calibration.Leniency]; ok {
		alert.Kind, alert.Happened = kind, t.Calibration.Reason
		alert.Do = "Have people label some of its verdicts, to see whether the work or the judge is so."
		found = append(found, alert)
	}
	if a := t.HumanAgreement; a != nil && a.Labelled >= driftLabels && a.Drift != nil && stats.Rounded(*a.Drift) <= -drifted {
		alert.Kind = JudgeDrifts
		alert.Happened = fmt.Sprintf("agrees with people in %.0f%% of %s, in the newer half %.0f points less than in the older",
			100*a.Agreement, prose.Plural(a.Labelled, "labelled verdict"), -100**a.Drift)
		alert.Do = "Read the latest verdicts that people labelled otherwise, and mend the judge's instructions."
		found = append(found, alert)
	}
	if t.HumanAgreement == nil || t.HumanAgreement.Labelled < driftLabels {
		found = append(found, shift(alert, t.Older, t.Newer)...)
	}
	return found
}

// shift tells that a judge became stricter or milder, of which no labels say whether the work did.
func shift(alert Alert, older, newer judging.Approvals) []Alert {
	if change := newer.Rate() - older.Rate(); math.Abs(change) < shifted || !older.Shifts(newer) {
		return nil
	}
	became := "milder"
	if newer.Rate() < older.Rate() {
		became = "stricter"
	}
	alert.Kind = JudgeShifts
	alert.Happened = fmt.Sprintf("became %s: it approved %.0f%% of the older %d verdicts, %.0f%% of the newer %d",
		became, 100*older.Rate(), older.Verdicts, 100*newer.Rate(), newer.Verdicts)
	alert.Do = "Have people label some of the newer verdicts, to see whether the work or the judge changed."
	return []Alert{alert}
}

// OfIssue is the alert of an issue that history tells to avoid, false where it was not seen since an instant.
func OfIssue(p *memory.Pattern, since time.Time) (Alert, bool) {
	if p.Kind != memory.PatternDont || p.IssueCode == nil || p.LastSeen.Before(since) {
		return Alert{}, false
	}
	alert := Alert{
		Kind: IssueRecurs, Severity: Warning, Subject: fmt.Sprintf("issue %s of section type %s", named(*p.IssueCode), named(p.SectionType)), SubjectID: new(p.ID()),
		Happened: fmt.Sprintf("%.0f%% of %s had it, last on %s: %s",
			100*p.Rate(), prose.Plural(p.Total, "section"), p.LastSeen.UTC().Format(time.DateOnly), strings.TrimSuffix(prose.Shorten(prose.OneLine(p.Description), 200), ".")), // which a sentence is made of
		Do: "Ask for guidance of the section type: it says which contexts have it and what fixed it.",
	}
	if p.Rate() >= nearlyAlways {
		alert.Severity = Critical
	}
	return alert, true
}

// MostSevere puts alerts in order, most severe first, then by kind and subject, and leaves out those beyond MaxAlerts.
func MostSevere(found []Alert) []Alert {
	slices.SortFunc(found, func(a, b Alert) int {
		return cmp.Or(
			cmp.Compare(slices.Index(Severities, a.Severity), slices.Index(Severities, b.Severity)),
			cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)),
			strings.Compare(a.Subject, b.Subject),
		)
	})
	return found[:min(len(found), MaxAlerts)]
}
