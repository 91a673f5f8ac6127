package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type issue struct {
	Code          string
	Area, Message *string
}

type verdict struct {
	ID                         string
	Run                        struct{ ID string }
	Section                    struct{ ID, Name string }
	SectionType, Status        string
	Context                    map[string]any
	Label                      *bool
	LabelledBy, JudgeID        *string
	Score, Threshold           *float64
	ThresholdApproves          *bool
	Iteration                  int
	Issues                     []issue
	Feedback                   *string
	Strengths, Fixes, Patterns []string
	Plan                       any
	At                         time.Time
}

const wholeVerdict = `id run { id } section { id name } sectionType context label labelledBy judgeId status score threshold thresholdApproves iteration
	issues { code area message fix } feedback strengths fixes patterns plan receipt { tokensBefore tokensAfter redactions { kind count } } at`

type ruling struct {
	Verdict         verdict
	RevisionRequest *struct {
		FocusAreas, SpecificFixes, Avoid []string
		ContextForPlanner                string
	}
	Feedback string
}

// ruled records a verdict of the judge "critic".
func (w *world) ruled(t *testing.T, id, run, section string, iteration int, status string, more vars) ruling {
	t.Helper()
	input := vars{"id": id, "runId": run, "sectionId": section, "sectionType": "verse", "judgeId": "critic", "iteration": iteration, "status": status}
	for key, value := range more {
		input[key] = value
	}
	var payload ruling
	w.do(t, "recordVerdict", "verdict { "+wholeVerdict+" } revisionRequest { focusAreas specificFixes avoid contextForPlanner } feedback", input, &payload)
	return payload
}

type guidance struct {
	Warnings, Dos, Donts []string
	Patterns             []pattern
	PromptBlock          string
}

type pattern struct {
	ID, Kind, Description, SectionType string
	IssueCode                          *string
	Context                            map[string]any
	Mined                              bool
	Rate                               float64
	Total                              int
	AvgScore, AvgRecoveryIterations    *float64
	LastSeen                           time.Time
}

const wholePattern = `id kind description issueCode sectionType context mined rate total avgScore avgRecoveryIterations lastSeen`

func (w *world) guidance(t *testing.T, arguments vars) guidance {
	t.Helper()
	var data struct{ Guidance guidance }
	w.ask(t, `query ($runId: ID, $sectionId: ID, $sectionType: String!, $context: JSON) {
		guidance(runId: $runId, sectionId: $sectionId, sectionType: $sectionType, context: $context) { warnings dos donts patterns { `+wholePattern+` } promptBlock }
	}`, arguments, &data)
	return data.Guidance
}

const mismatch = "TEMPLATE_LANE_MISMATCH"

