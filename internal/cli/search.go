package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
)

func (p *program) searchCommand() *cobra.Command {
	var kinds []string
	var users boundary.UserFilter
	var page reading.PageInput
	command := shows(p, &cobra.Command{
		Use:   "search WORDS…",
		Short: "Find records of any kind by their words and what they mean",
		Long: "Find records of any kind that have text (episodes, concepts, observations, corrections, memoirs, feedback), best first,\n" +
			"with the reasons in words. For past work to learn from there is mneme recall.",
		Example: "  mneme search where do parcels get stuck\n  mneme search --kind concept --kind observation delivery times\n  mneme search --first 5 --json refund",
		Args:    needs("words", 1, -1),
	}, func(ctx context.Context, tenant *service.Tenant, words []string) (answer searchAnswer, err error) {
		text := strings.Join(words, " ")
		found, err := tenant.Retrieval.Search(ctx, text, kinds, users, page, boundary.Include{HeadOnly: true})
		if err != nil {
			return answer, err
		}
		answer.Hits = memory.Mapped(found.Items, func(hit recalling.SearchHit) foundRecord {
			id := hit.Node.ID()
			kind, _, _ := memory.SplitID(id)
			return foundRecord{id, kind, hit}
		})
		answer.Next = found.Next()
		answer.Total, err = found.Total(ctx)
		switch {
		case answer.Total == 0 && !recalling.Tells(text):
			answer.before = recalling.CommonWords + "\n"
		case answer.Total == 0:
			answer.before = "Nothing matches.\n"
		case len(found.Items) > 0 && !slices.ContainsFunc(found.Items, func(hit recalling.SearchHit) bool { return hit.HasWords }):
			answer.before = "Nothing has these words. What is nearest by its meaning:\n\n"
		}
		return answer, err
	}, printFound)
	flags := command.Flags()
	flags.StringSliceVar(&kinds, "kind", nil, "only this kind: episode, concept, observation, correction, memoir or feedback; may be given several times")
	fillsField(flags, "kind", "kinds")
	userFlags(flags, &users)
	pageFlags(flags, &page, 10)
	return command
}

// The answer of a search; the names are the API's.
type (
	searchAnswer struct {
		Hits  []foundRecord `json:"hits"`
		Total int           `json:"total"`
		Next  *string       `json:"next"` // what --after takes; null at the end

		before string // for people
	}
	foundRecord struct {
		ID   string      `json:"id"`
		Kind memory.Kind `json:"kind"`
		recalling.SearchHit
	}
)

func printFound(w io.Writer, answer searchAnswer) {
	fmt.Fprint(w, answer.before)
	if answer.Total == 0 {
		return
	}
	if len(answer.Hits) > 0 {
		table(w, []string{"SCORE", "RECORD", "WHY"}, answer.Hits, func(hit foundRecord) []string {
			return []string{decimals(hit.Score, 3), hit.ID, strings.Join(hit.Reasons, "; ")}
		})
	}
	for _, hit := range answer.Hits {
		fmt.Fprintf(w, "\n%s\n  %s\n", hit.ID, oneLine(hit.Snippet, 300))
	}
	printRest(w, len(answer.Hits), answer.Total, "match", "matches", answer.Next)
}
