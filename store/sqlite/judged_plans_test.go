package sqlite

import (
	"database/sql/driver"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
)

// planOf is what SQLite does for a query, a step a line.
func (t *Tenant) planOf(tb testing.TB, sql string, args []driver.NamedValue) string {
	tb.Helper()
	var steps []string
	require.NoError(tb, t.file.Write(tb.Context(), func(c *db.Tx) error {
		return c.Query(`EXPLAIN QUERY PLAN `+sql, func(r *db.Row) {
			r.Column += 3
			steps = append(steps, r.Text())
		}, args...)
	}))
	return strings.Join(steps, "\n")
}

// What an agent's profiles are for is read once for the agent, not once for each task type of its episodes.
func TestTaskTypesOfAgentsAreReadOnce(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	plan := tenant.planOf(t, typesOfAgents, []driver.NamedValue{db.Arg("agents", `["a"]`)})
	assert.Contains(t, plan, "SCAN a\nSEARCH p USING COVERING INDEX")
	assert.Equal(t, 1, strings.Count(plan, "SCAN t\n"), "from one to the next: %s", plan)
}

// A page is read in the order of an index from where the one before it ended: none is sorted but what stands on it.
func TestPagesOfJudgedWorkAreReadByIndexes(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	page := &store.Page{After: &store.Position{At: noon, Key: "k", Value: new(0.5), Sequence: 3}}
	limit := db.Arg("limit", 3)
	judge, run, section, sectionType, kind := new("j"), new("r"), new("s"), new("verse"), new(memory.PatternDo)
	verdicts := func(query store.VerdictQuery) string {
		find, w := verdictsPage(&query, page)
		return tenant.planOf(t, find, append(w.Args, limit))
	}
	patterns := func(query store.PatternQuery) string {
		find, w := patternsPage(&query, page)
		return tenant.planOf(t, find, append(w.Args, limit))
	}
	runs, of := runsPage(nil, page)
	for _, test := range []struct {
		name, plan, step string
		sorts            int // the page itself, to hand it out
	}{
		{"runs", tenant.planOf(t, runs, append(of.Args, limit)), `runs_by_time (started_at<?)`, 0},
		{"verdicts", verdicts(store.VerdictQuery{}), `verdicts_by_time (at<?)`, 1},
		{"verdicts of a type", verdicts(store.VerdictQuery{SectionType: sectionType}), `verdicts_by_section_type (section_type=? AND at<?)`, 1},
		{"verdicts of a judge", verdicts(store.VerdictQuery{Judge: judge, SectionType: sectionType}), `verdicts_by_judge (judge=? AND at<?)`, 1},
		{"verdicts of a run", verdicts(store.VerdictQuery{Judge: judge, Run: run}), `verdicts_by_run (run=? AND at<?)`, 1},
		{"verdicts of a section", verdicts(store.VerdictQuery{Judge: judge, Run: run, Section: section}), `verdicts_by_section (section=? AND at<?)`, 1},
		{
			"rejections", verdicts(store.VerdictQuery{Section: section, Rejecting: true}), `verdicts_by_section (section=? AND at<?)`, 1,
		},
		{"patterns", patterns(store.PatternQuery{MinTotal: 3}), `patterns_by_rate (rate<?)`, 0},
		{"patterns of a kind", patterns(store.PatternQuery{Kind: kind}), `patterns_by_kind (kind=? AND rate<?)`, 0},
		{"patterns of a type", patterns(store.PatternQuery{SectionType: sectionType}), `patterns_by_type (section_type=? AND rate<?)`, 0},
		{
			"patterns of a kind and a type", patterns(store.PatternQuery{Kind: kind, SectionType: sectionType, MinRate: 0.8, MinTotal: 3}),
			`patterns_by_type_and_kind (section_type=? AND kind=? AND rate>? AND rate<?)`, 0,
		},
		{
			"patterns of a kind, a type and a context", patterns(store.PatternQuery{Kind: kind, SectionType: sectionType, Context: new(""), MinRate: 0.8}),
			`patterns_by_part (section_type=? AND kind=? AND context_key=? AND rate>? AND rate<?)`, 0,
		},
		{"patterns of a context", patterns(store.PatternQuery{SectionType: sectionType, Context: new("")}), `patterns_by_context (context_key=? AND rate<?)`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Contains(t, test.plan, `INDEX `+test.step)
			assert.NotRegexp(t, `SCAN k|LAST TERM`, test.plan)
			assert.Equal(t, test.sorts, strings.Count(test.plan, `TEMP B-TREE`), test.plan)
		})
	}
}