// testFourSections replays a run section by section: what the first ones taught the later ones are told.
func testFourSections(t *testing.T, w *world) {
	before := func(section, kind, energy string) guidance {
		t.Helper()
		return w.guidance(t, vars{"runId": "song", "sectionId": section, "sectionType": kind, "context": vars{"energy": energy}})
	}
	high, medium := vars{"energy": "high"}, vars{"energy": "medium"}

	nothing := before("intro", "intro", "medium")
	assert.Equal(t, guidance{Warnings: []string{}, Dos: []string{}, Donts: []string{}, Patterns: []pattern{}}, nothing)
	first := w.ruled(t, "v1", "song", "intro", 0, "APPROVE", vars{
		"sectionType": "intro", "context": medium, "score": 8.5, "patterns": []string{"gtpl_base_glow_warm for BASE"}, "at": after(0),
	})
	assert.Nil(t, first.RevisionRequest)
	assert.Empty(t, first.Feedback)

	const intro = "✓ SUCCESSFUL PATTERN: Section 'intro' (score 8.5) in another context (energy is medium; nothing nearer worked so far) " +
		"used these approaches: gtpl_base_glow_warm for BASE"
	assert.Equal(t, []string{intro}, before("verse_1", "verse", "high").Warnings, "its context is another, which is said")
	failed := w.ruled(t, "v2", "song", "verse_1", 0, "SOFT_FAIL", vars{
		"context": high, "score": 6.2, "feedback": "BASE lane should use gtpl_base_*", "fixes": []string{"swap the template"}, "strengths": []string{"energy curve"},
		"issues": []vars{{"code": mismatch, "area": "LANES", "message": "BASE lane has a RHYTHM template"}}, "plan": vars{"lanes": 3}, "at": after(1),
	})
	assert.Equal(t, "Feedback 1 (iteration 0, judge_soft_failure): BASE lane should use gtpl_base_*", failed.Feedback)
	require.NotNil(t, failed.RevisionRequest)
	assert.Equal(t, []string{"LANES"}, failed.RevisionRequest.FocusAreas)
	assert.Equal(t, []string{"swap the template"}, failed.RevisionRequest.SpecificFixes)
	assert.Equal(t, []string{"Keep: energy curve"}, failed.RevisionRequest.Avoid)
	assert.Equal(t, "BASE lane should use gtpl_base_*", failed.RevisionRequest.ContextForPlanner)
	assert.Equal(t, "section:song/verse_1", failed.Verdict.Section.ID)
	assert.Contains(t, before("verse_1", "verse", "high").PromptBlock, "# Iteration 2 - Refinement Feedback\n"+
		"Feedback 1 (iteration 0, judge_soft_failure): BASE lane should use gtpl_base_*\nFix: swap the template\nKeep: energy curve\nFocus on: LANES")

	const once = "⚠️ ISSUE: '" + mismatch + "' occurred in verse_1: BASE lane has a RHYTHM template"
	assert.Equal(t, []string{once, intro}, before("chorus_1", "chorus", "high").Warnings)
	w.ruled(t, "v3", "song", "chorus_1", 0, "APPROVE", vars{
		"sectionType": "chorus", "context": high, "score": 8.2, "patterns": []string{"gtpl_rhythm_pulse for RHYTHM"}, "at": after(2),
	})
	const success = "✓ SUCCESSFUL PATTERN: Section 'chorus_1' (score 8.2) with similar energy used these approaches: gtpl_rhythm_pulse for RHYTHM"
	told := before("verse_2", "verse", "high")
	assert.Equal(t, []string{once, success}, told.Warnings)
	assert.Contains(t, told.PromptBlock, "# Cross-Section Warnings (from this run)")
	w.ruled(t, "v4", "song", "verse_2", 0, "APPROVE", vars{"context": high, "score": 8.0, "at": after(3)})

	w.ruled(t, "v5", "song", "bridge", 0, "SOFT_FAIL", vars{"sectionType": "bridge", "context": high, "score": 6, "issues": []vars{{"code": mismatch}}, "at": after(4)})
	const recurring = "⚠️ RECURRING ISSUE: '" + mismatch + "' has occurred in 2 previous sections. Review validator rules carefully."
	const says = recurring + " BASE lane has a RHYTHM template"
	assert.Equal(t, []string{says, success}, before("outro", "outro", "high").Warnings)
	w.ruled(t, "v6", "song", "verse_1", 1, "APPROVE", vars{"context": high, "score": 7, "at": after(5)})
	assert.Equal(t, []string{says + "; fixed in verse_1 by swap the template", success}, before("outro", "outro", "high").Warnings, "a lesson stays")
}

// testHistory folds runs into history, once each, and reads all that they became.
func testHistory(t *testing.T, w *world) {
	for i, run := range []string{"one", "two", "three"} {
		at := after(60 * i)
		w.ruled(t, run+"-1", run, "verse", 0, "SOFT_FAIL", vars{"score": 5, "issues": []vars{{"code": "DARK", "area": "LIGHT", "message": "too dark"}}, "at": at})
		w.ruled(t, run+"-2", run, "verse", 1, "APPROVE", vars{"score": 8.5, "patterns": []string{"warm glow"}, "context": vars{"energy": "high"}, "at": at.Add(time.Second)})
		for _, patterns := range []int{4, 0} { // the second time it changes nothing
			var payload struct{ Sections, PatternsUpdated int }
			w.do(t, "completeRun", "sections patternsUpdated", vars{"runId": run}, &payload)
			assert.Equal(t, []int{1, patterns}, []int{payload.Sections, payload.PatternsUpdated})
		}
	}
	told := w.guidance(t, vars{"sectionType": "verse", "context": vars{"energy": "high"}})
	assert.Equal(t, []string{"DO warm glow (success rate: 100%, avg score: 8.5)"}, told.Dos)
	assert.Equal(t, []string{"DON'T too dark (fails 100% of time with DARK)"}, told.Donts)
	require.Len(t, told.Patterns, 2)
	assert.Nil(t, told.Patterns[0].Context, "it is so of all verses")
	assert.InDelta(t, 1, *told.Patterns[1].AvgRecoveryIterations, 1e-9)
	assert.Equal(t, "DARK", *told.Patterns[1].IssueCode)
	testJudgedLists(t, w, told)
}

