package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// writers is how many clients record at once, of all tenants; as many read.
const writers = 8

// idleConnections are kept open to each address, as many as are used at once.
const idleConnections = 64

// settling is how long what is under way may take once the load has ended: restarts, spans that wait.
const settling = 3 * time.Minute

// session is a run under way.
type session struct {
	plan
	dir       string
	store     *storage
	fleet     []*server
	url       string // of the load balancer, which clients send to
	transport http.Transport
	tenants   []*tenant
	out       io.Writer

	mutex  sync.Mutex
	faults []string
}

func run(ctx context.Context, p plan, out io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "mneme-torture-")
	if err != nil {
		return err
	}
	s := &session{plan: p, dir: dir, transport: http.Transport{MaxIdleConnsPerHost: idleConnections}, out: out}
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
	if err := s.models(ctx); err != nil {
		return err
	}
	for place := range tenants {
		one, err := newTenant(ctx, s, place)
		if err != nil {
			return err
		}
		s.tenants = append(s.tenants, one)
	}
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
	if err := s.balance(ctx); err != nil {
		return err
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
	s.logf("%d servers on %s, %d tenants, %d writers, %d readers, %s, %d kills, seed %d", s.servers, s.plan.store, len(tenants), writers, writers, s.time, s.kills, s.seed)
	failed := make([]error, len(s.tenants))
	s.each(func(t *tenant) { t.listening, failed[t.place] = t.subscribers(ctx) })
	if err := errors.Join(failed...); err != nil {
		return err
	}
	working, enough := context.WithTimeout(ctx, s.time)
	defer enough()
	var all sync.WaitGroup
	all.Go(func() { s.each(func(t *tenant) { t.load(working) }) })
	done := s.killAll(working)
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.logf("load ended: %v\n%s", done, s.summary())
	return nil
}

// blow is a kill, or a file that is moved away: so long after the beginning.
type blow struct {
	at   time.Duration
	what string
}

const (
	ofServer = "servers killed"
	ofNeo4j  = "kills of Neo4j"
	ofFile   = "files moved away"
)

// blows are those of the plan: each in the middle of its share of the time.
func (s *session) blows() (all []blow) {
	times := map[string]int{ofServer: s.kills, ofFile: s.moves}
	if s.store.neo4j != nil {
		times = map[string]int{ofServer: s.kills, ofNeo4j: s.neo4jKills}
	}
	for what, n := range times {
		for i := range n {
			all = append(all, blow{s.time * time.Duration(2*i+1) / time.Duration(2*n), what})
		}
	}
	slices.SortStableFunc(all, func(a, b blow) int { return cmp.Compare(a.at, b.at) })
	return all
}

// longestDown is how long a server that was killed stays down at most, for the balancer to go without.
const longestDown = 3 * time.Second

// killAll kills servers and Neo4j, and moves files away, one after the other, and brings them back.
func (s *session) killAll(ctx context.Context) (done map[string]int) {
	done = map[string]int{}
	dice := rand.New(rand.NewPCG(s.seed, 99))
	began := time.Now()
	for _, blow := range s.blows() {
		pause(ctx, time.Until(began.Add(blow.at)))
		if ctx.Err() != nil {
			return done
		}
		done[blow.what]++
		switch blow.what {
		case ofNeo4j:
			s.check("Neo4j starts again", s.store.crash(ctx))
		case ofFile:
			s.check("a file is moved", s.moveAway(ctx, dice))
		default:
			one := s.fleet[dice.IntN(len(s.fleet))]
			one.kill()
			pause(ctx, time.Duration(dice.Int64N(int64(longestDown))))
			s.check("a server starts again", one.start(context.WithoutCancel(ctx)))
		}
	}
	<-ctx.Done()
	return done
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
	s.logf("%s\nnothing acknowledged is missing, no aggregate is wrong, nothing forgotten is back, every event was told once and in order, and nobody was given another's", s.summary())
	return nil
}

func (s *session) summary() string {
	lines := make([]string, len(s.tenants))
	for i, t := range s.tenants {
		lines[i] = t.name + ": " + t.ledger.summary()
	}
	return strings.Join(lines, "\n")
}

func (s *session) logf(format string, values ...any) {
	_, _ = fmt.Fprintf(s.out, format+"\n", values...) // for people
}

func (s *session) path(name string) string { return filepath.Join(s.dir, name) }
