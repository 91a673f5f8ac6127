package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/internal/testneo4j"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/neo4j"
)

// scaledNeo4j starts a server of the directory's own, on what it had where that was kept.
func scaledNeo4j(ctx context.Context, dir string, keep bool) (*scaled, error) {
	server, err := neo4jOf(ctx, dir)
	if err != nil {
		return nil, err
	}
	stop := func(ctx context.Context) error {
		if keep {
			return server.Stop(ctx)
		}
		return testneo4j.Down(ctx, dir, os.Stderr)
	}
	asked := &statements{}
	backend, err := neo4j.Open(ctx, neo4j.Options{
		URL: server.URL, User: server.User, Password: server.Password, OnStatement: asked.note,
	})
	if err != nil {
		return nil, errors.Join(err, stop(context.WithoutCancel(ctx)))
	}
	return &scaled{
		title: "Neo4j", backend: backend, stop: stop, busy: func() time.Duration { return busy() + busyOf(server.PID) },
		server: []string{"MNEME_STORE=" + server.URL, "MNEME_NEO4J_USER=" + server.User, "MNEME_NEO4J_PASSWORD=" + server.Password},
		raw: func(ctx context.Context, tenant string) (rawQueries, error) {
			return openRawNeo4j(ctx, server, backend, asked, tenant)
		},
		stored: func(context.Context) (int64, error) {
			if server.Directory == "" {
				return 0, nil // in a container
			}
			return sizeOf(server.Directory)
		},
	}, nil
}

func neo4jOf(ctx context.Context, dir string) (*testneo4j.Server, error) {
	server, err := testneo4j.Load(dir)
	if err == nil && server != nil && !server.Alive(ctx) {
		return server, server.Restart(ctx, dir, os.Stderr)
	}
	if err != nil {
		return nil, err
	}
	return testneo4j.Up(ctx, dir, os.Stderr)
}

// statements keeps the parameters of the last recall that the store sent.
type statements struct {
	sync.Mutex
	recall map[string]any
}

func (s *statements) note(name, _ string, parameters map[string]any) {
	if name == "recall" {
		s.Lock()
		defer s.Unlock()
		s.recall = parameters
	}
}

func (s *statements) last() map[string]any {
	s.Lock()
	defer s.Unlock()
	return s.recall
}

// rawNeo4j asks the store's own indexes, over the same driver and as the store does: in transactions that are one
// exchange.
type rawNeo4j struct {
	driver driver.DriverWithContext
	tenant store.Store
	asked  *statements
}

func openRawNeo4j(ctx context.Context, server *testneo4j.Server, backend store.Backend, asked *statements, tenant string) (rawQueries, error) {
	bound, err := backend.Tenant(ctx, tenant)
	if err != nil {
		return nil, err
	}
	bare, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	if err != nil {
		return nil, err
	}
	return &rawNeo4j{driver: bare, tenant: bound, asked: asked}, nil
}

func (r *rawNeo4j) close(ctx context.Context) error { return r.driver.Close(ctx) }

// chosen has the store recall, and looks at what it asks the index for.
func (r *rawNeo4j) chosen(ctx context.Context, situation string) (string, error) {
	if _, err := r.tenant.Candidates(ctx, store.RecallQuery{Text: situation, Limit: 256, Top: 5}); err != nil {
		return "", err
	}
	asked, _ := r.asked.last()["heads"].([]map[string]any)
	if len(asked) > 0 {
		if text, is := asked[0]["text"].(string); is {
			return text, nil
		}
	}
	return "", fmt.Errorf("the recall of %q asked for no words", situation)
}

func (r *rawNeo4j) byWords(ctx context.Context, words string) error {
	const ask = `CALL db.index.fulltext.queryNodes('mneme_words', $words, {limit: 5}) YIELD node, score RETURN node.key AS key, score`
	return r.ask(ctx, ask, map[string]any{"words": words})
}

func (r *rawNeo4j) byMeaning(ctx context.Context, situation string) (bool, error) {
	vector, ok := meaning.Question(situation)
	if !ok {
		return false, fmt.Errorf("%q means nothing", situation)
	}
	return true, r.nearest(ctx, "mneme_episode_meant", vector[:], 5)
}

func (r *rawNeo4j) byVector(ctx context.Context, vector []float32, k int) error {
	return r.nearest(ctx, fmt.Sprintf("mneme_episode_embedding%d", len(vector)), vector, k)
}

func (r *rawNeo4j) nearest(ctx context.Context, index string, vector []float32, k int) error {
	const ask = `CALL db.index.vector.queryNodes($index, $k, $vector) YIELD node, score RETURN node.key AS key, score`
	return r.ask(ctx, ask, map[string]any{"index": index, "k": k, "vector": vector})
}

func (r *rawNeo4j) ask(ctx context.Context, text string, parameters map[string]any) (err error) {
	session := r.driver.NewSession(ctx, driver.SessionConfig{AccessMode: driver.AccessModeRead, DatabaseName: "neo4j"})
	defer func() { err = errors.Join(err, session.Close(ctx)) }()
	result, err := session.Run(ctx, text, parameters)
	if err != nil {
		return err
	}
	_, err = result.Collect(ctx)
	return err
}

// busyOf is how much processor time another process has taken, thread by thread; 0 where the system does not say.
func busyOf(pid int) (total time.Duration) {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	if err != nil {
		return 0
	}
	for _, thread := range threads {
		text, err := os.ReadFile(thread)
		var spent int64
		if _, scanned := fmt.Sscan(string(text), &spent); err == nil && scanned == nil {
			total += time.Duration(spent)
		}
	}
	return total
}
