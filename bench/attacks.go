package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/keyring"
)

// attacksPlan is what a run of attacks does.
type attacksPlan struct{ store, only, results string }

func attacksFlags(args []string) attacksPlan {
	var p attacksPlan
	flags := flag.NewFlagSet("attacks", flag.ExitOnError)
	flags.StringVar(&p.store, "store", "sqlite", "sqlite or neo4j; of Neo4j the run starts its own, by Docker or Java")
	flags.StringVar(&p.only, "only", "", "a part of the names of the attacks; all where it is empty")
	flags.StringVar(&p.results, "results", "bench/ATTACKS.md", "the file of which the section of the store is written")
	_ = flags.Parse(args) // ExitOnError
	return p
}

// attack is what somebody with the keys of a tenant does to a server, what the tenant has before, and how it ended.
type attack struct {
	name string
	fill func(context.Context, *service.Tenant) error
	do   func(context.Context, *attacked) (string, error)
}

const (
	largeText = 200 << 10
	hugeText  = 15 << 20
)

// megabytes are those of the longest episodes: a transaction of the Neo4j that the run starts may take 64 MiB, and an
// episode takes some six times its length.
var megabytes = map[string]int{"sqlite": 15, "neo4j": 7}

// attacks are those that once took a server's memory or kept others waiting; long is the longest episode in megabytes.
func attacks(long int) []attack {
	return []attack{
		{"200 subscribers that read nothing, to 200 episodes of 200 KB", episodesOf(200, largeText), func(ctx context.Context, a *attacked) (string, error) {
			return a.listen(ctx, 200, `{ observation } } }`, false)
		}},
		{fmt.Sprintf("200 that read ids alone, to 60 episodes of %d MB", long), episodesOf(60, long<<20), func(ctx context.Context, a *attacked) (string, error) {
			return a.listen(ctx, 200, `{ id } } }`, true)
		}},
		{"256 that read 100 episodes at each of 200, by four keys", episodesOf(200, 100), func(ctx context.Context, a *attacked) (string, error) {
			return a.listen(ctx, 256, `{ agent { episodes(first: 100) { nodes { id title observation thoughts outcome startedAt endedAt agent { id name } } } } } } }`, true)
		}},
		{"240 updates of a canvas with 1 MB each, then a read", episodesOf(1, 100), updatedCanvas},
		{fmt.Sprintf("a recall, a search and a list of 6 liked episodes of %d MB", long), likedEpisodes(long << 20), func(ctx context.Context, a *attacked) (string, error) {
			return a.ask(ctx, `{ recall(input: {situation: "The walrus"}) { hits { episode { id observation thoughts } } lessons } }`,
				`{ search(query: "walrus") { nodes { score } } }`, `{ episodes { nodes { id } } }`)
		}},
		{fmt.Sprintf("the deletion of an agent of 40 episodes of %d MB", long), episodesOf(40, long<<20), func(ctx context.Context, a *attacked) (string, error) {
			return a.ask(ctx, `mutation { deleteAgent(input: {id: "ada"}) { deletedId } }`)
		}},
		{"a block string of 15 MB", nothing, func(ctx context.Context, a *attacked) (string, error) {
			return a.ask(ctx, `mutation { recordEpisode(input: {agentId: "ada", observation: """`+strings.Repeat("\n  a walrus ", hugeText/16)+`"""}) { episode { id } } }`)
		}},
		{"8 spans' bodies that unzip to 256 MB", nothing, func(ctx context.Context, a *attacked) (string, error) {
			var body bytes.Buffer
			zip := gzip.NewWriter(&body)
			_, _ = io.CopyN(zip, blanks{}, 256<<20)
			_ = zip.Close()
			return a.eightTimes(func() (string, error) {
				status, text, err := a.send(ctx, "/v1/traces", a.keys[0], http.Header{"Content-Type": {"application/json"}, "Content-Encoding": {"gzip"}}, body.Bytes())
				return verdictOn(status, text), err
			})
		}},
	}
}

type blanks struct{}

