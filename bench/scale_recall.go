package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mneme/memory/passages"
	"mneme/memory/retrieval"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store/lexical"
	"mneme/store/meaning"
	"mneme/store/storetest"
	"mneme/store/vectors"
)

// warmUps is how many recalls of each kind come before those that count.
const warmUps = 20

// scaleKind is a kind of recalls.
type scaleKind struct {
	name string
	of   func(*boundary.RecallInput)
}

// scaleKinds are the recalls that are measured.
var scaleKinds = []scaleKind{
	{"plain", func(*boundary.RecallInput) {}},
	{"a filter that 1 % pass", func(r *boundary.RecallInput) { r.AgentID = to("agent 7") }},
	{"a filter that 0.01 % pass", func(r *boundary.RecallInput) { r.TaskType = to("task 77") }},
	{"as of four months ago", func(r *boundary.RecallInput) { r.AsOf = to(storetest.CrowdNow.AddDate(0, -4, 0)) }},
}

// againstRecall is what a recall is compared with: the store's own full-text query, and the nearest in memory.
const againstRecall = `Against the store's own full-text query for the best 100 passages by the same words, and the nearest 100 of all passages in
memory, after %s of all of these in turns. The target is at most %.1f times the medians of both together. By processor is the same ratio of the mean
processor time, which says more where others kept the machine busy.

| recall | p50 | p95 | full text, p50 | nearest, p50 | of both | by processor | approximate | target |
|---|---|---|---|---|---|---|---|---|
`

// measureRecall compares recalls with what the store itself takes for the two lists that they are made of.
func measureRecall(ctx context.Context, p scalePlan, s *scaled) (text string, err error) {
	raw, err := s.raw(ctx, service.DefaultTenant)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, raw.close(context.WithoutCancel(ctx))) }()
	memory := s.inMemory()
	var kinds []comparison
	for _, length := range []int{8, 30} {
		var situations []string
		var asked [][]string
		var nearest [][]float32
		for i := range 2 * (p.rounds + warmUps) { // the second half to warm up
			situation, _ := s.crowd().Situation(i, length)
			words, err := s.words(ctx, situation)
			if err != nil {
				return "", err
			}
			vector, _ := meaning.Question(situation)
			situations, asked, nearest = append(situations, situation), append(asked, words.Stems), append(nearest, vector[:])
		}
		for _, kind := range scaleKinds {
			kinds = append(kinds, comparison{
				name: fmt.Sprintf("%s, %d words", kind.name, length),
				ours: func(i int) (bool, error) {
					input := boundary.RecallInput{Situation: situations[i]}
					kind.of(&input)
					found, err := s.tenant.Retrieval.Recall(ctx, input, boundary.Include{})
					return err == nil && found.Approximate, err
				},
				words: func(i int) error { return raw.byWords(ctx, asked[i]) },
				nearest: func(i int) error {
					memory.Nearest(nearest[i], passagesAsked, nil)
					return nil
				},
			})
		}
	}
	if err := p.warm(kinds); err != nil {
		return "", err
	}
	var rows strings.Builder
	fmt.Fprintf(&rows, againstRecall, p.warmUp, s.maxOfRaw)
	for _, c := range kinds {
		row, err := s.compare(c, p.rounds)
		if err != nil {
			return "", err
		}
		rows.WriteString(row)
	}
	same, score, err := s.agreement(ctx, min(p.rounds, ranked))
	fmt.Fprintf(&rows, "\nOf the first five, %.0f %% are those of ranking every passage of every episode by the same rules; their scores add up to %.1f %% of those.\n", 100*same, 100*score)
	return rows.String(), err
}

// passagesAsked is how many passages a recall asks for of either sort.
const passagesAsked = 100

// words are those by which a recall looks for a situation.
func (s *scaled) words(ctx context.Context, situation string) (retrieval.Words, error) {
	tenant, err := s.backend.Tenant(ctx, service.DefaultTenant)
	if err != nil {
		return retrieval.Words{}, err
	}
	var stems []string
	for _, term := range lexical.Terms(situation) {
		stems = append(stems, term.Stem)
	}
	rarities, err := tenant.Rarities(ctx, stems)
	return retrieval.Choose(stems, rarities), err
}

