package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// subscriber is a program that subscribes with a client from npm.
type subscriber struct {
	lines *bufio.Scanner
	cmd   *exec.Cmd
}

// heard is what a subscriber prints of an answer.
type heard struct {
	Data struct {
		EpisodeRecorded struct {
			Cursor  string
			Episode struct{ ID string }
		}
	}
	Errors []struct {
		Extensions struct{ Code, Field string }
	}
	Failed any
}

const episodesHeard = `subscription ($after: String) { episodeRecorded(after: $after) { cursor episode { id } } }`

func subscribe(t *testing.T, client string, s *server, key, query string, after any) *subscriber {
	t.Helper()
	variables, err := json.Marshal(map[string]any{"after": after})
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "node", "subscribe.js", client, s.url+"/graphql", key, query, string(variables))
	cmd.Dir = "testdata/subscriber"
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return &subscriber{bufio.NewScanner(out), cmd}
}

func (s *subscriber) next(t *testing.T) (answer heard) {
	t.Helper()
	require.True(t, s.lines.Scan(), "it said nothing more")
	require.NoError(t, json.Unmarshal(s.lines.Bytes(), &answer), s.lines.Text())
	return answer
}

// Clients from another ecosystem subscribe, lose their server by a kill while another process records, and go on at a
// new one where they were: each episode comes once.
func TestSubscribers(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("testdata/subscriber/node_modules"); err != nil {
		if os.Getenv("MNEME_TEST_SUBSCRIBERS_REQUIRED") != "" {
			t.Fatal("the clients are not installed: make e2e-live")
		}
		t.Skip("left out: the npm clients of subscriptions are not installed (make e2e-live)")
	}
	for _, client := range []string{"ws", "sse"} {
		t.Run(client, func(t *testing.T) {
			dir := t.TempDir()
			first, beside := serve(t, dir), serve(t, dir)
			require.NoError(t, beside.record(t.Context(), "e0"))
			events := func(after any) *subscriber { return subscribe(t, client, first, "", episodesHeard, after) }

			start := startOfEvents(t, client, first)
			listening := events(start)
			var after any = start
			for i := 1; i <= 3; i++ {
				require.NoError(t, beside.record(t.Context(), fmt.Sprint("e", i)))
				told := listening.next(t).Data.EpisodeRecorded
				assert.Equal(t, fmt.Sprint("episode:e", i), told.Episode.ID)
				after = told.Cursor
			}
			first.kill(t)
			if listening.lines.Scan() { // that it failed, and nothing else
				var ended heard
				require.NoError(t, json.Unmarshal(listening.lines.Bytes(), &ended))
				assert.NotNil(t, ended.Failed, listening.lines.Text())
			}
			for i := 4; i <= 6; i++ {
				require.NoError(t, beside.record(t.Context(), fmt.Sprint("e", i)))
			}
			first = serve(t, dir)
			listening = events(after)
			for i := 4; i <= 6; i++ {
				assert.Equal(t, fmt.Sprint("episode:e", i), listening.next(t).Data.EpisodeRecorded.Episode.ID)
			}

			refused := events("nonsense").next(t)
			require.NotEmpty(t, refused.Errors)
			assert.Equal(t, "INVALID_INPUT", refused.Errors[0].Extensions.Code)
			assert.Equal(t, "after", refused.Errors[0].Extensions.Field)
			locked := serve(t, t.TempDir(), "MNEME_API_KEY=the-key-of-the-subscriber")
			assert.NotNil(t, subscribe(t, client, locked, "", episodesHeard, nil).next(t).Failed, "without the key")
		})
	}
}

// startOfEvents is a cursor: that of an episode that is recorded until one is heard of, since nobody says when a client
// begins to listen.
func startOfEvents(t *testing.T, client string, s *server) string {
	t.Helper()
	listening := subscribe(t, client, s, "", episodesHeard, nil)
	heard := make(chan string, 1)
	go func() {
		if listening.lines.Scan() {
			heard <- listening.lines.Text()
		}
		close(heard)
	}()
	for i := 0; ; i++ {
		require.NoError(t, s.record(t.Context(), fmt.Sprint("start", i)))
		select {
		case line := <-heard:
			var told struct {
				Data struct{ EpisodeRecorded struct{ Cursor string } }
			}
			require.NoError(t, json.Unmarshal([]byte(line), &told), line)
			_ = listening.cmd.Process.Kill()
			return lastCursor(t, client, s, told.Data.EpisodeRecorded.Cursor)
		default:
		}
	}
}

// lastCursor is that of the last episode there is, found by a mark that is recorded after it.
func lastCursor(t *testing.T, client string, s *server, after string) string {
	t.Helper()
	require.NoError(t, s.record(t.Context(), "mark"))
	listening := subscribe(t, client, s, "", episodesHeard, after)
	for {
		told := listening.next(t).Data.EpisodeRecorded
		if told.Episode.ID == "episode:mark" {
			_ = listening.cmd.Process.Kill()
			return told.Cursor
		}
	}
}
