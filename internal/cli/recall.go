package cli

import (
	"context"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/ranking"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
	"mneme/service/summaries"
)

// recallFlags is what a recall on the command line asks for.
type recallFlags struct {
	boundary.RecallInput
	lessons   bool
	maxTokens int
}

func (p *program) recallCommand() *cobra.Command {
	var opts recallFlags
	command := p.asks(&cobra.Command{
		Use:   "recall SITUATION…",
		Short: "Find the past experiences that matter for a situation",
		Long:  "Find the past experiences that matter for a situation, best first, with the reasons in words.",
		Example: "  mneme recall a customer wants a refund for a late order\n" +
			"  mneme recall --outcome success --task-type airline --top-k 3 --json cancel a flight\n" +
			"  mneme recall --lessons --max-tokens 500 cancel a flight     what to put into a prompt",
		Args: cobra.MatchAll(cobra.MinimumNArgs(1), notEmpty),
	}, func(ctx context.Context, tenant *service.Tenant, words []string) error {
		opts.Situation = strings.Join(words, " ")
		return p.recall(ctx, tenant, opts)
	})
	flags := command.Flags()
	workFlags(flags, &opts.WorkFilter)
	flags.Var(timeFlag(&opts.AsOf), "as-of", "answer as of this instant, only what was known then"+timeForms)
	flags.Var(wordFlag(&opts.Fallback, []boundary.Fallback{boundary.FallbackNone, boundary.FallbackRecent}), "fallback", "what comes where nothing is like the situation: none or recent, the latest")
	flags.Var(wordFlag(&opts.Variants, []boundary.Variants{boundary.VariantsGrouped, boundary.VariantsSeparate}), "variants", "near-identical episodes are one hit, or each is one: grouped or separate")
	opts.TopK = flags.Int("top-k", recalling.DefaultTopK, "how many, 1 to 100")
	flags.BoolVar(&opts.lessons, "lessons", false, "print the lessons alone, as text for a prompt")
	flags.IntVar(&opts.maxTokens, "max-tokens", 1000, "how long the lessons may be")
	return command
}

// The answer of a recall; the names are the API's.
type (
	recallAnswer struct {
		Hits        []recallHit `json:"hits"`
		Cautions    []recallHit `json:"cautions"`
		Approximate bool        `json:"approximate"`
		Patterns    []string    `json:"patterns"`
		Note        *string     `json:"note"`
		Lessons     string      `json:"lessons"`
	}
	recallHit struct {
		recalling.RecallHit
		Siblings []string                 `json:"siblings"` // their ids
		Episode  summaries.EpisodeSummary `json:"episode"`
	}
)

func (p *program) recall(ctx context.Context, tenant *service.Tenant, opts recallFlags) error {
	found, err := tenant.Retrieval.Recall(ctx, opts.RecallInput, boundary.Include{Canvases: true, Feedback: true, Cautions: true, Patterns: true})
	if err != nil {
		return err
	}
	lessons, err := found.Lessons(opts.maxTokens)
	if err != nil {
		return err
	}
	answer := recallAnswer{
		Hits: hitsOf(tenant, found.Hits), Cautions: hitsOf(tenant, found.Cautions), Approximate: found.Approximate, Note: found.Note, Lessons: lessons,
		Patterns: memory.Mapped(found.Patterns, func(hit recalling.SearchHit) string { return hit.Observation().Content }),
	}
	nothing := ""
	if found.Note != nil {
		nothing = p.nothingFor(opts, *found.Note)
	}
	if opts.lessons { // what is said here does not go into the prompt
		if nothing != "" {
			fmt.Fprintln(p.Err, nothing)
		}
		return p.says(answer.Lessons, "%s", answer.Lessons)
	}
	return p.answer(answer, func(w io.Writer) {
		if nothing != "" {
			fmt.Fprintln(w, nothing)
			return
		}
		fmt.Fprint(w, likenesses[found.Likeness()])
		printHits(w, answer.Hits)
		if len(answer.Cautions) > 0 {
			fmt.Fprint(w, "\nWhat went wrong in similar situations:\n\n")
			printHits(w, answer.Cautions)
		}
		if len(answer.Patterns) > 0 {
			fmt.Fprintf(w, "\nWhat recurs:\n- %s\n", strings.Join(answer.Patterns, "\n- "))
		}
	})
}

