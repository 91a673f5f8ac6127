package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mneme/memory"
	"mneme/service"
)

// Judged is work of the sample that was judged: five monthly reports, made section by section.
type Judged struct {
	Verdicts []service.RecordVerdictInput
	// Labels are what people say of some of the verdicts.
	Labels []service.LabelVerdictInput
	// Completed are the runs that are done; the last one is still being worked on.
	Completed []service.CompleteRunInput
}

// ruling is one verdict on a section, in the words of the judge. A judge's name is empty where a check by
// rule decided.
type ruling struct {
	section, kind, audience string
	judge                   string
	status                  memory.VerdictStatus
	score                   float64
	says                    string
	code, area              string // of its issue, empty where there is none
	fix, strength           string
	pattern                 string // the approach that was used
	label                   string // "yes" or "no", where a person looked at it
}

const (
	critic = "report-critic"

	leadsWithNumber = "lead with the one number that changed"
	sortedBars      = "sorted bars, the largest first"
	nextStep        = "end with who does what by when"
)

// reports are the rulings of each run, in order. A section's iterations are counted from its rulings.
var reports = [][]ruling{
	{
		{section: "summary", kind: "summary", audience: "board", judge: critic, status: memory.VerdictSoftFail, score: 6.4, says: "Three paragraphs before the first number.", code: "BURIED_LEAD", area: "STRUCTURE", fix: "Begin with the number that changed most", pattern: "begin with the history", label: "no"},
		{section: "summary", kind: "summary", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.2, pattern: leadsWithNumber},
		{section: "orders_by_week", kind: "chart", audience: "board", judge: critic, status: memory.VerdictSoftFail, score: 5.9, says: "Fifty-two labels overlap on the axis.", code: "UNREADABLE_CHART", area: "CHART", fix: "Show months", pattern: "a bar for each week", label: "no"},
		{section: "orders_by_week", kind: "chart", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.5, strength: "the season is seen at once", pattern: sortedBars, label: "yes"},
		{section: "outlook", kind: "outlook", audience: "board", judge: critic, status: memory.VerdictApprove, score: 7.9, pattern: nextStep, label: "no"},
	},
	{
		{section: "summary", kind: "summary", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.4, strength: "one number, one sentence", pattern: leadsWithNumber, label: "yes"},
		{section: "returns_by_reason", kind: "chart", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.7, pattern: sortedBars, label: "yes"},
		{section: "stock", kind: "chart", audience: "team", judge: critic, status: memory.VerdictSoftFail, score: 6.0, says: "The legend has forty entries.", code: "UNREADABLE_CHART", area: "CHART", fix: "Name the five that matter on the bars", pattern: "a colour for each product", label: "no"},
		{section: "stock", kind: "chart", audience: "team", judge: critic, status: memory.VerdictApprove, score: 8.1, pattern: sortedBars, label: "no"},
		{section: "outlook", kind: "outlook", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.0, pattern: nextStep, label: "no"},
	},
	{
		{section: "summary", kind: "summary", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.6, strength: "one number, one sentence", pattern: leadsWithNumber, label: "yes"},
		{section: "revenue_by_region", kind: "chart", audience: "board", judge: critic, status: memory.VerdictSoftFail, score: 5.8, says: "Twelve lines cannot be told apart. Compare the regions with bars.", code: "UNREADABLE_CHART", area: "CHART", fix: "Use sorted bars", strength: "the title says what is shown", pattern: "a line for each region"},
		{section: "revenue_by_region", kind: "chart", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.8, strength: "the order is the message", pattern: sortedBars, label: "yes"},
		{section: "outlook", kind: "outlook", audience: "board", status: memory.VerdictValidationFail, says: "The section names no source for its forecast.", code: "NO_SOURCE", area: "SOURCES", fix: "Name the query and its date"},
		{section: "outlook", kind: "outlook", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.1, pattern: nextStep, label: "no"},
	},
	{
		{section: "summary", kind: "summary", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.9, pattern: leadsWithNumber, label: "yes"},
		{section: "churn_by_plan", kind: "chart", audience: "board", judge: critic, status: memory.VerdictSoftFail, score: 6.1, says: "The axis starts at 40 %, which makes a small change look large.", code: "CUT_AXIS", area: "CHART", fix: "Start the axis at zero", pattern: sortedBars, label: "no"},
		{section: "churn_by_plan", kind: "chart", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.4, pattern: sortedBars, label: "yes"},
		{section: "costs", kind: "chart", audience: "team", judge: critic, status: memory.VerdictSoftFail, score: 5.5, says: "A pie of fourteen slices; nobody reads the small ones.", code: "UNREADABLE_CHART", area: "CHART", fix: "Show the five largest and the rest together", pattern: "a pie of everything", label: "no"},
		{section: "costs", kind: "chart", audience: "team", judge: critic, status: memory.VerdictApprove, score: 8.0, pattern: sortedBars, label: "no"},
		{section: "outlook", kind: "outlook", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.3, pattern: nextStep, label: "no"},
	},
	{
		{section: "summary", kind: "summary", audience: "board", judge: critic, status: memory.VerdictApprove, score: 8.7, pattern: leadsWithNumber, label: "yes"},
		{section: "revenue_by_product", kind: "chart", audience: "board", judge: critic, status: memory.VerdictApprove, score: 9.1, strength: "read at a glance", pattern: sortedBars, label: "yes"},
		{section: "returns", kind: "chart", audience: "board", judge: critic, status: memory.VerdictHardFail, score: 3.2, says: "The figures are those of the quarter before.", code: "STALE_DATA", area: "SOURCES", fix: "Run the query again for this quarter", pattern: sortedBars, label: "no"},
	},
}

