package knowledge_test

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

// Whatever time passes between pages, and whatever is accessed: a walk sees each observation once that is not.
func TestPagesByWeightHoldWhileTimePasses(t *testing.T) {
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	tenants := 0
	require.NoError(t, flag.Set("rapid.checks", "30")) // each makes a file
	t.Cleanup(func() { require.NoError(t, flag.Set("rapid.checks", "100")) })
	rapid.Check(t, func(random *rapid.T) {
		tenants++
		name, now := fmt.Sprint("t", tenants), servicetest.Noon.AddDate(1, 0, 0)
		policy := rapid.SampledFrom(decay.Policies).Draw(random, "policy")
		order := rapid.SampledFrom([]memory.ObservationOrder{memory.HeaviestFirst, memory.LightestFirst, memory.LatestFirst}).Draw(random, "order")
		ctx := service.WithTenant(t.Context(), name)
		opened := service.New(backend, func(s *service.Settings) { s.Decay = policy }, service.WithClock(func() time.Time { return now }))
		svc := servicetest.Bind(ctx, t, opened)
		defer func() { require.NoError(t, opened.Close(context.Background())) }()
		bound, err := backend.Tenant(ctx, name)
		require.NoError(t, err)

		many := rapid.IntRange(0, 25).Draw(random, "observations")
		inputs := make([]boundary.RecordObservationInput, many)
		for i := range inputs {
			importance := rapid.SampledFrom(memory.Importances).Draw(random, "importance")
			at := servicetest.Noon.AddDate(0, 0, rapid.IntRange(0, 300).Draw(random, "day"))
			inputs[i] = boundary.RecordObservationInput{ID: new(fmt.Sprint("o", i)), Content: "It rains.", Importance: &importance, At: &at}
		}
		if many > 0 {
			recorded, err := svc.Knowledge.RecordObservations(ctx, boundary.RecordObservationsInput{Observations: inputs})
			require.NoError(t, err)
			require.Equal(t, many, recorded.Succeeded)
		}
		seen, accessed := map[string]int{}, map[string]bool{}
		input := reading.PageInput{First: new(rapid.IntRange(1, 7).Draw(random, "first"))}
		for pages := 0; ; pages++ {
			require.Less(t, pages, 100, "the walk ends")
			page, err := svc.Knowledge.Observations(ctx, boundary.ObservationFilter{}, order, input)
			require.NoError(t, err)
			for _, o := range page.Items {
				seen[o.Key]++
			}
			if !page.HasNext {
				break
			}
			input.After = new(page.Cursors[len(page.Cursors)-1])
			now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(random, "hours"))*time.Hour + 12345)
			if rapid.Bool().Draw(random, "accessed") {
				key := fmt.Sprint("o", rapid.IntRange(0, many-1).Draw(random, "which"))
				accessed[key] = true
				_, err := store.Record(ctx, bound, []store.Access{{Key: key, Count: 1, At: now}})
				require.NoError(t, err)
			}
		}
		for i := range many {
			if key := fmt.Sprint("o", i); !accessed[key] {
				assert.Equal(t, 1, seen[key], "%s by %s under %s", key, order, policy)
			}
		}
	})
}

// A walk that began under another policy goes on under it; a forged one is refused.
func TestCursorsByWeightAreChecked(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for i := range 3 {
		_, err := svc.Knowledge.RecordObservation(t.Context(), boundary.RecordObservationInput{ID: new(fmt.Sprint("o", i)), Content: "It rains."})
		require.NoError(t, err)
	}
	page, err := svc.Knowledge.Observations(t.Context(), boundary.ObservationFilter{}, memory.HeaviestFirst, reading.PageInput{First: new(1)})
	require.NoError(t, err)
	text, err := base64.RawURLEncoding.DecodeString(page.Cursors[0])
	require.NoError(t, err)
	for old, forged := range map[string]string{
		`"USE_FADES"`: `"MOON"`, `"w":`: `"w":99`,
	} {
		require.Contains(t, string(text), old)
		after := base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(text), old, forged, 1)))
		_, err := svc.Knowledge.Observations(t.Context(), boundary.ObservationFilter{}, memory.HeaviestFirst, reading.PageInput{After: &after})
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, "after")
	}
}

// What is heavy enough when a search begins is on its later pages, however light it has become by then.
func TestPagesOfASearchAreWeighedAsOfTheFirst(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	now := servicetest.Noon
	opened := service.New(backend, func(s *service.Settings) { s.Decay = decay.TimeFades }, service.WithClock(func() time.Time { return now }))
	svc := servicetest.Bind(t.Context(), t, opened)
	t.Cleanup(func() {
		require.NoError(t, opened.Close(context.Background()))
		require.NoError(t, backend.Close(context.Background()))
	})
	for i := range 3 {
		_, err := svc.Knowledge.RecordObservation(t.Context(), boundary.RecordObservationInput{ID: new(fmt.Sprint("o", i)), Content: "It rains.", At: &servicetest.Noon})
		require.NoError(t, err)
	}
	search, input := boundary.ObservationSearch{Query: "rain", MinWeight: new(0.5)}, reading.PageInput{First: new(1)}
	var seen []string
	for range 3 {
		page, err := svc.Retrieval.SearchObservations(t.Context(), search, input)
		require.NoError(t, err)
		require.Len(t, page.Items, 1)
		seen = append(seen, page.Items[0].Node.ID())
		input.After = &page.Cursors[0]
		now = now.AddDate(1, 0, 0)
	}
	assert.ElementsMatch(t, []string{"observation:o0", "observation:o1", "observation:o2"}, seen)
	page, err := svc.Retrieval.SearchObservations(t.Context(), search, reading.PageInput{})
	require.NoError(t, err)
	assert.Empty(t, page.Items, "a new search weighs anew")
}

// Among very many that match better, those that weigh enough are found.
func TestSearchFindsWhatWeighsEnoughAmongMuch(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	record := func(id, content, session string, importance memory.Importance) boundary.RecordObservationInput {
		return boundary.RecordObservationInput{ID: &id, Content: content, SessionID: &session, Importance: &importance}
	}
	const faint = "The keeper of the northern pool saw a walrus before the storm came over the hills"
	inputs := []boundary.RecordObservationInput{record("faint", faint, "s", memory.ImportanceCritical)}
	for i := range 1200 {
		inputs = append(inputs, record(fmt.Sprintf("light%04d", i), "A walrus.", fmt.Sprint("other", i), memory.ImportanceLow))
	}
	for _, input := range inputs {
		_, err := svc.Knowledge.RecordObservation(t.Context(), input)
		require.NoError(t, err)
	}
	page, err := svc.Retrieval.SearchObservations(t.Context(), boundary.ObservationSearch{Query: "walrus", MinWeight: new(0.9)}, reading.PageInput{})
	require.NoError(t, err)
	require.NotEmpty(t, page.Items)
	require.Equal(t, "observation:faint", page.Items[0].Node.ID())
}