// Judgements are read in the order of their times; only those of one instant are sorted.
func TestJudgementsAreReadByIndexes(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	for step, query := range map[string]store.JudgementQuery{
		`SCAN k USING INDEX verdicts_by_time`:                       {},
		`SEARCH k USING INDEX verdicts_by_time (at>?)`:              {Since: &noon},
		`SEARCH k USING INDEX verdicts_by_judge (judge=?)`:          {Judge: new("j")},
		`SEARCH k USING INDEX verdicts_by_judge (judge=? AND at>?)`: {Judge: new("j"), Since: &noon},
	} {
		find, w := judgementsPage(&query, &store.Page{})
		plan := tenant.planOf(t, find, append(w.Args, db.Arg("limit", 3)))
		assert.Contains(t, plan, step)
		assert.Equal(t, strings.Count(plan, `TEMP B-TREE FOR LAST TERM`), strings.Count(plan, `TEMP B-TREE`), plan)
	}
	assert.Contains(t, tenant.planOf(t, distinctNames[store.Judges], nil), `SEARCH k USING COVERING INDEX verdicts_by_judge (judge>?)`)
	for step, sql := range map[string]string{
		`verdicts_by_run (run=?)`:         judgementsOfRuns,
		`verdicts_by_section (section=?)`: judgementsOfSections,
	} {
		assert.Contains(t, tenant.planOf(t, sql, []driver.NamedValue{db.Arg("keys", "[]")}), step)
	}
	assert.Contains(t, tenant.planOf(t, judgementsOfRun, []driver.NamedValue{db.Arg("run", 1)}), `verdicts_by_run (run=?)`)
	assert.Contains(t, tenant.planOf(t, setTotals, []driver.NamedValue{db.Arg("key", "verse"), db.Arg("type", "verse"), db.Arg("context_key", "")}),
		`patterns_by_part (section_type=? AND kind=? AND context_key=?)`)
}

// A page of episodes is read in the order of an index until it is full, whatever the filter leaves out on the way.
func TestPagesOfEpisodesAreReadByIndexes(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	failure, low := memory.OutcomeFailure, -0.5
	for name, filter := range map[string]store.EpisodeFilter{
		"all": {}, "an outcome": {Outcome: &failure}, "feedback": {MinFeedback: &low}, "an outcome and feedback": {Outcome: &failure, MaxFeedback: &low},
		"a canvas": {CanvasType: new("charts")}, "an outcome and a canvas": {Outcome: &failure, CanvasType: new("charts")},
		"an outcome of an agent": {Agent: new("a"), Outcome: &failure}, "an outcome of a time": {Since: &noon, Outcome: &failure},
	} {
		for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst} {
			for _, after := range []*store.Position{nil, {At: noon, Key: "k", Value: new(0.5)}} {
				if order == memory.BestFeedbackFirst && (filter.Agent != nil || filter.Since != nil || filter.CanvasType != nil) { // which is what leaves few
					continue
				}
				find, w := episodesPage(&store.EpisodeQuery{Filter: filter, Order: order}, &store.Page{After: after})
				plan := tenant.planOf(t, find, append(w.Args, db.Arg("limit", 3)))
				assert.Regexp(t, `(SCAN|SEARCH) e USING (COVERING )?INDEX episodes_(by_time|by_agent|by_feedback|boosted)`, plan, name)
				assert.Contains(t, plan, `LAST TERM OF ORDER BY`, name)
				switch {
				case order != memory.BestFeedbackFirst || after == nil:
				case filter.MinFeedback != nil || filter.MaxFeedback != nil:
					assert.Contains(t, plan, `episodes_by_feedback (feedback_order>? AND (feedback_order,started_at)<(?,?))`, "within the bounds, too")
				default:
					assert.Contains(t, plan, `episodes_by_feedback ((feedback_order,started_at)<(?,?))`, "from where the page before ended, also among equals")
				}
			}
		}
	}
}

// Canvases and feedback that wait, and those that do not, are told apart in an index by time.
func TestWhatWaitsIsReadByIndexes(t *testing.T) {
	t.Parallel()
	tenant := openTenant(t, t.TempDir())
	page := &store.Page{After: &store.Position{At: noon, Key: "k"}}
	for _, waiting := range []*bool{nil, new(true), new(false)} {
		find, w := canvasesPage(&store.CanvasesOf{Waiting: waiting}, page)
		canvases := tenant.planOf(t, find, append(w.Args, db.Arg("limit", 3)))
		find, w = feedbackPage(&store.FeedbackOf{Waiting: waiting}, page)
		feedback := tenant.planOf(t, find, append(w.Args, db.Arg("limit", 3)))
		for plan, step := range map[string]string{
			canvases: `SEARCH v USING COVERING INDEX canvases_by_time (created_at<?)`,
			feedback: `SEARCH f USING COVERING INDEX feedback_by_time (created_at<?)`,
		} {
			assert.Equal(t, 1, strings.Count(plan, step), plan)
			assert.Equal(t, 1, strings.Count(plan, `LAST TERM OF ORDER BY`), plan)
		}
	}
}
