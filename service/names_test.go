package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mneme/service/servicetest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
)

// Two spellings of one name: a letter with its accent, and the letter and its accent apart.
const (
	composed = "caf\u00e9"
	apart    = "cafe\u0301"
)

func TestNamesHaveOneForm(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ name, form string }{
		"plain":                   {"ada", "ada"},
		"composed":                {"caf\u00e9", "caf\u00e9"},
		"apart":                   {"cafe\u0301", "caf\u00e9"},
		"out of order":            {"a\u0323\u0307", "\u1ea1\u0307"},
		"syllables":               {"\u1112\u1161\u11ab", "\ud55c"},
		"a sign of its own":       {"\u212b", "\u00c5"},
		"longer than given":       {"\u0344", "\u0308\u0301"},
		"other letters alike":     {"\ufb01", "\ufb01"}, // no compatibility forms: ﬁ is not fi
		"a joiner of the sender":  {"e\u034f\u0301", "e\u034f\u0301"},
		"thirty marks":            {"x" + strings.Repeat("\u0301", 30), "x" + strings.Repeat("\u0301", 30)},
		"marks on several places": {strings.Repeat("x\u0301\u0302", 30), strings.Repeat("x\u0301\u0302", 30)},
		"empty":                   {"", ""},
		"no UTF-8":                {"\xffe\u0301", "\xff\u00e9"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, tt.form, boundary.NameForm(tt.name))
		})
	}
}

// hasOneForm is the law of names: one has the same form in whichever spelling it is given, and that is its own form.
// Longer rows of marks than the standard takes are told apart by joiners, by the spelling.
func hasOneForm(t require.TestingT, name string) {
	form := boundary.NameForm(name)
	require.Equal(t, utf8.ValidString(name), utf8.ValidString(form))
	require.Equal(t, form, boundary.NameForm(form), "%+q", name)
	if strings.Count(form, "\u034f") > strings.Count(name, "\u034f") {
		return
	}
	for _, spelling := range []string{norm.NFD.String(name), norm.NFC.String(name)} {
		require.Equal(t, form, boundary.NameForm(spelling), "%+q %+q", name, spelling)
	}
}

func FuzzNameForm(f *testing.F) {
	for _, name := range []string{"ada", "cafe\u0301", "\ud55c", "a\u0323\u0307", "\u0344\u0345", "x" + strings.Repeat("\u0301", 31), "\xff\u0301"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) { hasOneForm(t, name) })
}

// Letters and marks that come together, in long rows too.
func TestNamesOfManyMarksHaveOneForm(t *testing.T) {
	t.Parallel()
	marks := rapid.StringOfN(rapid.RuneFrom([]rune("aexk\u00e9\u00c5\u212b\u0958\u1112\u1161\u11ab\uac00\u09c7\u09be"+
		"\u0300\u0301\u0301\u0301\u0307\u0323\u0328\u0338\u0344\u0345\u034f\u093c\u20dd\U0001d15f\U0001d165")), 0, 40, -1)
	rapid.Check(t, func(r *rapid.T) {
		row := strings.Repeat("\u0301", rapid.IntRange(0, 33).Draw(r, "row"))
		hasOneForm(r, marks.Draw(r, "before")+row+marks.Draw(r, "after"))
	})
}

// The parts of a key are brought to their form before they are joined: what escapes one is no letter of a name.
func TestKeysAreSpelledPartByPart(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	agent, taskType := "x/\u0307e\u0301", "\u0307build"
	_, err := svc.Learning.RecordExecution(t.Context(), boundary.RecordExecutionInput{AgentID: agent, TaskType: taskType, Success: true, Quality: 1})
	require.NoError(t, err)
	profile, err := svc.Learning.Profile(t.Context(), agent, taskType)
	require.NoError(t, err)
	require.NotNil(t, profile)
	assert.Equal(t, "x/\u0307\u00e9", profile.AgentKey)
	for _, id := range []string{profile.ID(), memory.NodeID(memory.KindLearningProfile, memory.ProfileKey(agent, taskType))} {
		node, err := svc.Retrieval.Node(t.Context(), id)
		require.NoError(t, err)
		assert.NotNil(t, node, "%+q", id)
	}
}

