package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// writers is how many clients record at once; as many read.
const writers = 8

// settling is how long what is under way may take once the load has ended: restarts, spans that wait.
const settling = 3 * time.Minute

// session is a run under way.
type session struct {
	plan
	dir    string
	store  *storage
	fleet  []*server
	ledger *ledger
	// listening are those who are told of what is recorded.
	listening []*subscriber
	out       io.Writer

	mutex  sync.Mutex
	faults []string
}

func run(ctx context.Context, p plan, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "mneme-torture-")
	if err != nil {
		return err
	}
	s := &session{plan: p, dir: dir, ledger: newLedger(), out: out}
	if p.keep {
		s.logf("data and logs in %s", dir)
	} else {
		defer func() {
			if len(s.faults) > 0 {
				s.logf("data and logs stay in %s", dir)
				return
			}
			err = errors.Join(err, os.RemoveAll(dir))
		}()
	}
	if err := s.build(ctx); err != nil {
		return err
	}
	s.store, err = openStorage(ctx, p.store, dir, out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.store.remove(context.WithoutCancel(ctx))) }()
	for i := range s.servers {
		one, err := newServer(ctx, s, i)
		if err != nil {
			return err
		}
		defer one.kill()
		s.fleet = append(s.fleet, one)
		if err := one.start(ctx); err != nil {
			return err
		}
	}
	if err := s.load(ctx); err != nil {
		return err
	}
	if err := s.verify(ctx); err != nil {
		return err
	}
	return s.verdict()
}

// load lets clients work for the time of the plan, and servers be killed meanwhile.
func (s *session) load(ctx context.Context) error {
	s.logf("%d servers on %s, %d writers, %d readers, %s, %d kills, seed %d", s.servers, s.plan.store, writers, writers, s.time, s.kills, s.seed)
	var err error
	if s.listening, err = s.subscribers(ctx); err != nil {
		return err
	}
	working, enough := context.WithTimeout(ctx, s.time)
	defer enough()
	var clients sync.WaitGroup
	for i := range writers {
		clients.Go(func() { s.write(working, i) })
		clients.Go(func() { s.read(working, i) })
	}
	for _, sub := range s.listening {
		clients.Go(func() { sub.follow(working, "") })
	}
	clients.Go(func() { s.forget(working) })
	clients.Go(func() { s.consolidate(working) })
	clients.Go(func() { s.transfer(working) })
	s.killAll(working)
	clients.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.logf("load ended: %s", s.ledger.summary())
	return nil
}

// killAll kills servers and Neo4j one after the other, spread over the time, and starts them again.
func (s *session) killAll(ctx context.Context) {
	dice := rand.New(rand.NewPCG(s.seed, 99))
	neo4jKills := 0
	if s.store.neo4j != nil {
		neo4jKills = s.neo4jKills
	}
	kills := s.kills + neo4jKills
	began := time.Now()
	for i := range kills {
		at := s.time * time.Duration(i+1) / time.Duration(kills+1)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Until(began.Add(at))):
		}
		// Neo4j's turns are spread evenly among those of the servers.
		if i*neo4jKills/kills != (i+1)*neo4jKills/kills {
			s.check("Neo4j starts again", s.store.crash(ctx))
			s.ledger.count("kills of Neo4j")
			continue
		}
		one := s.fleet[dice.IntN(len(s.fleet))]
		one.kill()
		s.ledger.count("kills of a server")
		s.check("a server starts again", one.start(context.WithoutCancel(ctx)))
	}
	<-ctx.Done()
}

// fault notes what must not happen; the run goes on, to see what else does.
func (s *session) fault(format string, values ...any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	text := fmt.Sprintf(format, values...)
	s.faults = append(s.faults, text)
	if len(s.faults) <= 20 {
		fmt.Fprintln(s.out, "FAULT:", text)
	}
}

func (s *session) check(what string, err error) {
	if err != nil {
		s.fault("%s: %v", what, err)
	}
}

func (s *session) verdict() error {
	if n := len(s.faults); n > 0 {
		return fmt.Errorf("%d faults", n)
	}
	s.logf("%s\nnothing acknowledged is missing, no aggregate is wrong, nothing forgotten is back, every event was told once and in order", s.ledger.summary())
	return nil
}

func (s *session) logf(format string, values ...any) {
	_, _ = fmt.Fprintf(s.out, format+"\n", values...) // for people
}

func (s *session) path(name string) string { return filepath.Join(s.dir, name) }