// testSeparatedContexts: of ten verses of high energy seven fail, ten calm ones pass.
func testSeparatedContexts(t *testing.T, w *world) {
	for i := range 20 {
		status, context, issues := "APPROVE", vars{"energy": "calm", "tempo": 120}, []vars{}
		if i < 10 {
			context = vars{"energy": "high", "tempo": 120}
		}
		if i < 7 {
			status, issues = "SOFT_FAIL", []vars{{"code": "LANES", "message": "BASE uses gtpl_base_* only"}}
		}
		approach := map[bool]string{true: "short lines", false: "long vowels"}[i < 10]
		w.ruled(t, fmt.Sprint("v", i), "song", fmt.Sprint("s", i), 0, status, vars{
			"context": context, "issues": issues, "patterns": []string{"a warm glow", approach}, "score": 8,
		})
	}
	var payload struct{ Sections int }
	w.do(t, "completeRun", "sections", vars{"runId": "song"}, &payload)
	assert.Equal(t, 20, payload.Sections)
	for _, context := range []vars{nil, {"energy": "high"}, {"energy": "high", "tempo": 120.0, "key": "A"}} {
		told := w.guidance(t, vars{"sectionType": "verse", "context": context})
		assert.Equal(t, []string{"DON'T: BASE uses gtpl_base_* only (fails 70% of time with LANES, where energy is high)"}, told.Donts, context)
		last := told.Patterns[len(told.Patterns)-1]
		assert.Equal(t, map[string]any{"energy": "high"}, last.Context)
		assert.Equal(t, 10, last.Total)
	}
	for _, context := range []vars{{"energy": "calm"}, {"tempo": 120}} {
		assert.Empty(t, w.guidance(t, vars{"sectionType": "verse", "context": context}).Donts, context)
	}
	calm := []string{
		"DO: a warm glow (success rate: 100%, avg score: 8.0, where energy is calm)", "DO long vowels (success rate: 100%, avg score: 8.0, where energy is calm)",
	}
	seen := "DO long vowels (success rate: 100%, avg score: 8.0, seen only where energy is calm)"
	for _, test := range []struct {
		context vars
		want    []string
	}{
		{nil, calm}, {vars{"energy": "calm"}, calm}, {vars{"energy": "calm", "tempo": 120, "key": "A"}, calm},
		{vars{"energy": "high"}, nil}, {vars{"energy": "high", "key": "A"}, nil},
		{vars{"energy": "low"}, []string{seen}}, {vars{"tempo": 120}, []string{seen}},
	} {
		told := w.guidance(t, vars{"sectionType": "verse", "context": test.context})
		assert.ElementsMatch(t, test.want, told.Dos, test.context)
		for i := range told.Dos {
			assert.Equal(t, map[string]any{"energy": "calm"}, told.Patterns[i].Context, "a program reads where it was seen, too")
		}
	}
}

// testWatchingJudges: each issue keeps its own message and fix, and a judge that grows stricter is told of.
func testWatchingJudges(t *testing.T, w *world) {
	asked := w.ruled(t, "v0", "song", "intro", 0, "SOFT_FAIL", vars{"fixes": []string{"Do it again"}, "at": after(0), "feedback": "Three things are wrong.", "issues": []vars{
		{"code": "LATE", "message": "starts late", "fix": "Start on the beat"}, {"code": "LOUD", "message": "drowns the voice", "fix": "Turn it down"}, {"code": "LONG"},
	}})
	assert.Equal(t, []string{"Do it again", "Start on the beat", "Turn it down"}, asked.RevisionRequest.SpecificFixes)
	w.ruled(t, "v1", "song", "intro", 1, "APPROVE", vars{"at": after(1)})
	assert.Equal(t, []string{
		"⚠️ ISSUE: 'LATE' occurred in intro: starts late; fixed in intro by Start on the beat",
		"⚠️ ISSUE: 'LOUD' occurred in intro: drowns the voice; fixed in intro by Turn it down",
		"⚠️ ISSUE: 'LONG' occurred in intro: Three things are wrong; fixed in intro after 1 more iteration",
	}, w.guidance(t, vars{"runId": "song", "sectionId": "outro", "sectionType": "verse"}).Warnings)
	for i := range 3 {
		w.ruled(t, fmt.Sprint("s", i), "song", fmt.Sprint("verse_", i), 0, "SOFT_FAIL", vars{"at": after(2), "feedback": "It is too long.", "issues": []vars{{"code": "LONG"}}})
	}
	w.do(t, "completeRun", "sections", vars{"runId": "song"}, nil)
	donts := w.guidance(t, vars{"sectionType": "verse"}).Donts
	require.Len(t, donts, 1)
	assert.Equal(t, "DON'T: It is too long (fails 100% of time with LONG)", donts[0])
	w.do(t, "deleteVerdict", "deletedId", vars{"id": "s2"}, nil)
	assert.Equal(t, "DON'T: LONG (fails 100% of time with LONG)", w.guidance(t, vars{"sectionType": "verse"}).Donts[0], "what was said goes with the verdict")

	for i := range 40 {
		status := "APPROVE"
		if i >= 28 {
			status = "HARD_FAIL"
		}
		w.ruled(t, fmt.Sprint("j", i), "jam", fmt.Sprint("verse_", i), 0, status, vars{"judgeId": "strict", "at": daysAgo(20 - i/2)})
	}
	var data struct {
		Alerts []struct{ Subject, Happened string }
	}
	w.ask(t, `{ alerts(kind: JUDGE_SHIFTS) { subject happened } }`, nil, &data)
	require.Len(t, data.Alerts, 1)
	assert.Equal(t, "judge strict", data.Alerts[0].Subject)
	assert.Equal(t, "became stricter: it approved 100% of the older 20 verdicts, 40% of the newer 20", data.Alerts[0].Happened)
}

