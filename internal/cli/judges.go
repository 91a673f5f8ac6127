package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/summaries"
)

// analysisFlags is what an analysis on the command line asks for.
type analysisFlags struct {
	judge       *string
	since       *time.Time
	sectionType *string
	context     memory.JSON
	minSections int
}

func (p *program) analyzeCommand() *cobra.Command {
	var opts analysisFlags
	command := shows(p, &cobra.Command{
		Use:   "analyze",
		Short: "Tell how judges decide, what fails most and what succeeds",
		Long: "Tell how judges decide, and from completed runs the issues that most sections had and the approaches that\n" +
			"were approved most. History adds up all judges, so --judge narrows the judges only,\n" +
			"--section-type and --context the patterns.",
		Example: "  mneme judges analyze\n  mneme judges analyze --judge report-critic --since 2026-01-01",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) (found analysis, err error) {
		if opts.minSections < 0 {
			return found, memory.Invalid("minSections", "is %d; it must be 0 or more", opts.minSections)
		}
		if found.Judges, err = opts.judges(ctx, tenant); err != nil {
			return found, err
		}
		if found.TopFailures, err = opts.patterns(ctx, tenant, memory.PatternDont); err != nil {
			return found, err
		}
		found.SuccessRates, err = opts.patterns(ctx, tenant, memory.PatternDo)
		return found, err
	}, func(w io.Writer, found analysis) { printAnalysis(w, found, opts) })
	flags := command.Flags()
	flags.Var(textFlag(&opts.judge), "judge", "only this judge")
	flags.Var(timeFlag(&opts.since), "since", "only verdicts given, and patterns seen, then or later"+timeForms)
	flags.Var(textFlag(&opts.sectionType), "section-type", "only patterns of sections of this type")
	flags.Var(jsonFlag(&opts.context), "context", `only patterns of this part of a context, such as '{"energy":"high"}'; of types as a whole where it is left out`)
	flags.IntVar(&opts.minSections, "min-sections", judging.MinPatternSections, "only patterns over at least so many sections")
	return command
}

func (p *program) applyThresholdCommand() *cobra.Command {
	var input boundary.ApplyJudgeThresholdInput
	var remove bool
	command := p.asks(&cobra.Command{
		Use:   "apply",
		Short: "Apply a threshold to a judge's scores, to watch what it would decide",
		Long: "Apply a threshold to a judge's scores, in place of what was applied before: verdicts that are recorded later say\n" +
			"what it would have decided, and judges analyze compares. Nothing is decided by it.",
		Example: "  mneme judges apply --judge report-critic --threshold 7.5\n  mneme judges apply --judge report-critic --remove",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) error {
		if input.Threshold == nil && !remove {
			return errors.New("judges apply needs --threshold or --remove")
		}
		return p.applyThreshold(ctx, tenant, input)
	})
	flags := command.Flags()
	flags.StringVar(&input.JudgeID, "judge", "", "the judge")
	flags.Var(textFlag(&input.SectionType), "section-type", "only on sections of this type")
	flags.Var(numberFlag(&input.Threshold), "threshold", "the score from which on to approve")
	flags.BoolVar(&remove, "remove", false, "take the threshold away")
	_ = command.MarkFlagRequired("judge") // which it has
	command.MarkFlagsOneRequired("threshold", "remove")
	command.MarkFlagsMutuallyExclusive("threshold", "remove")
	return command
}

func (p *program) applyThreshold(ctx context.Context, tenant *service.Tenant, input boundary.ApplyJudgeThresholdInput) error {
	applied, err := tenant.Judging.ApplyJudgeThreshold(ctx, input)
	if err != nil {
		return err
	}
	return p.answer(applied, func(w io.Writer) {
		of := "all types of sections"
		if applied.SectionType != nil {
			of = "sections of the type " + oneLine(*applied.SectionType, 40)
		}
		if applied.Threshold == nil {
			fmt.Fprintf(w, "No threshold is applied to %s for %s any more.\n", oneLine(applied.JudgeKey, 40), of)
			return
		}
		fmt.Fprintf(w, "Verdicts of %s on %s that are recorded from now on say whether a score of %s or more would have approved them.\n",
			oneLine(applied.JudgeKey, 40), of, decimals(*applied.Threshold, 2))
	})
}

// analysis is the answer of judges analyze; the names within judges and patterns are the API's.
type analysis struct {
	Judges       []*judging.JudgeTendencies `json:"judges"`
	TopFailures  []summaries.PatternSummary `json:"topFailures"`
	SuccessRates []summaries.PatternSummary `json:"successRates"`
}

