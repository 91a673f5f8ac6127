package service_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/store"
)

// turns lets several that work on one store take turns, one call of the store each, in an order that a seed fixes.
type turns struct {
	store.Backend
	asking chan turn
}

// turn is somebody who is about to call the store, or who has ended where there is nothing to begin.
type turn struct {
	player int
	begin  chan struct{}
}

type playerKey struct{}

func (s *turns) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := s.Backend.Tenant(ctx, id)
	return &turnsStore{bound, s}, err
}

// play runs all to their end. choose says who has the next turn, among those who want one, after whom.
func (s *turns) play(ctx context.Context, choose func(players []int, last int) int, all ...func(ctx context.Context)) {
	s.asking = make(chan turn)
	for i, one := range all {
		go func() {
			ctx := context.WithValue(ctx, playerKey{}, i)
			s.await(ctx)
			one(ctx)
			s.asking <- turn{player: i}
		}()
	}
	waiting := map[int]turn{}
	for range all {
		s.ask(waiting)
	}
	for last := 0; len(waiting) > 0; s.ask(waiting) {
		last = choose(slices.Sorted(maps.Keys(waiting)), last)
		next := waiting[last]
		delete(waiting, last)
		close(next.begin)
	}
}

// ask waits until whoever had a turn asks for another, or has ended.
func (s *turns) ask(waiting map[int]turn) {
	if next := <-s.asking; next.begin != nil {
		waiting[next.player] = next
	}
}

// await waits for a turn; whoever does not play has none to wait for.
func (s *turns) await(ctx context.Context) {
	if player, plays := ctx.Value(playerKey{}).(int); plays {
		next := turn{player, make(chan struct{})}
		s.asking <- next
		<-next.begin
	}
}

// turnsStore waits for its turn before each call that has to do with traces.
type turnsStore struct {
	store.Store
	of *turns
}

func (s *turnsStore) HoldSpans(ctx context.Context, spans []store.HeldSpan, at time.Time, room store.TraceRoom) ([]int, error) {
	s.of.await(ctx)
	return s.Store.HoldSpans(ctx, spans, at, room)
}

func (s *turnsStore) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	s.of.await(ctx)
	return s.Store.List(ctx, query, page)
}

func (s *turnsStore) ReleaseSpans(ctx context.Context, trace string, spans []string) error {
	s.of.await(ctx)
	return s.Store.ReleaseSpans(ctx, trace, spans)
}

func (s *turnsStore) Get(ctx context.Context, of any, keys []string) (any, error) {
	s.of.await(ctx)
	return s.Store.Get(ctx, of, keys)
}

func (s *turnsStore) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	s.of.await(ctx)
	return s.Store.Restore(ctx, items, force)
}

func (s *turnsStore) AmendEpisode(ctx context.Context, amendment store.EpisodeAmendment) error {
	s.of.await(ctx)
	return s.Store.AmendEpisode(ctx, amendment)
}

// traceGame is one trace whose spans come to several services that make its episode at once.
type traceGame struct {
	*traced
	turns              *turns
	senders, finishers *service.Tenant // whose clocks are so far apart that all that is held is due
	trace              string
	sent               []string
}

func openTraceGame(t *testing.T) *traceGame {
	t.Helper()
	g := &traceGame{traced: openTraced(t)}
	g.turns = &turns{Backend: g.backend}
	at := func(clock time.Time) *service.Tenant {
		opened := service.New(g.turns, service.WithTraceWaits(capture.TraceWaits{Quiet: time.Hour, Silence: time.Hour}),
			service.WithClock(func() time.Time { return clock }), service.WithLogger(slog.New(slog.DiscardHandler)))
		svc := servicetest.Bind(t.Context(), t, opened)
		t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
		return svc
	}
	g.senders, g.finishers = at(g.now), at(g.now.Add(48*time.Hour))
	return g
}

// begin begins with a trace of which only the root has come.
func (g *traceGame) begin(trace string) {
	g.trace, g.sent = trace, []string{}
	g.pass(g.t.Context(), root())
}

func (g *traceGame) pass(ctx context.Context, spans ...capture.Span) {
	input := make([]boundary.TraceSpan, len(spans))
	for i, span := range spans {
		input[i] = boundary.TraceSpan{Trace: g.trace, Span: span}
	}
	recorded, err := g.senders.Traces.RecordSpans(ctx, input)
	assert.NoError(g.t, err, g.trace)
	assert.Equal(g.t, len(spans), recorded.Accepted, g.trace)
}

func (g *traceGame) look(ctx context.Context) (more bool) {
	more, err := g.finishers.Traces.Finish(ctx)
	assert.NoError(g.t, err, g.trace)
	return more
}

// player sends a step in each round, now and then with the root again, and makes an episode of what there is.
func (g *traceGame) player(rounds int, again func() bool) func(context.Context) {
	return func(ctx context.Context) {
		for range rounds {
			name := fmt.Sprint(len(g.sent))
			span := step(name, name, len(g.sent))
			span.Given = memory.JSON(`"<private>4111</private>"`)
			g.sent = append(g.sent, name)
			if again() {
				g.pass(ctx, span, root())
			} else {
				g.pass(ctx, span)
			}
			g.look(ctx)
		}
	}
}

// end looks whether the episode has every acknowledged span once, and counts what was hidden in each once.
func (g *traceGame) end() {
	g.t.Helper()
	assert.False(g.t, g.look(g.t.Context()), g.trace)
	found, err := g.Episodes.ByKey(g.t.Context(), []string{g.trace}, boundary.Include{}, nil)
	require.NoError(g.t, err)
	require.NotNil(g.t, found[0], g.trace)
	assert.Equal(g.t, g.sent, stepsOf(found[0]), g.trace)
	assert.Equal(g.t, []memory.Redaction{{Kind: "private", Count: len(g.sent)}}, found[0].Receipt.Redactions, g.trace)
}

// One is held up between any two of its steps while another goes on by any number of its own.
func TestTraceWhileAnotherIsHeldUp(t *testing.T) {
	t.Parallel()
	const most = 16 // turns; a player alone needs about as many
	g := openTraceGame(t)
	for _, again := range []bool{false, true} {
		sends := func() bool { return again }
		for before := range most / 2 { // its last is no more than that
			for meanwhile := 1; meanwhile < most; meanwhile++ {
				turn := 0
				g.begin(fmt.Sprint(again, before, meanwhile))
				g.turns.play(t.Context(), func(players []int, _ int) int {
					turn++
					if turn > before && turn <= before+meanwhile {
						return players[len(players)-1]
					}
					return players[0]
				}, g.player(1, sends), g.player(2, sends))
				g.end()
			}
		}
	}
}

// Three take turns at random. Whoever had the last mostly has the next.
func TestTraceByManyAtOnce(t *testing.T) {
	t.Parallel()
	const games = 60
	g := openTraceGame(t)
	for seed := range uint64(games) {
		order := rand.New(rand.NewPCG(seed, 0))
		again := func() bool { return order.IntN(3) == 0 }
		g.begin(fmt.Sprint(seed))
		g.turns.play(t.Context(), func(players []int, last int) int {
			if slices.Contains(players, last) && order.IntN(4) > 0 {
				return last
			}
			return players[order.IntN(len(players))]
		}, g.player(2, again), g.player(2, again), g.player(2, again))
		g.end()
	}
}