// testMinedPlans learns from plans that name no approach what separated the approved ones from the refused.
func testMinedPlans(t *testing.T, w *world) {
	for i, run := range []string{"one", "two", "three"} {
		w.ruled(t, run+"-1", run, "verse", 0, "SOFT_FAIL", vars{"plan": vars{"tempo": 90 + i, "lanes": []vars{{"template": "pulse"}}, "key": "A"}})
		w.ruled(t, run+"-2", run, "verse", 1, "APPROVE", vars{"score": 8.5, "plan": vars{"tempo": 120, "lanes": []vars{{"template": "glow"}}, "key": "A"}})
		if run == "three" { // it worked before, and not here
			w.ruled(t, run+"-3", run, "outro", 0, "HARD_FAIL", vars{"plan": vars{"tempo": 120}})
		}
		for _, patterns := range []int{2, 0} {
			var payload struct{ PatternsUpdated int }
			w.do(t, "completeRun", "patternsUpdated", vars{"runId": run}, &payload)
			assert.Equal(t, patterns, payload.PatternsUpdated, run)
		}
	}
	told := w.guidance(t, vars{"sectionType": "verse"})
	assert.Equal(t, []string{"DO set lanes[].template to glow (mined from plans; success rate: 100%, avg score: 8.5)"}, told.Dos)
	require.Len(t, told.Patterns, 1)
	assert.True(t, told.Patterns[0].Mined)
	var data struct{ Patterns struct{ Nodes []pattern } }
	w.ask(t, `{ patterns(sectionType: "verse") { nodes { `+wholePattern+` } } }`, nil, &data)
	require.Len(t, data.Patterns.Nodes, 2, "what was refused and approved alike says nothing")
	tempo := data.Patterns.Nodes[1]
	assert.Equal(t, "set tempo to 120", tempo.Description)
	assert.Equal(t, 4, tempo.Total)
	assert.InDelta(t, 0.75, tempo.Rate, 1e-9, "a refusal counts against what is known")

	w.ruled(t, "named", "four", "verse", 0, "APPROVE", vars{"patterns": []string{"set lanes[].template to glow"}})
	w.do(t, "completeRun", "sections", vars{"runId": "four"}, nil)
	assert.False(t, w.guidance(t, vars{"sectionType": "verse"}).Patterns[0].Mined, "since a verdict named it")
}

type section struct {
	ID, Name, SectionType string
	Run                   struct{ ID string }
	Context               map[string]any
	FinalScore            *float64
	Iterations            int
	Approved              bool
	Issues                []issue
	Patterns              []string
	Verdicts              []verdict
}

type run struct {
	ID                     string
	Sections               []section
	StartedAt, CompletedAt time.Time
}

const wholeRun = `id startedAt completedAt sections { id name run { id } sectionType context finalScore iterations approved
	issues { code area message } patterns verdicts { id iteration } }`

