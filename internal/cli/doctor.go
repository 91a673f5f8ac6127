package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mneme/internal/app"
	"mneme/memory/prose"
	"mneme/service"
)

func (p *program) doctorCommand() *cobra.Command {
	command := p.configured(&cobra.Command{
		Use:   "doctor",
		Short: "Look through the store for what is broken, and say what to do",
		Long: `Look through the store for what is broken: damaged files, a schema of another version, missing indexes, records that
cannot be read, links that lead nowhere or to another tenant, an index of words that does not say what the records say,
counters that are wrong. It reads everything, which may take long, and changes nothing; a server may run on the same data
meanwhile. What follows from records is made anew by mneme rebuild; what cannot be read comes back from a backup, or
is deleted by mneme forget. The exit status is 1 where something is wrong.`,
		Example: "  mneme doctor\n  mneme doctor --store neo4j://localhost:7687 --json",
	}, p.doctor)
	p.storeFlags(command)
	return command
}

// report is all that the doctor says.
type report struct {
	build
	Store    string            `json:"store"`
	Vectors  string            `json:"vectors"` // what compares meanings: built-in, off or endpoint
	Embedder app.Endpoint      `json:"embedder"`
	Model    app.Endpoint      `json:"model"`
	Findings []service.Finding `json:"findings"`
	Faults   int               `json:"faults"`
}

func (p *program) doctor(command *cobra.Command, _ []string) (err error) {
	ctx := command.Context()
	c := report{
		build: thisBuild(), Store: p.config.ShownStore(), Vectors: p.config.ShownVectors(), Embedder: app.EndpointOf(p.config.Embedder), Model: app.EndpointOf(p.config.Model),
	}
	memory, err := app.OpenExisting(ctx, p.config, p.logger())
	var problem *app.Problem
	switch {
	case errors.As(err, &problem) && !problem.Misuse: // that it cannot be opened is what was found
		fault := strings.TrimSuffix(problem.Error(), "\n"+problem.Do)
		c.Findings = []service.Finding{{Part: "store", Fault: fault, Remedy: problem.Do}}
	case err != nil:
		return err
	default:
		defer func() { err = errors.Join(err, memory.Close(context.WithoutCancel(ctx))) }()
		c.Store = memory.Describe()
		if c.Findings, err = memory.Service.Examine(ctx); err != nil {
			return err
		}
	}
	for _, finding := range c.Findings {
		if finding.Fault != "" {
			c.Faults++
		}
	}
	if err := p.answer(c, func(w io.Writer) { tellCheckup(w, c) }); err != nil {
		return err
	}
	if c.Faults == 0 {
		return nil
	}
	are := map[bool]string{true: "is a fault", false: "are faults"}[c.Faults == 1]
	return fmt.Errorf("%d of %s %s", c.Faults, prose.Plural(len(c.Findings), "finding"), are)
}

func tellCheckup(w io.Writer, c report) {
	fmt.Fprintf(w, "mneme %s, %s %s/%s\nstore: %s\nembedder: %s\nchat model: %s\n\n", c.Version, c.Go, c.OS, c.Arch, c.Store,
		endpointText(c.Embedder, vectorsText(c.Vectors)), endpointText(c.Model, "insights are written by rule"))
	table(w, []string{"STATE", "PART", "FOUND"}, c.Findings, func(finding service.Finding) []string {
		state, says := "ok", finding.Found
		if finding.Fault != "" {
			state, says = "FAULT", oneLine(finding.Fault, 100)
		}
		return []string{state, partOf(finding), says}
	})
	for _, finding := range c.Findings {
		if finding.Fault == "" {
			continue
		}
		fmt.Fprintf(w, "\n%s: %s\n  %s\n", partOf(finding), finding.Fault, strings.ReplaceAll(finding.Remedy, "\n", "\n  "))
	}
	if c.Faults > 0 {
		fmt.Fprintf(w, "\nGive commands the same --data or --store, and --tenant where that is not %s.\n", service.DefaultTenant)
	}
}

// partOf names a part with its tenant.
func partOf(finding service.Finding) string {
	return strings.TrimPrefix(finding.Tenant+": "+finding.Part, ": ")
}

// vectorsText says what compares meanings where no endpoint does.
func vectorsText(chosen string) string {
	if chosen == app.Off {
		return "texts are compared by their words only (MNEME_EMBEDDER=off)"
	}
	return "texts are compared by their words and by the built-in vectors"
}

func endpointText(e app.Endpoint, without string) string {
	if !e.Configured {
		return "not configured, " + without
	}
	return fmt.Sprintf("%s at %s (configured, not asked)", e.Model, e.Host)
}

func (p *program) healthcheckCommand() *cobra.Command {
	return p.begun(&cobra.Command{
		Use:   "healthcheck [URL]",
		Short: "Ask a server whether it is ready; status 1 if not",
		Long: "Ask the server at URL (http://127.0.0.1:8080) whether it is ready. The exit status is 1 if it is not, or does not\n" +
			"answer within 5 seconds. Container engines call it: the image has no shell.",
		Args: cobra.MatchAll(cobra.MaximumNArgs(1), notEmpty),
	}, func(command *cobra.Command, args []string) error {
		url := append(args, "http://127.0.0.1:8080")[0]
		request, err := http.NewRequestWithContext(command.Context(), http.MethodGet, url+"/readyz", http.NoBody)
		if err != nil {
			return err
		}
		client := http.Client{Timeout: 5 * time.Second}
		answer, err := client.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return fmt.Errorf("%s is not ready: %s", url, answer.Status)
		}
		fmt.Fprintf(p.Out, "%s is ready\n", url)
		return nil
	})
}
