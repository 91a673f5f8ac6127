package neo4j

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/store"
)

// sentences are 200 ordinary sentences, in twenty of which each of ten habits of writing occurs.
func sentences() []string {
	habits := []string{
		"%s!", "Note: %s.", "Is it true that %s?", `He said "%s" twice.`, "%s and/or nothing (see §3)", "%s AND NOT that",
		"%s OR else; it's 50% off @ https://example.org/a?b=c&d=[1]", "~ %s ^2 * {draft} \\ end", "%s -- TO be continued...", "'%s' (a.k.a. #%[1]s) + more -- or less",
	}
	subjects := []string{
		"refund", "the flight", "a walrus", "user_id", "C:\\temp", "order W5061109", "3.5 hours", "e-mail", "O'Brien", "R&D",
		"naïveté", "Zürich", "日本", "v1.26.8", "node:agent", "a/b/c", "1/2", "foo(bar)", "x=y", "price: $5",
	}
	var all []string
	for _, habit := range habits {
		for _, subject := range subjects {
			all = append(all, strings.TrimSuffix(fmt.Sprintf(habit, subject), "%!(EXTRA string="+subject+")"))
		}
	}
	return all
}

func TestOrdinarySentencesAreAnswered(t *testing.T) {
	all := sentences()
	require.Len(t, all, 200)
	tenant := freshStore(t, mustConnect(t))
	var records []store.EpisodeRecord
	for i, text := range all {
		records = append(records, draft(fmt.Sprintf("e%03d", i), func(r *store.EpisodeRecord) { r.Episode.Observation = text }))
	}
	mustRecord(t, tenant, records...)
	for i, text := range all {
		found, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: text, Limit: 300})
		require.NoError(t, err, "%q", text)
		lexicalOf := 0.0
		for _, item := range found.Items {
			if item.Key == fmt.Sprintf("e%03d", i) {
				lexicalOf = item.Match.Words
			}
		}
		require.Positive(t, lexicalOf, "%q finds itself", text)
	}
}