func testJudgedLists(t *testing.T, w *world, told guidance) {
	var data struct {
		Runs struct {
			TotalCount int
			Nodes      []run
			Edges      []struct {
				Cursor string
				Node   run
			}
			PageInfo struct{ HasNextPage bool }
		}
		Verdicts, OfRun, OfContext struct {
			TotalCount int
			Nodes      []verdict
			Edges      []struct{ Node verdict }
			PageInfo   struct{ HasNextPage bool }
		}
		Patterns, OfHigh, Donts struct {
			TotalCount int
			Nodes      []pattern
			Edges      []struct{ Node pattern }
		}
		Judges []string
		Nodes  []*struct {
			Typename string `json:"__typename"`
			ID       string
		}
	}
	w.ask(t, `query ($ids: [ID!]!) {
		runs(first: 2) { totalCount nodes { `+wholeRun+` } edges { cursor node { id } } pageInfo { hasNextPage } }
		verdicts(judgeId: "critic", sectionType: "verse", first: 3) { totalCount nodes { `+wholeVerdict+` } edges { cursor node { id } } pageInfo { endCursor } }
		ofRun: verdicts(runId: "run:one") { totalCount nodes { id } }
		ofContext: verdicts(context: { energy: "high" }, sectionType: "verse", first: 1) { totalCount nodes { id context } pageInfo { hasNextPage } }
		patterns { totalCount nodes { `+wholePattern+` } edges { cursor node { id } } pageInfo { endCursor } }
		ofHigh: patterns(context: { energy: "high" }) { totalCount nodes { id context } }
		donts: patterns(kind: DONT, sectionType: "verse") { totalCount nodes { id } }
		judges
		nodes(ids: $ids) { __typename id }
	}`, vars{"ids": []string{"run:one", "section:one/verse", "verdict:one-1", "verdict:none", "pattern:none"}}, &data)
	assert.Equal(t, 3, data.Runs.TotalCount)
	require.Len(t, data.Runs.Nodes, 2)
	assert.Equal(t, "run:three", data.Runs.Nodes[0].ID, "the newest first")
	assert.True(t, data.Runs.PageInfo.HasNextPage)
	assert.Equal(t, after(120), data.Runs.Nodes[0].StartedAt)
	assert.Equal(t, now, data.Runs.Nodes[0].CompletedAt)
	require.Len(t, data.Runs.Nodes[0].Sections, 1)
	verse := data.Runs.Nodes[0].Sections[0]
	assert.Equal(t, []any{"section:three/verse", "verse", "run:three", 2, true}, []any{verse.ID, verse.Name, verse.Run.ID, verse.Iterations, verse.Approved})
	assert.InDelta(t, 8.5, *verse.FinalScore, 1e-9)
	assert.Empty(t, verse.Issues)
	require.Len(t, verse.Verdicts, 2)
	assert.Equal(t, "verdict:three-1", verse.Verdicts[0].ID)
	assert.Equal(t, 6, data.Verdicts.TotalCount)
	assert.Equal(t, "verdict:three-2", data.Verdicts.Nodes[0].ID)
	assert.Equal(t, 2, data.OfRun.TotalCount)
	require.Len(t, data.OfContext.Nodes, 1)
	assert.Equal(t, data.OfContext.TotalCount > 1, data.OfContext.PageInfo.HasNextPage)
	assert.Equal(t, map[string]any{"energy": "high"}, data.OfContext.Nodes[0].Context)
	assert.Equal(t, 4, data.Patterns.TotalCount, "of all verses, and of those with high energy")
	require.Len(t, data.Donts.Nodes, 2)
	require.Len(t, data.OfHigh.Nodes, 2)
	assert.Equal(t, 2, data.OfHigh.TotalCount)
	for _, of := range data.OfHigh.Nodes {
		assert.Equal(t, map[string]any{"energy": "high"}, of.Context)
	}
	assert.Equal(t, []string{"critic"}, data.Judges)
	for i, name := range []string{"Run", "Section", "Verdict"} {
		assert.Equal(t, name, data.Nodes[i].Typename)
	}
	assert.Nil(t, data.Nodes[3])
	assert.Nil(t, data.Nodes[4])
	var next struct{ Runs struct{ Nodes []run } }
	w.ask(t, `query ($after: String) { runs(after: $after) { nodes { id } } }`, vars{"after": data.Runs.Edges[1].Cursor}, &next)
	require.Len(t, next.Runs.Nodes, 1)
	assert.Equal(t, "run:one", next.Runs.Nodes[0].ID)
	var around struct {
		Neighbourhood struct {
			Nodes []struct{ Node struct{ ID string } }
		}
	}
	w.ask(t, `query ($id: ID!) { neighbourhood(id: $id, depth: 2, relations: ["LEARNED_FROM", "IN_RUN"]) { nodes { node { id } } } }`,
		vars{"id": told.Patterns[0].ID}, &around)
	assert.Len(t, around.Neighbourhood.Nodes, 8, "the pattern, its three sections, their runs, and the other pattern of theirs")
}

