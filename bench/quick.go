package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"mneme/service"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/sqlite"
)

// system is one of those that are compared.
type system struct {
	name    string
	process *process
	load    load
}

// quick compares the read of an enriched episode by id.
func quick(ctx context.Context, p plan) error {
	url := os.Getenv("MNEME_TEST_NEO4J")
	if url == "" {
		return errors.New("MNEME_TEST_NEO4J names no server; `make bench-quick` starts one, or run scripts/neo4j.sh up and set what scripts/neo4j.sh env prints")
	}
	work, err := os.MkdirTemp("", "mneme-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	progress("building mneme")
	binary, err := buildMneme(ctx, work)
	if err != nil {
		return err
	}
	data := filepath.Join(work, "data")
	if err := seedBoth(ctx, p, url, data); err != nil {
		return err
	}
	neo4jSystems, err := onNeo4j(ctx, p, binary, url)
	if err != nil {
		return err
	}
	neo4jRounds, err := compare(ctx, p, neo4jSystems)
	if err != nil {
		return err
	}
	sqliteSystems, err := onSQLite(ctx, p, binary, data)
	if err != nil {
		return err
	}
	sqliteRounds, err := compare(ctx, p, sqliteSystems)
	if err != nil {
		return err
	}
	version, err := neo4jVersion(ctx, url)
	if err != nil {
		return err
	}
	return report(ctx, p, version, neo4jRounds, sqliteRounds)
}

func seedBoth(ctx context.Context, p plan, url, data string) error {
	progress("recording %d episodes in Neo4j", p.episodes)
	inNeo4j, err := neo4j.Open(ctx, neo4j.Options{URL: url, User: os.Getenv("MNEME_TEST_NEO4J_USER"), Password: os.Getenv("MNEME_TEST_NEO4J_PASSWORD")})
	if err != nil {
		return err
	}
	if err := seedInto(ctx, inNeo4j, p.episodes); err != nil {
		return err
	}
	progress("recording %d episodes in SQLite", p.episodes)
	inSQLite, err := sqlite.Open(ctx, sqlite.Options{Dir: data})
	if err != nil {
		return err
	}
	return seedInto(ctx, inSQLite, p.episodes)
}

func seedInto(ctx context.Context, backend store.Backend, episodes int) error {
	svc := service.New(backend, service.WithLogger(slog.New(slog.DiscardHandler)))
	tenant, err := svc.Tenant(ctx)
	if err == nil {
		err = seed(ctx, tenant, episodes)
	}
	return errors.Join(err, backend.Close(context.WithoutCancel(ctx)))
}

// The query reads what a page that shows one episode needs.
const episodeQuery = `query Episode($id: ID!) {
  episode(id: $id) {
    id title observation thoughts actions { stepName result } result outcome insight startedAt endedAt
    agent { id name } aggregateFeedbackScore canvasActionCount
    canvasContext { id canvasType componentType createdAt actions { action metadata at } }
    feedbackContext { id type rating score corrections createdBy createdAt }
  }
}`

const peerQuery = `query Episode($key: String!) {
  episodes(where: { tenant: { eq: "default" }, key: { eq: $key } }) {
    key title observation thoughts actionNames actionResults result outcome insight startedAt endedAt
    agent { key name } feedbackSum feedbackCount canvasActionCount
    canvases { key canvasType componentType createdAt actionKinds actionMetadata actionTimes }
    feedback { key type rating score corrections createdBy createdAt }
  }
}`

func onNeo4j(ctx context.Context, p plan, binary, url string) ([]system, error) {
	user, password := os.Getenv("MNEME_TEST_NEO4J_USER"), os.Getenv("MNEME_TEST_NEO4J_PASSWORD")
	credentials := []string{"MNEME_NEO4J_USER=" + user, "MNEME_NEO4J_PASSWORD=" + password}
	bare, err := p.bare(ctx, "bare-neo4j", url, credentials)
	if err != nil {
		return nil, err
	}
	ours, err := p.mneme(ctx, binary, append(credentials, "MNEME_STORE="+url))
	if err != nil {
		return nil, err
	}
	progress("installing the peer")
	if out, err := exec.CommandContext(ctx, "npm", "ci", "--prefix", "bench/peer", "--no-audit", "--no-fund").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	environment := []string{"NEO4J_URL=" + url, "NEO4J_USER=" + user, "NEO4J_PASSWORD=" + password, "NODE_ENV=production"}
	peer, err := start(ctx, environment, func(address string) []string {
		return []string{"env", "ADDRESS=" + address, "node", "bench/peer/server.mjs"}
	})
	if err != nil {
		return nil, err
	}
	empty, err := p.bare(ctx, "empty-neo4j", url, credentials)
	if err != nil {
		return nil, err
	}
	empty.name, empty.load.check = "an empty query", checkAnswered
	return []system{bare, ours, {
		name: "@neo4j/graphql 7.6.3 on Apollo Server 5.5.1", process: peer,
		load: p.load(peer.url+"/", func(key string) any {
			return map[string]any{"query": peerQuery, "variables": map[string]string{"key": key}}
		}),
	}, empty}, nil
}

func onSQLite(ctx context.Context, p plan, binary, data string) ([]system, error) {
	bare, err := p.bare(ctx, "bare-sqlite", filepath.Join(data, "default.db"), nil)
	if err != nil {
		return nil, err
	}
	ours, err := p.mneme(ctx, binary, []string{"MNEME_DATA=" + data})
	if err != nil {
		return nil, err
	}
	return []system{bare, ours}, nil
}

func (p plan) bare(ctx context.Context, command, source string, env []string) (system, error) {
	self, err := os.Executable()
	if err != nil {
		return system{}, err
	}
	process, err := start(ctx, env, func(address string) []string {
		return []string{self, command, "-address", address, "-source", source}
	})
	if err != nil {
		return system{}, err
	}
	return system{name: "bare handler", process: process, load: p.load(process.url+"/", func(key string) any {
		return map[string]string{"id": key}
	})}, nil
}

// mneme serves as it does in production: each request has a key.
func (p plan) mneme(ctx context.Context, binary string, env []string) (system, error) {
	key, err := makeKey(ctx, binary, env)
	if err != nil {
		return system{}, err
	}
	process, err := start(ctx, append(env, "MNEME_REQUESTS_PER_KEY=1000000"), func(address string) []string {
		return []string{binary, "serve", "--listen", address}
	})
	if err != nil {
		return system{}, err
	}
	requests := p.load(process.url+"/graphql", func(key string) any {
		return map[string]any{"query": episodeQuery, "variables": map[string]string{"id": key}}
	})
	requests.key = key
	return system{name: "mneme, GraphQL", process: process, load: requests}, nil
}

// makeKey makes a key of the default tenant.
func makeKey(ctx context.Context, binary string, env []string) (string, error) {
	command := exec.CommandContext(ctx, binary, "keys", "create", "--tenant", "default", "--role", "reader", "--json")
	command.Env = append(os.Environ(), env...)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return "", fmt.Errorf("mneme keys create: %w", err)
	}
	var made struct{ Key string }
	return made.Key, json.Unmarshal(out, &made)
}