func (opts analysisFlags) judges(ctx context.Context, tenant *service.Tenant) (judges []*judging.JudgeTendencies, err error) {
	var names []string
	if opts.judge != nil {
		names = []string{*opts.judge}
	} else if names, err = tenant.Judging.Judges(ctx); err != nil {
		return nil, err
	}
	judges = make([]*judging.JudgeTendencies, len(names))
	for i, name := range names {
		if judges[i], err = tenant.Judging.JudgeTendencies(ctx, name, opts.since); err != nil {
			return nil, err
		}
	}
	return judges, nil
}

// shownPatterns is how many failures, and how many successes, an analysis tells of.
const shownPatterns = 10

// patterns reads what history says of types of sections as a whole, or of a part of a context, the highest rate first.
// Rates of few sections come first, mostly, so pages are read until enough say something.
func (opts analysisFlags) patterns(ctx context.Context, tenant *service.Tenant, kind memory.PatternKind) ([]summaries.PatternSummary, error) {
	kept := []summaries.PatternSummary{}
	filter := boundary.PatternFilter{Kind: &kind, SectionType: opts.sectionType, Context: opts.context, WholeTypes: opts.context == nil}
	page := reading.PageInput{First: new(reading.MaxPage)}
	for {
		found, err := tenant.Judging.Patterns(ctx, filter, page)
		if err != nil {
			return nil, err
		}
		for _, pattern := range found.Items {
			if pattern.Total < opts.minSections || opts.since != nil && pattern.LastSeen.Before(*opts.since) {
				continue
			}
			if kept = append(kept, summaries.SummaryOfPattern(pattern)); len(kept) == shownPatterns {
				return kept, nil
			}
		}
		if page.After = found.Next(); page.After == nil {
			return kept, nil
		}
	}
}

func printAnalysis(w io.Writer, found analysis, opts analysisFlags) {
	if len(found.Judges) == 0 {
		fmt.Fprintln(w, "No judge has given a verdict.")
	} else {
		printJudges(w, found.Judges)
	}
	fmt.Fprint(w, "\nWhat fails most\n")
	printPatterns(w, found.TopFailures, "issue", opts.minSections)
	fmt.Fprint(w, "\nWhat succeeds most\n")
	printPatterns(w, found.SuccessRates, "approach", opts.minSections)
}

func printJudges(w io.Writer, judges []*judging.JudgeTendencies) {
	table(w, []string{"JUDGE", "VERDICTS", "APPROVES", "SCORE", "DEVIATION", "AGREES WITH PEOPLE", "CALIBRATION"}, judges, func(judge *judging.JudgeTendencies) []string {
		agrees := "-"
		if judge.HumanAgreement != nil {
			agrees = fmt.Sprintf("%s of %d", percent(judge.HumanAgreement.Agreement), judge.HumanAgreement.Labelled)
		}
		return []string{
			judge.JudgeKey, strconv.Itoa(judge.Verdicts), percent(judge.ApprovalRate), orDash(judge.AverageScore), orDash(judge.ScoreStdDev),
			agrees, strings.ToLower(strings.ReplaceAll(string(judge.Calibration.Leniency), "_", " ")),
		}
	})
	for _, judge := range judges {
		fmt.Fprintf(w, "\n%s: %s\n", judge.JudgeKey, strings.Join(judge.Lines(), "\n   "))
		if len(judge.CommonCritiqueAreas) > 0 {
			fmt.Fprintf(w, "   finds fault most with %s\n", strings.Join(judge.CommonCritiqueAreas, ", "))
		}
	}
}

func printPatterns(w io.Writer, patterns []summaries.PatternSummary, what string, minSections int) {
	if len(patterns) == 0 {
		fmt.Fprintf(w, "Completed runs tell of no %s over %d or more sections (--min-sections).\n", what, minSections)
		return
	}
	table(w, []string{"RATE", "SECTIONS", "SCORE", "SECTION TYPE", "CONTEXT", strings.ToUpper(what)}, patterns, func(pattern summaries.PatternSummary) []string {
		says := pattern.Description
		if pattern.IssueCode != "" && says != pattern.IssueCode {
			says = pattern.IssueCode + ": " + says
		}
		return []string{
			percent(pattern.Rate), strconv.Itoa(pattern.Total), orDash(pattern.AvgScore), oneLine(pattern.SectionType, 100),
			oneLine(string(pattern.Context), 32), oneLine(says, 72),
		}
	})
}

// percent is a share as a whole percentage.
func percent(share float64) string { return decimals(100*share, 0) + "%" }

// orDash is a number that may not be there.
func orDash(number *float64) string {
	if number == nil {
		return "-"
	}
	return decimals(*number, 2)
}
