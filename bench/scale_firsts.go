package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"mneme/service/boundary"
	"mneme/service/reading"
)

// firsts keeps the longest round trip of each statement; it is a store.Observer.
type firsts struct {
	mutex   sync.Mutex
	longest map[string]time.Duration
}

func (f *firsts) Begin(_ context.Context, name string) (end func(error)) {
	began := time.Now()
	return func(error) {
		f.mutex.Lock()
		defer f.mutex.Unlock()
		f.longest[name] = max(f.longest[name], time.Since(began))
	}
}

func (f *firsts) Statements(int) {}

func (f *firsts) forget() {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.longest = map[string]time.Duration{}
}

const (
	// firstUse is what the first use of a statement may take.
	firstUse = 300 * time.Millisecond
	// slowest is how many statements are named.
	slowest = 10
)

// measureFirsts measures statements whose plans the database has forgotten, after it has answered others for a while.
func measureFirsts(ctx context.Context, p scalePlan, s *scaled) (string, error) {
	if s.forget == nil {
		return "", nil // this store keeps no plans
	}
	var kinds []comparison
	for _, kind := range scaleKinds {
		kinds = append(kinds, comparison{name: kind.name, ours: func(i int) (bool, error) {
			input := boundary.RecallInput{}
			input.Situation, _ = s.crowd().Situation(i, 8)
			kind.of(&input)
			_, err := s.tenant.Retrieval.Recall(ctx, input, boundary.Include{Canvases: true, Feedback: true})
			return false, err
		}})
	}
	search := func(i int) (bool, error) {
		text, _ := s.crowd().Situation(i, 4)
		_, err := s.tenant.Retrieval.Search(ctx, text, nil, boundary.UserFilter{}, reading.PageInput{}, boundary.Include{})
		return false, err
	}
	empty := func(int) (bool, error) {
		_, err := s.tenant.Retrieval.Recall(ctx, boundary.RecallInput{}, boundary.Include{})
		return false, err
	}
	kinds = append(kinds, comparison{name: "search", ours: search}, comparison{name: "without a situation", ours: empty})
	if err := p.warm(kinds); err != nil {
		return "", err
	}
	longest := map[string]time.Duration{}
	for round := range 3 {
		if err := s.forget(ctx); err != nil {
			return "", err
		}
		s.firsts.forget()
		for _, c := range kinds {
			if _, err := c.ours(round); err != nil {
				return "", fmt.Errorf("%s: %w", c.name, err)
			}
		}
		for name, took := range s.firsts.longest {
			longest[name] = min(cmp.Or(longest[name], took), took)
		}
	}
	names := slices.SortedFunc(maps.Keys(longest), func(a, b string) int { return cmp.Compare(longest[b], longest[a]) })
	var text strings.Builder
	fmt.Fprintf(&text, "What the first use of a statement takes once its plan was forgotten, after %s of recalls and searches: the least of three. At most %d ms is wanted.\n\n"+
		"| statement | first use | target |\n|---|---|---|\n", p.warmUp, firstUse.Milliseconds())
	for _, name := range names[:min(len(names), slowest)] {
		judged := "met"
		if longest[name] > firstUse {
			judged = "**missed**"
		}
		fmt.Fprintf(&text, "| `%s` | %.0f ms | %s |\n", name, milliseconds(longest[name]), judged)
	}
	return text.String(), nil
}