// How long a name is, is that of its form.
func TestLengthOfNamesIsThatOfTheirForm(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := ended("e1")
	input.AgentID = strings.Repeat("\u0344", 129) // twice as long in its form
	_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
	require.ErrorContains(t, err, "agentId")
	input.AgentID = strings.Repeat("e\u0301", 200) // and shorter
	_, err = svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
	require.NoError(t, err)
}

// Nothing that was deleted for good comes back under another spelling.
func TestWhatWasForgottenStaysForgottenInAnySpelling(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := ended("e1")
	input.AgentID = composed
	_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Upkeep.Delete(t.Context(), memory.KindAgent, boundary.DeleteInput{ID: apart})
	require.NoError(t, err)
	for _, name := range []string{apart, composed} {
		_, err = svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{SessionID: new("s"), CreatedBy: &name, Type: memory.FeedbackThumbsUp})
		require.NoError(t, err)
	}
	doomed, err := svc.Upkeep.DeleteFeedback(t.Context(), boundary.DeleteFeedbackInput{CreatedBy: new(apart), DryRun: true})
	require.NoError(t, err)
	assert.Equal(t, 2, doomed.Deleted)
	deleted, err := svc.Upkeep.DeleteFeedback(t.Context(), boundary.DeleteFeedbackInput{CreatedBy: new(apart)})
	require.NoError(t, err)
	assert.Equal(t, 2, deleted.Deleted)

	ctx := tenancy.Importing(t.Context(), false)
	for _, name := range []string{composed, apart} {
		_, err = svc.Episodes.RecordEpisode(ctx, boundary.RecordEpisodeInput{AgentID: name, Observation: "One."}, boundary.Include{})
		assert.True(t, faults.WasForgotten(err))
		assert.True(t, faults.WasForgotten(svc.Agents.Save(ctx, name, "Ada")))
		_, err = svc.Reactions.SubmitFeedback(ctx, boundary.SubmitFeedbackInput{SessionID: new("s"), CreatedBy: &name, Type: memory.FeedbackThumbsUp})
		assert.True(t, faults.WasForgotten(err))
	}
}

// A program's spans name its agent in any spelling.
func TestSpansOfOneAgent(t *testing.T) {
	t.Parallel()
	tr := openTraced(t)
	for i, name := range []string{composed, apart} {
		for _, span := range []capture.Span{
			{ID: fmt.Sprint("n", i), Kind: capture.SpanAgent, Name: "run", Agent: name, TaskType: name, Session: name},
			{ID: fmt.Sprint("s", i), Kind: capture.SpanAgent, Name: "run", Labels: map[string]string{capture.LabelService: name, "note": apart}},
		} {
			span.StartedAt, span.EndedAt = servicetest.Noon, servicetest.Noon
			recorded, err := tr.Traces.RecordSpans(t.Context(), []boundary.TraceSpan{{Trace: "trace " + span.ID, Span: span}})
			require.NoError(t, err)
			require.Equal(t, 1, recorded.Accepted, recorded.Reason)
		}
	}
	tr.now = tr.now.Add(48 * time.Hour)
	_, err := tr.Traces.Finish(t.Context())
	require.NoError(t, err)
	agents, err := tr.Agents.List(t.Context(), reading.PageInput{})
	require.NoError(t, err)
	require.Len(t, agents.Items, 1)
	assert.Equal(t, composed, agents.Items[0].Key)
	episodes, err := tr.Episodes.List(t.Context(), boundary.EpisodeFilter{WorkFilter: boundary.WorkFilter{AgentID: new(apart)}}, "", reading.PageInput{}, boundary.Include{})
	require.NoError(t, err)
	assert.Len(t, episodes.Items, 4)
	episodes, err = tr.Episodes.List(t.Context(), boundary.EpisodeFilter{WorkFilter: boundary.WorkFilter{TaskType: new(apart)}, SessionID: new(apart)}, "", reading.PageInput{}, boundary.Include{})
	require.NoError(t, err)
	assert.Len(t, episodes.Items, 2)
	deleted, err := tr.Upkeep.Delete(t.Context(), memory.KindAgent, boundary.DeleteInput{ID: apart})
	require.NoError(t, err)
	assert.Equal(t, 4, deleted.Episodes)
}