func (blanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

func nothing(context.Context, *service.Tenant) error { return nil }

func episodesOf(count, size int) func(context.Context, *service.Tenant) error {
	return func(ctx context.Context, tenant *service.Tenant) error {
		for i := range count {
			if err := recordLarge(ctx, tenant, fmt.Sprint("e", i), size); err != nil {
				return err
			}
		}
		return nil
	}
}

func recordLarge(ctx context.Context, tenant *service.Tenant, id string, size int) error {
	thoughts := slices.Repeat([]string{strings.Repeat("x", 1<<20)}, size>>20)
	_, err := tenant.Episodes.RecordEpisode(ctx, boundary.RecordEpisodeInput{
		ID: &id, AgentID: "ada", Observation: "The walrus " + strings.Repeat("x", size%(1<<20)), Thoughts: thoughts, Outcome: new(memory.OutcomeSuccess),
	}, boundary.Include{})
	return err
}

func likedEpisodes(size int) func(context.Context, *service.Tenant) error {
	return func(ctx context.Context, tenant *service.Tenant) error {
		for i := range 6 {
			id := fmt.Sprint("e", i)
			if err := recordLarge(ctx, tenant, id, size); err != nil {
				return err
			}
			if _, err := tenant.Reactions.SubmitFeedback(ctx, boundary.SubmitFeedbackInput{EpisodeID: &id, Type: memory.FeedbackThumbsUp}); err != nil {
				return err
			}
		}
		return nil
	}
}

func updatedCanvas(ctx context.Context, a *attacked) (string, error) {
	said := ""
	for i := range 240 {
		metadata, _ := json.Marshal(fmt.Sprintf(`{"k%d": %q}`, i, strings.Repeat("x", 1_000_000)))
		action := fmt.Sprintf(`{canvasId: "c", episodeId: "e0", canvasType: "docs", action: UPDATE, metadata: %s}`, metadata)
		status, text, err := a.post(ctx, a.keys[0], `mutation { recordCanvasActions(input: {actions: [`+action+`]}) { result { failed errors { code message } } } }`)
		if err != nil {
			return "", err
		}
		if !bytes.Contains(text, []byte(`"failed":0`)) {
			said = fmt.Sprintf("update %d: %d, %s; ", i, status, refusal.Find(text))
			break
		}
	}
	read, err := a.ask(ctx, `{ episode(id: "e0") { canvasContext { metadata actions { metadata } } } }`)
	return said + "read: " + read, err
}

var refusal = regexp.MustCompile(`"code":"\w+","message":"[^"]*"`)

// attacked is a server under attack.
type attacked struct {
	server *process
	keys   []string // of the tenant that attacks
	other  string   // of another
}

// runAttacks starts a server for each attack, and writes its memory over idle and how long another tenant waited.
func runAttacks(ctx context.Context, p attacksPlan) (err error) {
	work, err := os.MkdirTemp("", "mneme-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	binary, err := buildMneme(ctx, work)
	if err != nil {
		return err
	}
	var rows strings.Builder
	title := ""
	for i, one := range attacks(megabytes[p.store]) {
		if !strings.Contains(one.name, p.only) {
			continue
		}
		open, known := scaleStores[p.store]
		if !known {
			return fmt.Errorf("the store is %q; it must be sqlite or neo4j", p.store)
		}
		s, err := open(ctx, filepath.Join(work, fmt.Sprint("data", i)), false)
		if err != nil {
			return err
		}
		title = s.title
		row, err := p.attack(ctx, s, binary, one)
		if err = errors.Join(err, s.close(context.WithoutCancel(ctx))); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		progress("%s", row)
		fmt.Fprintln(&rows, row)
	}
	return keepSection(p.results, attacksTop, title, "| attack | memory over idle | slowest answer to another | its own |\n|---|---|---|---|\n"+rows.String()+"\n"+scaleSurroundings(ctx))
}

const attacksTop = `# Attacks

Each on a server of its own with the standard settings: the most memory that the server took over what it had when idle, within 20 s where the attack goes on; the
slowest of the answers to another tenant, which asks for its agents ten times a second; and what the attacker was answered.

    make bench-attacks STORE=sqlite    # or neo4j
`

func (p attacksPlan) attack(ctx context.Context, s *scaled, binary string, one attack) (string, error) {
	s.svc = service.New(s.backend, service.WithLogger(slog.New(slog.DiscardHandler)))
	asked, done := context.WithCancel(service.WithTenant(ctx, "attacker"))
	tenant, err := s.svc.Tenant(asked)
	if err == nil {
		err = one.fill(asked, tenant)
	}
	done()
	if err != nil {
		return "", err
	}
	a := &attacked{}
	ring := keyring.New(s.backend, slog.New(slog.DiscardHandler))
	for _, tenant := range []string{"attacker", "attacker", "attacker", "attacker", "other"} {
		made, err := ring.Create(ctx, keyring.CreateInput{Tenant: tenant, Role: access.Admin})
		if err != nil {
			return "", err
		}
		a.keys = append(a.keys, made.Secret)
	}
	a.keys, a.other = a.keys[:4], a.keys[4]
	if a.server, err = start(ctx, append([]string{"MNEME_LOG_LEVEL=error"}, s.server...), func(address string) []string { return []string{binary, "serve", "--listen", address} }); err != nil {
		return "", err
	}
	defer a.server.stop()
	for _, key := range []string{a.keys[0], a.other} { // as it is idle after work
		if _, err := a.as(ctx, key, `{ recall(input: {situation: "The walrus"}) { lessons } }`); err != nil {
			return "", err
		}
	}
	time.Sleep(3 * time.Second) // for what follows a start
	before, err := a.server.spent()
	if err != nil {
		return "", err
	}
	waits, slowest := context.WithCancel(ctx)
	longest := make(chan time.Duration, 1)
	go func() { longest <- a.longestWait(waits) }()
	said, err := one.do(ctx, a)
	slowest()
	waited := <-longest
	if err != nil {
		return "", err
	}
	after, err := a.server.spent()
	return fmt.Sprintf("| %s | %d MB | %.2f s | %s |", one.name, (after.most-before.now)>>20, waited.Seconds(), said), err
}

// longestWait asks as another tenant until the context ends, and gives the longest time that it waited.
func (a *attacked) longestWait(ctx context.Context) (longest time.Duration) {
	for ctx.Err() == nil {
		began := time.Now()
		if said, err := a.as(context.WithoutCancel(ctx), a.other, `{ agents { totalCount } }`); err != nil || !strings.HasSuffix(said, "bytes") {
			progress("another was answered %s (%v)", said, err)
		}
		longest = max(longest, time.Since(began))
		time.Sleep(time.Second / 10)
	}
	return longest
}

// ask sends queries by the first key, one after another.
func (a *attacked) ask(ctx context.Context, queries ...string) (string, error) {
	var all []string
	for _, query := range queries {
		said, err := a.as(ctx, a.keys[0], query)
		if err != nil {
			return "", err
		}
		all = append(all, said)
	}
	return strings.Join(all, "; "), nil
}

func (a *attacked) as(ctx context.Context, key, query string) (string, error) {
	status, text, err := a.post(ctx, key, query)
	return strings.Replace(verdictOn(status, text), "200, ", "", 1), err
}

func (a *attacked) post(ctx context.Context, key, query string) (int, []byte, error) {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return 0, nil, err
	}
	return a.send(ctx, "/graphql", key, http.Header{"Content-Type": {"application/json"}}, body)
}

func (a *attacked) send(ctx context.Context, path, key string, header http.Header, body []byte) (int, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.server.url+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	request.Header = header
	request.Header.Set("Authorization", "Bearer "+key)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	return answer.StatusCode, text, err
}

func (a *attacked) eightTimes(send func() (string, error)) (string, error) {
	var (
		group sync.WaitGroup
		mu    sync.Mutex
		said  string
		fails error
	)
	for range 8 {
		group.Go(func() {
			one, err := send()
			mu.Lock()
			defer mu.Unlock()
			said, fails = one, errors.Join(fails, err)
		})
	}
	group.Wait()
	return said, fails
}

// listen subscribes so often by the tenant's keys, from the first episode, and goes on for 20 s.
func (a *attacked) listen(ctx context.Context, count int, selected string, reads bool) (string, error) {
	ctx, leave := context.WithTimeout(ctx, 20*time.Second)
	defer leave()
	body, err := json.Marshal(map[string]string{"query": `subscription { episodeRecorded(after: "bGl2ZTow") { cursor episode ` + selected})
	if err != nil {
		return "", err
	}
	var told, refused atomic.Int64
	for i := range count {
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.server.url+"/graphql", bytes.NewReader(body))
		if err != nil {
			return "", err
		}
		request.Header = http.Header{"Authorization": {"Bearer " + a.keys[i%len(a.keys)]}, "Content-Type": {"application/json"}, "Accept": {"text/event-stream"}}
		answer, err := (&http.Transport{}).RoundTrip(request) //nolint:bodyclose // it stays open until the attack is over
		if ctx.Err() != nil {
			return fmt.Sprintf("%d of them in 20 s", i), nil // it took longer to be let in
		}
		if err != nil {
			return "", err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return "", fmt.Errorf("subscription %d was answered %s", i, answer.Status)
		}
		if reads {
			go func() {
				for lines := bufio.NewReaderSize(answer.Body, 1<<20); ; {
					line, err := lines.ReadString('\n')
					if strings.HasPrefix(line, "data: {") {
						told.Add(1)
					}
					if strings.Contains(line, `"errors"`) {
						refused.Add(1)
					}
					if err != nil {
						return
					}
				}
			}()
		}
	}
	<-ctx.Done()
	return fmt.Sprintf("%d events, %d refused", told.Load(), refused.Load()), nil
}
