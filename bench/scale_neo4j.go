package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/internal/testneo4j"
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
	took := &firsts{longest: map[string]time.Duration{}}
	backend, err := neo4j.Open(ctx, neo4j.Options{
		URL: server.URL, User: server.User, Password: server.Password, Observer: took,
	})
	if err != nil {
		return nil, errors.Join(err, stop(context.WithoutCancel(ctx)))
	}
	return &scaled{
		title: "Neo4j", backend: backend, maxOfRaw: 2, stop: stop, busy: func() time.Duration { return busy() + busyOf(server.PID) },
		server: []string{"MNEME_STORE=" + server.URL, "MNEME_NEO4J_USER=" + server.User, "MNEME_NEO4J_PASSWORD=" + server.Password},
		raw:    func(context.Context, string) (rawQueries, error) { return openRawNeo4j(server) },
		forget: func(ctx context.Context) error { return forgetPlans(ctx, server) }, firsts: took,
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

// rawNeo4j asks the store's own index, over the same driver and as the store does: in transactions of one exchange.
type rawNeo4j struct{ driver driver.DriverWithContext }

func openRawNeo4j(server *testneo4j.Server) (rawQueries, error) {
	bare, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	return &rawNeo4j{bare}, err
}

// forgetPlans has the database plan each statement anew.
func forgetPlans(ctx context.Context, server *testneo4j.Server) (err error) {
	bare, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.Close(ctx)) }()
	_, err = driver.ExecuteQuery(ctx, bare, "CALL db.clearQueryCaches()", nil, driver.EagerResultTransformer)
	return err
}

func (r *rawNeo4j) close(ctx context.Context) error { return r.driver.Close(ctx) }

func (r *rawNeo4j) byWords(ctx context.Context, stems []string) (err error) {
	const ask = `CALL db.index.fulltext.queryNodes('mneme_passages', $words, {limit: 100}) YIELD node, score RETURN id(node) AS id, score`
	session := r.driver.NewSession(ctx, driver.SessionConfig{AccessMode: driver.AccessModeRead, DatabaseName: "neo4j"})
	defer func() { err = errors.Join(err, session.Close(ctx)) }()
	words := `words:("` + strings.Join(stems, `" OR "`) + `")`
	result, err := session.Run(ctx, ask, map[string]any{"words": words})
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