func hitsOf(tenant *service.Tenant, found []recalling.RecallHit) []recallHit {
	return memory.Mapped(found, func(hit recalling.RecallHit) recallHit {
		return recallHit{hit, hit.SiblingIDs(), summaries.SummaryOfEpisode(hit.Episode, tenant.Reactions.CanvasRules())}
	})
}

// likenesses are what is said before hits that are not much like the situation.
var likenesses = map[ranking.Likeness]string{
	ranking.Unlike:       "None matches. The latest, and what people liked:\n\n",
	ranking.PerhapsAlike: "None has these words or means the same. What is a little like it:\n\n",
}

// nothingFor says why there are no hits. Without a filter some episode passes, however little it matches.
func (p *program) nothingFor(opts recallFlags, note string) string {
	unfiltered := boundary.RecallInput{Situation: opts.Situation, TopK: opts.TopK, Fallback: opts.Fallback, Variants: opts.Variants}
	if note == recalling.NothingPasses && reflect.DeepEqual(opts.RecallInput, unfiltered) {
		return fmt.Sprintf("No episode is remembered yet. mneme demo%s fills a memory with a sample, mneme import%[1]s with what you have.", p.sameMemory())
	}
	return note
}

func printHits(w io.Writer, hits []recallHit) {
	table(w, []string{"#", "SCORE", "OUTCOME", "STARTED", "EPISODE", "TITLE"}, hits, func(hit recallHit) []string {
		e := hit.Episode
		return []string{
			strconv.Itoa(hit.Rank), decimals(hit.Score.Total, 3), strings.ToLower(string(e.Outcome)),
			e.StartedAt.Format(time.DateOnly), e.ID, oneLine(e.Title, 60),
		}
	})
	for _, hit := range hits {
		fmt.Fprintf(w, "\n%d. %s\n   %s\n", hit.Rank, oneLine(hit.Episode.Insight, 300), strings.Join(hit.Reasons, "; "))
		for _, m := range hit.Moments {
			if m.Inside() {
				fmt.Fprintf(w, "   %s\n", oneLine(m.Where+": "+m.Snippet, 300))
			}
		}
	}
}

// oneLine makes a line of at most so many characters of a text.
func oneLine(text string, most int) string {
	return prose.Shorten(prose.OneLine(text), most)
}

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
		Args:    cobra.MatchAll(cobra.MinimumNArgs(1), notEmpty),
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

func (p *program) nextCommand() *cobra.Command {
	var filter boundary.EpisodeFilter
	input := boundary.NextStepsInput{Filter: &filter, TopK: new(int)}
	command := shows(p, &cobra.Command{
		Use:   "next SITUATION…",
		Short: "Tell what past episodes did next at a moment like this one",
		Long:  "Tell what past episodes did next at a moment like this one, the most likely first, with how they turned out.",
		Example: "  mneme next a customer wants a refund for a late order\n" +
			"  mneme next --done find_order --done check_policy --last 'check_policy: within 30 days' a refund for a late order",
		Args: cobra.MatchAll(cobra.MinimumNArgs(1), notEmpty),
	}, func(ctx context.Context, tenant *service.Tenant, words []string) ([]*recalling.NextStep, error) {
		input.Situation = strings.Join(words, " ")
		return tenant.Retrieval.NextSteps(ctx, input)
	}, printNext)
	flags := command.Flags()
	flags.StringArrayVar(&input.StepsSoFar, "done", nil, "a step until now, by its name, in order; may be given several times")
	flags.Var(textFlag(&input.LastStep), "last", "the last step: its name, and what came of it")
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
