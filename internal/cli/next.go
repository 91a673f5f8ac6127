package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"mneme/memory/prose"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/recalling"
)

func (p *program) nextCommand() *cobra.Command {
	var filter boundary.EpisodeFilter
	input := boundary.NextStepsInput{Filter: &filter, TopK: new(int)}
	command := shows(p, &cobra.Command{
		Use:   "next SITUATION…",
		Short: "Tell what past episodes did next at a moment like this one",
		Long:  "Tell what past episodes did next at a moment like this one, the most likely first, with how they turned out.",
		Example: "  mneme next a customer wants a refund for a late order\n" +
			"  mneme next --done find_order --done check_policy --last 'check_policy: within 30 days' a refund for a late order",
		Args: needs("a situation", 1, -1),
	}, func(ctx context.Context, tenant *service.Tenant, words []string) ([]*recalling.NextStep, error) {
		input.Situation = strings.Join(words, " ")
		return tenant.Retrieval.NextSteps(ctx, input)
	}, printNext)
	flags := command.Flags()
	flags.StringArrayVar(&input.StepsSoFar, "done", nil, "a step until now, by its name, in order; may be given several times")
	fillsField(flags, "done", "stepsSoFar")
	flags.Var(textFlag(&input.LastStep), "last", "the last step: its name, and what came of it")
	fillsField(flags, "last", "lastStep")
	workFlags(flags, &filter.WorkFilter)
	flags.IntVar(input.TopK, "top-k", recalling.DefaultTopK, "how many steps, 1 to 100")
	return command
}

func printNext(w io.Writer, steps []*recalling.NextStep) {
	if len(steps) == 0 {
		fmt.Fprintln(w, "No past episode was at a moment like this one.")
		return
	}
	rank := 0
	table(w, []string{"#", "SHARE", "STEP", "EPISODES", "SUCCEEDED", "FAILED", "LIKED"}, steps, func(s *recalling.NextStep) []string {
		rank++
		return []string{
			strconv.Itoa(rank), decimals(s.Share, 2), s.Name, strconv.Itoa(s.Episodes), strconv.Itoa(s.Succeeded), strconv.Itoa(s.Failed),
			strconv.Itoa(s.Liked),
		}
	})
	for i, s := range steps {
		fmt.Fprintf(w, "\n%d. %s step %d\n   %s\n", i+1, s.Example.ID, s.Example.Position+1, oneLine(s.Name+": "+s.Example.Snippet, 300))
		for _, a := range s.Arguments {
			value := ""
			if a.Value != nil {
				value = fmt.Sprintf(", %d times %s", a.Same, a.Value)
			}
			fmt.Fprintf(w, "   %s\n", oneLine(fmt.Sprintf("%s: given %s%s", a.Name, prose.Counted(a.Count, "time", "times"), value), 120))
		}
	}
}