// testRunsAtOnce: a run that many callers complete at the same time is folded once.
func testRunsAtOnce(t *testing.T, w *world) {
	w.ruled(t, "v", "song", "verse", 0, "APPROVE", vars{"patterns": []string{"warm glow"}, "score": 9})
	inParallel(8, 16, func(int) {
		answer := w.post(t, mutationOf("completeRun", "sections"), vars{"input": vars{"runId": "song"}})
		assert.Empty(t, answer.Errors)
	})
	var data struct{ Patterns struct{ Nodes []pattern } }
	w.ask(t, `{ patterns { nodes { total } } }`, nil, &data)
	require.Len(t, data.Patterns.Nodes, 1)
	assert.Equal(t, 1, data.Patterns.Nodes[0].Total)
}

func testJudges(t *testing.T, w *world) {
	for i, id := range []string{"a", "b", "c", "d"} {
		status, area := "APPROVE", "LIGHT"
		if i%2 == 1 {
			status, area = "HARD_FAIL", "TIMING"
		}
		w.ruled(t, id, "song", id, 0, status, vars{"score": 4 + i, "at": after(i), "issues": []vars{{"code": "X", "area": area}}})
	}
	w.ruled(t, "rule", "song", "a", 1, "VALIDATION_FAIL", vars{"judgeId": nil})
	for id, approve := range map[string]bool{"a": true, "b": true, "d": false} {
		var labelled struct{ Verdict verdict }
		w.do(t, "labelVerdict", "verdict { id label labelledBy }", vars{"verdictId": id, "approve": approve, "labelledBy": "ann"}, &labelled)
		assert.Equal(t, approve, *labelled.Verdict.Label)
		assert.Equal(t, "ann", *labelled.Verdict.LabelledBy)
	}
	var data struct {
		JudgeTendencies, Later struct {
			JudgeID                   string
			Verdicts                  int
			AverageScore, ScoreStdDev *float64
			ApprovalRate              float64
			CommonCritiqueAreas       []string
			ScoreBySectionType        []struct {
				SectionType  string
				AverageScore float64
				Count        int
			}
			Calibration struct {
				Leniency, Reason  string
				ProposedThreshold *float64
			}
			HumanAgreement *struct {
				Labelled                                             int
				Agreement                                            float64
				Kappa, KappaLow, KappaHigh, Precision, Recall, Drift *float64
			}
		}
	}
	w.ask(t, `query ($since: DateTime) {
		judgeTendencies(judgeId: "critic") { judgeId verdicts averageScore scoreStdDev approvalRate commonCritiqueAreas
			scoreBySectionType { sectionType averageScore count } calibration { leniency proposedThreshold reason }
			humanAgreement { labelled agreement kappa kappaLow kappaHigh precision recall drift } }
		later: judgeTendencies(judgeId: "critic", since: $since) { verdicts }
	}`, vars{"since": after(2)}, &data)
	tends := data.JudgeTendencies
	assert.Equal(t, 4, tends.Verdicts)
	assert.Equal(t, 2, data.Later.Verdicts)
	assert.InDelta(t, 5.5, *tends.AverageScore, 1e-9)
	assert.InDelta(t, 1.118033988749895, *tends.ScoreStdDev, 1e-9)
	assert.InDelta(t, 0.5, tends.ApprovalRate, 1e-9)
	assert.Equal(t, []string{"LIGHT", "TIMING"}, tends.CommonCritiqueAreas)
	assert.Equal(t, "UNKNOWN", tends.Calibration.Leniency)
	assert.Equal(t, 3, tends.HumanAgreement.Labelled)
	assert.InDelta(t, 2.0/3, tends.HumanAgreement.Agreement, 1e-9)
	assert.InDelta(t, 0.5, *tends.HumanAgreement.Recall, 1e-9)
	require.Len(t, tends.ScoreBySectionType, 1)
	assert.Equal(t, 4, tends.ScoreBySectionType[0].Count)
}

