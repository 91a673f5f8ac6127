package cli_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type ranked struct {
	Rank                         int
	AgentID                      string
	Score, Expertise, Confidence float64
	Profile                      *struct {
		ID, TaskType, Trend string
		ExecutionsTotal     int
	}
	Reasons []string
}

func TestAgents(t *testing.T) {
	t.Parallel()
	run := sample(t)
	ranking := decoded[[]ranked](t, run, "agents", "rank", "sales_report")
	require.NotEmpty(t, ranking)
	best := ranking[0]
	assert.Equal(t, 1, best.Rank)
	assert.Equal(t, "agent:analyst", best.AgentID)
	assert.InDelta(t, best.Expertise*best.Confidence, best.Score, 1e-9)
	assert.Equal(t, "learningProfile:analyst/sales_report", best.Profile.ID)
	assert.Positive(t, best.Profile.ExecutionsTotal)
	assert.Contains(t, best.Reasons[0], "expertise")
	chosen := decoded[ranked](t, run, "agents", "select", "sales_report")
	assert.Equal(t, best.AgentID, chosen.AgentID)
	assert.InDelta(t, best.Score, chosen.Score, 1e-6, "the clock went on")

	looked := decoded[[]struct{ Kind, Severity, Subject, Happened, Do string }](t, run, "agents", "alerts")
	for _, alert := range looked {
		assert.NotEmpty(t, alert.Do, alert)
	}
	assert.Equal(t, len(looked) == 0, strings.Contains(run("agents", "alerts").out, "Nothing to look at."))
	for _, alert := range decoded[[]struct{ Kind string }](t, run, "agents", "alerts", "--kind", "agent_cold") {
		assert.Equal(t, "AGENT_COLD", alert.Kind)
	}
	assert.Equal(t, 2, run("agents", "alerts", "--severity", "loud").status)

	told := run("agents", "rank", "sales_report")
	assert.Contains(t, told.out, "CONFIDENCE")
	assert.Contains(t, told.out, "agent:analyst")
	assert.Contains(t, told.out, best.Reasons[0])
	situated := decoded[ranked](t, run, "agents", "select", "sales_report", "--situation", "a chart of revenue")
	assert.Greater(t, len(situated.Reasons), len(best.Reasons))

	assert.Empty(t, decoded[[]ranked](t, run, "agents", "rank", "sales_report", "--as-of", "2001-01-01"))
	assert.Contains(t, run("agents", "rank", "juggling").out, "No agent has worked on juggling")
	nobody := run("agents", "select", "juggling")
	assert.Equal(t, 1, nobody.status)
	assert.Contains(t, nobody.err, "NO_AGENTS_AVAILABLE")
	explored := decoded[ranked](t, run, "agents", "select", "juggling", "--explore")
	assert.Contains(t, explored.AgentID, "agent:")
	assert.Nil(t, explored.Profile)
	assert.Contains(t, run("agents").out, "select")
	for _, wrong := range [][]string{
		{"agents", "rank"}, {"agents", "select", "a", "b"}, {"agents", "rank", "x", "--as-of", "yesterday"}, {"agents", "rank", "x", "--as-of", "1969-12-31"}, {"agents", "rank", "x", "--explore"},
	} {
		assert.Equal(t, 2, run(wrong...).status, wrong)
	}
	for at, said := range map[string]string{
		"yesterday": "must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01", "2026-03-01T25:00:00Z": "or a day such as",
		"1969-12-31": `flag: must be from 1970-01-01`, "1969-12-31T23:59:59Z": `flag: must be from 1970-01-01`,
	} {
		told := run("agents", "rank", "x", "--as-of", at).err
		assert.Contains(t, told, said)
		assert.Equal(t, strings.Contains(said, "a day"), strings.Contains(told, "a day"), told)
	}
}

