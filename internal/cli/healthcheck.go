package cli

import (
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

func (p *program) healthcheckCommand() *cobra.Command {
	return p.begun(&cobra.Command{
		Use:   "healthcheck [URL]",
		Short: "Ask a server whether it is ready; status 1 if not",
		Long: "Ask the server at URL (http://127.0.0.1:8080) whether it is ready. The exit status is 1 if it is not, or does not\n" +
			"answer within 5 seconds. Container engines call it: the image has no shell.",
		Args: needs("the URL of a server", 0, 1),
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