// inMemory holds the vectors of all passages of the crowd, as a store does.
func (s *scaled) inMemory() *vectors.Memory {
	memory, id := vectors.New(meaning.Dimensions, 1<<30), int64(0)
	for i := range s.size {
		e := s.crowd().Episode(i).Episode
		all, _ := passages.OfEpisode(&e, nil)
		for _, p := range all {
			if vector, known := meaning.Encode(p.Text); known {
				id++
				memory.Add(vectors.Entry{ID: id, Record: uint64(i), At: p.At, Code: vectors.Code(vector[:])})
			}
		}
	}
	return memory
}

// warm asks in turns, until its time is over, for what is not asked for later: Java compiles what it runs often.
func (p scalePlan) warm(kinds []comparison) error {
	measured := p.rounds + warmUps
	for i, began := 0, time.Now(); time.Since(began) < p.warmUp; i++ {
		for _, c := range kinds {
			if _, err := c.ours(measured + i%measured); err != nil {
				return err
			}
			if c.words == nil {
				continue
			}
			if err := c.words(measured + i%measured); err != nil {
				return err
			}
		}
	}
	return nil
}

// comparison measures one thing of mneme in turns with what the store itself takes for its parts.
type comparison struct {
	name           string
	ours           func(i int) (approximate bool, err error)
	words, nearest func(i int) error // nil where it is compared with nothing
}

// times are those of one side: by the clock, and of the processors in all.
type times struct {
	busy      func() time.Duration // processor time so far
	clock     []time.Duration
	processor time.Duration
}

// take does something, and keeps its times where it counts.
func (t *times) take(counts bool, do func() error) error {
	worked, began := t.busy(), time.Now()
	err := do()
	if took := time.Since(began); counts {
		t.clock, t.processor = append(t.clock, took), t.processor+t.busy()-worked
	}
	return err
}

// mean is the processor time of one.
func (t *times) mean() float64 { return milliseconds(t.processor) / float64(len(t.clock)) }

// compare writes a row. Each goes first every other time, so that neither always finds what the other read just before.
func (s *scaled) compare(c comparison, rounds int) (string, error) {
	ours, words, nearest := times{busy: s.busy}, times{busy: s.busy}, times{busy: s.busy}
	approximate := 0
	for i := range rounds + warmUps {
		turns := []func() error{
			func() error {
				return ours.take(i >= warmUps, func() error {
					about, err := c.ours(i)
					if about {
						approximate++
					}
					return err
				})
			},
			func() error { return words.take(i >= warmUps, func() error { return c.words(i) }) },
			func() error { return nearest.take(i >= warmUps, func() error { return c.nearest(i) }) },
		}
		if i%2 == 1 {
			slices.Reverse(turns)
		}
		for _, turn := range turns {
			if err := turn(); err != nil {
				return "", fmt.Errorf("%s: %w", c.name, err)
			}
		}
	}
	a, b, n := percentilesOf(ours.clock), percentilesOf(words.clock), percentilesOf(nearest.clock)
	ratio, judged := float64(a.p50)/float64(b.p50+n.p50), "met"
	if ratio > s.maxOfRaw {
		judged = "**missed**"
	}
	row := fmt.Sprintf("| %s | %.1f ms | %.1f ms | %.1f ms | %.1f ms | %.2f | %.2f | %d %% | %s |\n", c.name,
		milliseconds(a.p50), milliseconds(a.p95), milliseconds(b.p50), milliseconds(n.p50), ratio, ours.mean()/(words.mean()+nearest.mean()), 100*approximate/(rounds+warmUps), judged)
	progress("%s", strings.TrimSpace(row))
	return row, nil
}

// percentiles are of the times of something.
type percentiles struct{ p50, p95, p99, most time.Duration }

// percentilesOf sorts the times.
func percentilesOf(times []time.Duration) percentiles {
	slices.Sort(times)
	at := func(percent int) time.Duration { return times[min(len(times)-1, len(times)*percent/100)] }
	return percentiles{p50: at(50), p95: at(95), p99: at(99), most: times[len(times)-1]}
}
