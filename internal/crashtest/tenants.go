package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
)

// tenants are whose memories are used at once. All that is recorded of one bears its name, so that another's would be
// seen in whatever is answered or told; most of their ids are the same.
var tenants = []string{"walrus", "puffin"}

// tenant is a memory with those who use it, by one key.
type tenant struct {
	*session
	name   string
	place  int // among the tenants
	key    atomic.Pointer[string]
	ledger *ledger
	// listening are those who are told of what is recorded.
	listening []*subscriber
}

// newTenant makes a key of an admin, who may all that clients do here.
func newTenant(ctx context.Context, s *session, place int) (*tenant, error) {
	t := &tenant{session: s, name: tenants[place], place: place, ledger: newLedger()}
	key, err := t.makeKey(ctx)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	t.key.Store(&key)
	return t, nil
}

// each does something for all tenants at once.
func (s *session) each(do func(*tenant)) {
	var group sync.WaitGroup
	for _, t := range s.tenants {
		group.Go(func() { do(t) })
	}
	group.Wait()
}

// other is the tenant that this one must know nothing of.
func (t *tenant) other() *tenant { return t.tenants[1-t.place] }

// RoundTrip sends a request with the tenant's key. Where that ended meanwhile, it is as if nobody had answered.
func (t *tenant) RoundTrip(request *http.Request) (*http.Response, error) {
	keyed, key := request.Clone(request.Context()), t.key.Load()
	keyed.Header.Set("Authorization", "Bearer "+*key)
	answer, err := t.transport.RoundTrip(keyed)
	if err == nil && answer.StatusCode == http.StatusUnauthorized && key != t.key.Load() {
		return nil, errors.Join(errAway, answer.Body.Close())
	}
	return answer, err
}

// lookFor finds what is the other's in what the tenant was given.
func (t *tenant) lookFor(what string, given []byte) {
	if at := bytes.Index(given, []byte(t.other().name)); at >= 0 {
		t.fault("%s gives something of %s: …%s…", what, t.other().name, given[max(0, at-100):min(len(given), at+100)])
	}
}

func (t *tenant) fault(format string, values ...any) {
	t.session.fault("%s: %s", t.name, fmt.Sprintf(format, values...))
}

func (t *tenant) check(what string, err error) { t.session.check(t.name+": "+what, err) }

// load lets the tenant's clients work until the context ends.
func (t *tenant) load(ctx context.Context) {
	var clients sync.WaitGroup
	for i := range writers / len(tenants) {
		clients.Go(func() { t.write(ctx, i+2*t.place) }) // half of their numbers are those of the other, too
		clients.Go(func() { t.read(ctx, i) })
	}
	for _, sub := range t.listening {
		clients.Go(func() { sub.follow(ctx, "") })
	}
	for i := range topics {
		clients.Go(func() { t.reread(ctx, i) })
	}
	clients.Go(func() { t.rotate(ctx) })
	clients.Go(func() { t.forget(ctx) })
	clients.Go(func() { t.consolidate(ctx) })
	clients.Go(func() { t.transfer(ctx) })
	clients.Wait()
}

// verifyApart looks for the other's in all that is kept.
func (c *client) verifyApart(ctx context.Context) {
	if output, err := c.mneme(ctx, "export", "--tenant", c.name, c.path(c.name+".all")).CombinedOutput(); err != nil {
		c.fault("the export at the end: %v\n%s", err, output)
		return
	}
	all, err := os.ReadFile(c.path(c.name + ".all"))
	c.check("read the export", err)
	if !bytes.Contains(all, []byte(c.name)) {
		c.fault("the export holds nothing of the tenant")
	}
	c.lookFor("the export", all)
}