func TestAnalyze(t *testing.T) {
	t.Parallel()
	run := sample(t)
	type pattern struct {
		ID, Kind, Description, SectionType string
		IssueCode                          *string
		Context                            map[string]any
		Rate                               float64
		Total                              int
	}
	type analysis struct {
		Judges []struct {
			JudgeID        string
			Verdicts       int
			ApprovalRate   float64
			AverageScore   *float64
			Calibration    struct{ Leniency, Reason string }
			HumanAgreement *struct{ Labelled int }
		}
		TopFailures, SuccessRates []pattern
	}
	all := decoded[analysis](t, run, "judges", "analyze", "--min-sections", "2")
	require.Len(t, all.Judges, 1)
	critic := all.Judges[0]
	assert.Equal(t, "report-critic", critic.JudgeID)
	assert.Equal(t, 35, critic.Verdicts)
	assert.InDelta(t, 24.0/35, critic.ApprovalRate, 1e-9)
	assert.InDelta(t, 264.6/35, *critic.AverageScore, 1e-9)
	assert.Equal(t, "BALANCED", critic.Calibration.Leniency)
	assert.Equal(t, 21, critic.HumanAgreement.Labelled)
	require.NotEmpty(t, all.TopFailures)
	worst := all.TopFailures[0]
	assert.Equal(t, "UNREADABLE_CHART", *worst.IssueCode)
	assert.Equal(t, "DONT", worst.Kind)
	assert.InDelta(t, 2.0/3, worst.Rate, 1e-9)
	require.NotEmpty(t, all.SuccessRates)
	assert.Equal(t, "DO", all.SuccessRates[0].Kind)
	for _, success := range all.SuccessRates {
		assert.GreaterOrEqual(t, success.Total, 2)
	}

	told := run("judges", "analyze", "--min-sections", "2").out
	for _, says := range []string{"report-critic", "69%", "67%", "UNREADABLE_CHART: A pie", "sorted bars", "finds fault most with CHART"} {
		assert.Contains(t, told, says)
	}
	assert.Contains(t, told, "approving scores from 8.4 on would in 100%")
	run("judges", "apply", "--judge", "report-critic", "--section-type", "summary", "--threshold", "8")
	run("judges", "apply", "--judge", "report-critic", "--section-type", "summary", "--remove")
	of := []string{"judges", "apply", "--judge", "report-critic", "--section-type", "chart"}
	assert.Contains(t, run(append(of, "--threshold", "8.5")...).out, "a score of 8.50 or more would have approved them")
	assert.Contains(t, run("judges", "analyze").out, "a threshold of 8.5 is applied to chart since ")
	assert.Contains(t, run(append(of, "--remove")...).out, "No threshold is applied to report-critic for sections of the type chart")
	assert.NotContains(t, run("judges", "analyze").out, "is applied")
	board := decoded[analysis](t, run, "judges", "analyze", "--section-type", "summary", "--context", `{"audience": "board"}`)
	require.Len(t, board.SuccessRates, 1)
	assert.Equal(t, "summary", board.SuccessRates[0].SectionType)
	assert.Equal(t, map[string]any{"audience": "board"}, board.SuccessRates[0].Context)
	for _, pattern := range slices.Concat(all.SuccessRates, all.TopFailures) {
		assert.Empty(t, pattern.Context, "of types as a whole")
	}
	assert.Empty(t, decoded[analysis](t, run, "judges", "analyze", "--context", `{"audience":"nobody"}`).SuccessRates)
	for _, wrong := range []string{"audience", "null", "{"} {
		refused := run("judges", "analyze", "--context", wrong)
		assert.Equal(t, 2, refused.status, wrong)
		assert.Contains(t, refused.err, "context", wrong)
	}
	late := decoded[analysis](t, run, "judges", "analyze", "--since", "2999-01-01", "--judge", "report-critic")
	assert.Zero(t, late.Judges[0].Verdicts)
	assert.Empty(t, late.TopFailures)
	assert.NotContains(t, run("judges", "analyze", "--since", "2999-01-01", "--judge", "report-critic").err, "does not exist")
	assert.Contains(t, run("judges", "analyze", "--judge", "somebody").err, "does not exist")
	assert.Contains(t, run("judges", "analyze", "--min-sections", "50").out, "no approach over 50 or more sections")

	none := mneme(t, nil, "", "judges", "analyze", "--data", beginning(t))
	assert.Zero(t, none.status, none.err)
	assert.Contains(t, none.out, "No judge has given a verdict")
	assert.Contains(t, run("judges").out, "analyze")
	assert.Equal(t, 2, run("judges", "analyze", "now").status)
}
