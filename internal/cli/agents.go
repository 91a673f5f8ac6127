package cli

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/selection"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/summaries"
)

func (p *program) rankAgentsCommand() *cobra.Command {
	var input boundary.SelectionInput
	command := shows(p, &cobra.Command{
		Use:   "rank TASK_TYPE",
		Short: "Rank the agents that have done a type of task",
		Long: "Rank the agents that have done a type of task, the best first, with the reasons in words. Where no agent has, the list is\n" +
			"empty, which is no error; mneme agents select, which cannot choose then, ends with status 1.",
		Example: "  mneme agents rank sales_report\n  mneme agents rank refund --situation 'a kettle that leaks' --as-of 2026-03-01",
		Args:    cobra.MatchAll(cobra.ExactArgs(1), notEmpty),
	}, func(ctx context.Context, tenant *service.Tenant, args []string) ([]summaries.RankingSummary, error) {
		input.TaskType = args[0]
		found, err := tenant.Learning.RankAgents(ctx, input, nil)
		return memory.Mapped(found, func(r selection.AgentRanking) summaries.RankingSummary { return tenant.Learning.RankingSummary(&r) }), err
	}, func(w io.Writer, ranking []summaries.RankingSummary) {
		if len(ranking) == 0 {
			fmt.Fprintf(w, "No agent has worked on %s.\n", oneLine(input.TaskType, 60))
			return
		}
		printRanking(w, ranking)
	})
	selectionFlags(command, &input)
	return command
}

func (p *program) selectAgentCommand() *cobra.Command {
	var input boundary.SelectionInput
	var explore bool
	command := shows(p, &cobra.Command{
		Use:   "select TASK_TYPE",
		Short: "Choose the agent for a task",
		Long: "Choose the agent for a task: the best at its type, or with --explore the one that could be, of all there are. Where no agent\n" +
			"has done the type of task there is none to choose, and the status is 1.",
		Example: "  mneme agents select sales_report\n  mneme agents select refund --situation 'a kettle that leaks'\n  mneme agents select translation --explore",
		Args:    cobra.MatchAll(cobra.ExactArgs(1), notEmpty),
	}, func(ctx context.Context, tenant *service.Tenant, args []string) (chosen summaries.RankingSummary, err error) {
		input.TaskType = args[0]
		choice, err := tenant.Learning.SelectAgent(ctx, input, explore)
		if err == nil {
			chosen = tenant.Learning.RankingSummary(choice)
		}
		return chosen, err
	}, func(w io.Writer, chosen summaries.RankingSummary) {
		printRanking(w, []summaries.RankingSummary{chosen})
	})
	selectionFlags(command, &input)
	command.Flags().BoolVar(&explore, "explore", false, "choose who could be the best for all that is known, so that something is learnt")
	return command
}

func selectionFlags(command *cobra.Command, input *boundary.SelectionInput) {
	command.Flags().Var(textFlag(&input.Situation), "situation", "the task at hand in words; what came of similar ones counts")
	command.Flags().Var(timeFlag(&input.AsOf), "as-of", "answer as of this instant, only what was known then"+timeForms)
}

// The trends of profiles, as a flag names them.
var profileTrends = []selection.Trend{selection.TrendUp, selection.TrendDown, selection.TrendFlat}

func (p *program) profilesCommand() *cobra.Command {
	var filter boundary.ProfileFilter
	command := shows(p, &cobra.Command{
		Use:     "profiles",
		Short:   "List how well agents do what, across all of them",
		Long:    "List the learning profiles of all agents by task type and agent: who gets worse, who is new to something.",
		Example: "  mneme agents profiles --trend down\n  mneme agents profiles --task-type refund --cold",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) ([]summaries.ProfileSummary, error) {
		return allProfiles(ctx, tenant, filter)
	}, printProfiles)
	flags := command.Flags()
	flags.Var(textFlag(&filter.TaskType), "task-type", "only of this type of task")
	flags.Var(wordFlag(&filter.Trend, profileTrends), "trend", "only those whose quality goes this way: up, down or flat")
	flags.VarPF(parsed("bool", &filter.Cold, strconv.ParseBool), "cold", "", "only those with too few executions for full confidence; --cold=false those with enough").NoOptDefVal = "true"
	return command
}

func (p *program) alertsCommand() *cobra.Command {
	var input boundary.AlertsInput
	command := shows(p, &cobra.Command{
		Use:     "alerts",
		Short:   "List what somebody should look at",
		Long:    "List what somebody should look at, the most severe first: agents and task types that get worse, agents that are new to a task,\njudges that are too lenient, too critical or drift from what people say, and issues that recur.",
		Example: "  mneme agents alerts --severity warning\n  mneme agents alerts --kind agent_declines",
	}, func(ctx context.Context, tenant *service.Tenant, _ []string) ([]alerts.Alert, error) {
		return tenant.Learning.Alerts(ctx, input)
	}, printAlerts)
	command.Flags().Var(wordFlag(&input.Kind, alerts.Kinds), "kind", "only of this kind, such as agent_declines or issue_recurs")
	command.Flags().Var(wordFlag(&input.Severity, alerts.Severities), "severity", "only as severe or more: critical, warning or info")
	return command
}

func printAlerts(w io.Writer, found []alerts.Alert) {
	if len(found) == 0 {
		fmt.Fprintln(w, "Nothing to look at.")
	}
	for _, a := range found {
		since := ""
		if a.Since != nil {
			since = ", since " + a.Since.Format(time.DateOnly)
		}
		fmt.Fprintf(w, "%-8s  %s: %s%s\n          %s\n", a.Severity, oneLine(a.Subject, 200), oneLine(a.Happened, 400), since, a.Do)
	}
}

func allProfiles(ctx context.Context, tenant *service.Tenant, filter boundary.ProfileFilter) ([]summaries.ProfileSummary, error) {
	all := []summaries.ProfileSummary{}
	page := reading.PageInput{First: new(reading.MaxPage)}
	for {
		found, err := tenant.Learning.Profiles(ctx, filter, page)
		if err != nil {
			return nil, err
		}
		all = append(all, memory.Mapped(found.Items, tenant.Learning.Summary)...)
		if page.After = found.Next(); page.After == nil {
			return all, nil
		}
	}
}

func printProfiles(w io.Writer, all []summaries.ProfileSummary) {
	if len(all) == 0 {
		fmt.Fprintln(w, "No profile fits.")
		return
	}
	table(w, []string{"TASK TYPE", "AGENT", "EXPERTISE", "EXECUTIONS", "TREND"}, all, func(p summaries.ProfileSummary) []string {
		return []string{
			oneLine(p.TaskType, 40), p.AgentID, decimals(p.Expertise, 3), strconv.Itoa(p.ExecutionsTotal), strings.ToLower(string(p.Trend)),
		}
	})
}

func printRanking(w io.Writer, ranking []summaries.RankingSummary) {
	table(w, []string{"#", "AGENT", "SCORE", "EXPERTISE", "CONFIDENCE"}, ranking, func(r summaries.RankingSummary) []string {
		return []string{strconv.Itoa(r.Rank), r.AgentID, decimals(r.Score, 3), decimals(r.Expertise, 3), decimals(r.Confidence, 2)}
	})
	for _, r := range ranking {
		fmt.Fprintf(w, "\n%d. %s\n   %s\n", r.Rank, r.AgentID, strings.Join(r.Reasons, "\n   "))
	}
}

// decimals is a number with so many decimals.
func decimals(number float64, digits int) string { return strconv.FormatFloat(number, 'f', digits, 64) }