// testJudgeThresholds applies a threshold that people's labels propose, and watches what it would decide.
func testJudgeThresholds(t *testing.T, w *world) {
	ruled := func(from, n int, score float64, status string, label any) {
		for i := from; i < from+n; i++ {
			id := fmt.Sprintf("v%02d", i)
			w.ruled(t, id, "song", id, 0, status, vars{"score": score, "at": after(i)})
			if label != nil {
				w.do(t, "labelVerdict", "verdict { id }", vars{"verdictId": id, "approve": label}, nil)
			}
		}
	}
	ruled(0, 8, 9, "APPROVE", true)
	ruled(8, 6, 7, "SOFT_FAIL", true) // which people would approve
	var disagreed struct {
		Verdicts struct {
			TotalCount int
			Nodes      []struct{ Score float64 }
			PageInfo   struct{ HasNextPage bool }
		}
	}
	w.ask(t, `{ verdicts(disagreed: true, judgeId: "critic", first: 4) { totalCount nodes { score } pageInfo { hasNextPage } } }`, nil, &disagreed)
	assert.Equal(t, 6, disagreed.Verdicts.TotalCount)
	require.Len(t, disagreed.Verdicts.Nodes, 4)
	assert.InDelta(t, 7, disagreed.Verdicts.Nodes[0].Score, 0)
	assert.True(t, disagreed.Verdicts.PageInfo.HasNextPage)
	type trial struct {
		Verdicts, WouldApprove, WouldReject, Labelled int
		Agreement, JudgeAgreement                     *float64
	}
	type threshold struct {
		JudgeID     string
		SectionType *string
		Threshold   *float64
		At          time.Time
	}
	tendencies := func() (of struct {
		ThresholdProposal struct {
			Threshold, Agreement, JudgeAgreement *float64
			Labelled, WouldApprove, WouldReject  int
			Reason                               string
		}
		Thresholds     []threshold
		ThresholdTrial *trial
	}) {
		var data struct{ JudgeTendencies any }
		data.JudgeTendencies = &of
		w.ask(t, `{ judgeTendencies(judgeId: "critic") { thresholdProposal { threshold labelled agreement judgeAgreement wouldApprove wouldReject reason }
			thresholds { judgeId sectionType threshold at } thresholdTrial { verdicts wouldApprove wouldReject labelled agreement judgeAgreement } } }`, nil, &data)
		return of
	}
	before := tendencies()
	assert.Nil(t, before.ThresholdProposal.Threshold)
	assert.Equal(t, "14 verdicts with a score are labelled so far; 20 are needed to propose a threshold", before.ThresholdProposal.Reason)
	assert.Empty(t, before.Thresholds)
	assert.Nil(t, before.ThresholdTrial)

	ruled(14, 6, 4, "HARD_FAIL", false)
	proposed := tendencies().ThresholdProposal
	require.NotNil(t, proposed.Threshold, proposed.Reason)
	assert.Equal(t, []float64{7, 1, 0.7}, []float64{*proposed.Threshold, *proposed.Agreement, *proposed.JudgeAgreement})
	assert.Equal(t, []int{20, 6, 0}, []int{proposed.Labelled, proposed.WouldApprove, proposed.WouldReject})

	apply := func(input vars) (applied struct{ Threshold threshold }) {
		input["judgeId"] = "critic"
		w.do(t, "applyJudgeThreshold", "threshold { judgeId sectionType threshold at }", input, &applied)
		return applied
	}
	assert.Equal(t, new(7.0), apply(vars{"threshold": 7}).Threshold.Threshold)
	apply(vars{"threshold": 8, "sectionType": "verse"})
	decided := func(id, kind string, score any, status string, label any) verdict {
		of := w.ruled(t, id, "song", id, 0, status, vars{"score": score, "sectionType": kind, "at": after(60)})
		if label != nil {
			w.do(t, "labelVerdict", "verdict { id }", vars{"verdictId": id, "approve": label}, nil)
		}
		return of.Verdict
	}
	verse, chorus := decided("x1", "verse", 7.5, "APPROVE", true), decided("x2", "chorus", 7.5, "SOFT_FAIL", true)
	assert.Equal(t, []any{"APPROVE", 8.0, false}, []any{verse.Status, *verse.Threshold, *verse.ThresholdApproves}, "the status does not follow it")
	assert.Equal(t, []any{"SOFT_FAIL", 7.0, true}, []any{chorus.Status, *chorus.Threshold, *chorus.ThresholdApproves})
	unscored := decided("x3", "chorus", nil, "APPROVE", nil)
	assert.Nil(t, unscored.ThresholdApproves)
	assert.Equal(t, &trial{Verdicts: 2, WouldApprove: 1, WouldReject: 1, Labelled: 2, Agreement: new(0.5), JudgeAgreement: new(0.5)}, tendencies().ThresholdTrial)
	assert.Len(t, tendencies().Thresholds, 2)

	apply(vars{"sectionType": "verse"})
	apply(vars{"threshold": nil})
	assert.Empty(t, tendencies().Thresholds)
	assert.Nil(t, decided("x4", "verse", 9, "APPROVE", nil).Threshold)
	again := w.ruled(t, "x1", "song", "x1", 0, "APPROVE", vars{"score": 7.5, "at": after(60)}).Verdict
	assert.Equal(t, new(8.0), again.Threshold, "sent again it is the same")
}