// load reads episodes all over the sample, each connection others.
func (p plan) load(url string, body func(key string) any) load {
	return load{
		url: url, connections: p.connections, duration: p.duration,
		request: func(i int) []byte {
			text, err := json.Marshal(body(episodeKey(i * 7919 % p.episodes)))
			if err != nil {
				panic(err) // maps of strings
			}
			return text
		},
		check: checkWhole,
	}
}

func checkAnswered(status int, body []byte) error {
	if status != http.StatusOK {
		return fmt.Errorf("answered %d: %.300s", status, body)
	}
	return nil
}

// checkWhole looks for the last thing of every answer that is whole: all systems were asked for both corrections.
func checkWhole(status int, body []byte) error {
	if strings.Count(string(body), "Say which bank") != 1 || strings.Contains(string(body), `"errors"`) {
		return fmt.Errorf("answered %d: %.300s", status, body)
	}
	return checkAnswered(status, body)
}

// compare puts the systems under load in turns and stops them. A row has one measure for each system.
func compare(ctx context.Context, p plan, systems []system) ([][]measure, error) {
	defer func() {
		for _, s := range systems {
			s.process.stop()
		}
	}()
	for _, s := range systems {
		progress("warming up %s", s.name)
		s.load.duration = p.warmUp
		if _, err := s.load.run(ctx); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	var rounds [][]measure
	for round := range p.rounds {
		row := make([]measure, len(systems))
		for i, s := range systems {
			m, err := s.load.run(ctx)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			row[i] = m
			progress("round %d of %d: %s: %.0f requests/s", round+1, p.rounds, s.name, m.perSecond)
		}
		rounds = append(rounds, row)
	}
	return rounds, nil
}

func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