func reportKey(number int) string { return fmt.Sprintf("demo-report-%d", number+1) }

// newJudged tells the rulings, a report every eighteen days, within those of the sample; times count from the anchor like those of the episodes.
func newJudged(anchor time.Time) Judged {
	var j Judged
	for number, rulings := range reports {
		if number < len(tables) {
			rulings = slices.Concat(rulings, tables[number])
		}
		run, iterations := reportKey(number), map[string]int{}
		at := anchor.AddDate(0, 0, 18*(number-len(reports))+8).Add(9 * time.Hour)
		for i, r := range rulings {
			at = at.Add(7 * time.Minute)
			id := fmt.Sprintf("%s-%02d", run, i+1)
			j.Verdicts = append(j.Verdicts, r.input(id, run, iterations[r.section], at))
			iterations[r.section]++
			if r.label != "" {
				j.Labels = append(j.Labels, service.LabelVerdictInput{
					VerdictID: id, Approve: r.label == "yes", LabelledBy: new(people[i%len(people)]),
				})
			}
		}
		if number < len(reports)-1 {
			j.Completed = append(j.Completed, service.CompleteRunInput{RunID: run})
		}
	}
	return j
}

func (r ruling) input(id, run string, iteration int, at time.Time) service.RecordVerdictInput {
	input := service.RecordVerdictInput{
		ID: &id, RunID: run, SectionID: r.section, SectionType: r.kind, Context: jsonOf(map[string]any{"audience": r.audience}),
		Iteration: iteration, Status: r.status, Feedback: textOf(r.says), Fixes: listOf(r.fix), Strengths: listOf(r.strength),
		Patterns: listOf(r.pattern), At: &at,
	}
	if r.judge != "" {
		input.JudgeID, input.Score = &r.judge, &r.score
	}
	if r.code != "" {
		input.Issues = []service.IssueInput{{Code: r.code, Area: &r.area, Message: textOf(r.says)}}
	}
	return input
}

func textOf(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func listOf(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// record records it; what is there already stays as it is, as do the labels of the people who own it now.
func (j Judged) record(ctx context.Context, tenant *service.Tenant) error {
	if err := whole(tenant.Judging.RecordVerdicts(ctx, service.RecordVerdictsInput{Verdicts: j.Verdicts})); err != nil {
		return err
	}
	for _, label := range j.Labels {
		known, err := tenant.Judging.VerdictsByKey(ctx, []string{label.VerdictID})
		if err == nil && known[0] != nil && known[0].Label == nil {
			_, err = tenant.Judging.LabelVerdict(ctx, label)
		}
		if err != nil {
			return fmt.Errorf("label of verdict %s: %w", label.VerdictID, err)
		}
	}
	for _, run := range j.Completed {
		if _, err := tenant.Judging.CompleteRun(ctx, run); err != nil {
			return fmt.Errorf("run %s: %w", run.RunID, err)
		}
	}
	return nil
}