// testBadLearning says of each wrong input which one it is.
func testBadLearning(t *testing.T, w *world) {
	w.ruled(t, "v", "song", "verse", 0, "APPROVE", nil)
	w.executed(t, "ada", "refund", 1, 1, daysAgo(1))
	for name, test := range map[string]struct {
		query, code, field string
	}{
		"a quality above 1":             {`mutation { recordExecution(input: { agentId: "a", taskType: "t", success: true, quality: 2 }) { profile { id } } }`, "INVALID_INPUT", "quality"},
		"an episode's execution":        {`mutation { recordExecution(input: { id: "episode:e", agentId: "a", taskType: "t", success: true, quality: 1 }) { profile { id } } }`, "INVALID_INPUT", "id"},
		"other content":                 {`mutation { recordVerdict(input: { id: "v", runId: "song", sectionId: "verse", sectionType: "verse", judgeId: "critic", iteration: 1, status: APPROVE }) { feedback } }`, "CONFLICT", "id"},
		"a judge of a check":            {`mutation { recordVerdict(input: { runId: "song", sectionId: "verse", sectionType: "verse", judgeId: "critic", iteration: 1, status: VALIDATION_FAIL }) { feedback } }`, "INVALID_INPUT", "judgeId"},
		"an iteration before the first": {`mutation { recordVerdict(input: { runId: "song", sectionId: "verse", sectionType: "verse", iteration: -1, status: APPROVE }) { feedback } }`, "INVALID_INPUT", "iteration"},
		"a threshold beyond all scores": {`mutation { applyJudgeThreshold(input: { judgeId: "critic", threshold: 1e10 }) { threshold { at } } }`, "INVALID_INPUT", "threshold"},
		"a threshold of nobody":         {`mutation { applyJudgeThreshold(input: { judgeId: "", threshold: 1 }) { threshold { at } } }`, "INVALID_INPUT", "judgeId"},
		"no such run":                   {`mutation { completeRun(input: { runId: "none" }) { sections } }`, "NOT_FOUND", "runId"},
		"no such verdict":               {`mutation { labelVerdict(input: { verdictId: "none", approve: true }) { verdict { id } } }`, "NOT_FOUND", "verdictId"},
		"an empty batch":                {`mutation { recordVerdicts(input: { verdicts: [] }) { result { failed } } }`, "INVALID_INPUT", "verdicts"},
		"too many agents":               {`{ rankAgents(taskType: "refund", first: 101) { rank } }`, "INVALID_INPUT", "first"},
		"too many executions":           {`{ learningProfile(agentId: "ada", taskType: "refund") { executions(first: 101) { totalCount } } }`, "INVALID_INPUT", "first"},
		"too many runs":                 {`{ runs(first: 101) { totalCount } }`, "INVALID_INPUT", "first"},
		"too many verdicts":             {`{ verdicts(first: 101) { totalCount } }`, "INVALID_INPUT", "first"},
		"too many patterns":             {`{ patterns(first: -1) { totalCount } }`, "INVALID_INPUT", "first"},
		"a threshold above 1":           {`{ taskTypeAlerts(threshold: 1.5) { agents } }`, "INVALID_INPUT", "threshold"},
		"a section without its run":     {`{ guidance(sectionId: "verse", sectionType: "verse") { dos } }`, "INVALID_INPUT", "sectionId"},
		"too many points":               {`{ trends(bucket: HOUR, since: "2020-01-01T00:00:00Z") { at } }`, "INVALID_INPUT", "since"},
	} {
		t.Run(name, func(t *testing.T) {
			refused := w.refuse(t, test.query, nil)
			assert.Equal(t, test.code, refused.Extensions.Code, refused.Message)
			assert.Equal(t, test.field, refused.Extensions.Field, refused.Message)
		})
	}
	var batched struct{ Result batch }
	w.do(t, "recordVerdicts", "result { succeeded failed ids errors { index code field } }", vars{"verdicts": []vars{
		{"id": "w", "runId": "song", "sectionId": "verse", "sectionType": "verse", "iteration": 1, "status": "SOFT_FAIL"},
		{"runId": "song", "sectionId": "verse", "sectionType": "", "iteration": 1, "status": "SOFT_FAIL"},
	}}, &batched)
	assert.Equal(t, 1, batched.Result.Succeeded)
	assert.Equal(t, "verdict:w", *batched.Result.IDs[0])
	require.Len(t, batched.Result.Errors, 1)
	assert.Equal(t, "sectionType", batched.Result.Errors[0].Field)
}
