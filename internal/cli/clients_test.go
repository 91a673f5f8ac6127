package cli_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const clientsKey = "the-key-of-the-examples"

var recordedByClient = regexp.MustCompile(`(?m)^Recorded (episode:\S+)$`)

// client is the program of examples/go, whose client is generated from the schema.
type client struct{ path, dir string }

func exampleClient(t *testing.T) client {
	t.Helper()
	if os.Getenv("MNEME_TEST_CLIENTS_REQUIRED") == "" {
		t.Skip("left out: the example client needs modules of its own (make e2e-clients)")
	}
	program := client{filepath.Join(t.TempDir(), "agent"), t.TempDir()}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program.path, ".")
	build.Dir = "../../examples/go"
	out, err := build.CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	return program
}

// run gives what the program prints, and what it says where it fails.
func (c client) run(t *testing.T, env ...string) (said, faults string, err error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), c.path)
	cmd.Dir = c.dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// The program learns: what it recorded, showed, was liked for and concluded is why its next run recalls it.
func TestExampleClient(t *testing.T) {
	t.Parallel()
	program := exampleClient(t)
	open := serve(t, t.TempDir())
	locked := serve(t, t.TempDir(), "MNEME_API_KEY="+clientsKey)
	for server, env := range map[string][]string{
		"open":   {"MNEME_URL=" + open.url},
		"locked": {"MNEME_URL=" + locked.url, "MNEME_API_KEY=" + clientsKey},
	} {
		t.Run(server, func(t *testing.T) { learns(t, program, env) })
	}
	_, faults, err := program.run(t, "MNEME_URL="+locked.url, "MNEME_API_KEY=another")
	require.Error(t, err)
	assert.Contains(t, faults, "UNAUTHENTICATED")
	_, _, err = program.run(t, "MNEME_URL=http://127.0.0.1:1")
	require.Error(t, err)
}

func learns(t *testing.T, program client, env []string) {
	t.Helper()
	first, faults, err := program.run(t, env...)
	require.NoErrorf(t, err, "%s%s", first, faults)
	assert.Regexp(t, `^Before the task, hits: 0\nRecorded `, first)
	assert.Contains(t, first, "\nCanvas actions: 2\nFeedback: +1.0\nEnded in SUCCESS. ")
	recorded := recordedByClient.FindStringSubmatch(first)
	require.NotNil(t, recorded, first)
	hit := `\n1\. ` + regexp.QuoteMeta(recorded[1]) + ` of \d{4}-\d\d-\d\d: SUCCESS
   - the observation says it: (1|\.\d\d)
   - .+
   - .+
   - had 2 canvas interactions \(\+0\.10\)
   - people rated it \+1\.00 over 1 \(\+0\.20\)
For the prompt:
Lessons from past similar situations:
`
	assert.Regexp(t, `\nAfter the task, hits: 1`+hit, first)

	second, faults, err := program.run(t, env...)
	require.NoErrorf(t, err, "%s%s", second, faults)
	assert.Contains(t, second, "Before the task, hits: 1\n")
	assert.Contains(t, second, recorded[1])
	assert.Contains(t, second, "near-identical work was done 2 times, 2 succeeded\n")
}
