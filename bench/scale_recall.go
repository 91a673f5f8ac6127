package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"mneme/service"
	"mneme/store/storetest"
)

// warmUps is how many recalls of each kind come before those that count.
const warmUps = 20

// scaleKind is a kind of recalls.
type scaleKind struct {
	name string
	of   func(*service.RecallInput)
}

// scaleKinds are the recalls that are measured.
var scaleKinds = []scaleKind{
	{"plain", func(*service.RecallInput) {}},
	{"a filter that 1 % pass", func(r *service.RecallInput) { r.AgentID = to("agent 7") }},
	{"a filter that 0.01 % pass", func(r *service.RecallInput) { r.TaskType = to("task 77") }},
	{"as of four months ago", func(r *service.RecallInput) { r.AsOf = to(storetest.CrowdNow.AddDate(0, -4, 0)) }},
}

// measureRecall compares recalls by words with the store's own full-text query for the same words.
func measureRecall(ctx context.Context, p scalePlan, s *scaled) (text string, err error) {
	raw, err := s.raw(ctx, service.DefaultTenant)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, raw.close(context.WithoutCancel(ctx))) }()
	means, err := raw.byMeaning(ctx, "what is asked for by its meaning")
	if err != nil {
		return "", err
	}
	against := fmt.Sprintf("Against the store's own full-text query for the same words, of the five best, after %s of all of these in turns.\n", p.warmUp)
	if means {
		against += "The last column is of the medians of that and of the store's own query for the five nearest by meaning together, which a recall looks for, too.\n"
	}
	var rows strings.Builder
	var kinds []comparison
	for _, words := range []int{8, 30, 300} {
		var situations, asked []string
		for i := range 2 * (p.rounds + warmUps) { // the second half to warm up
			situation, _ := s.crowd().Situation(i, words)
			choice, err := raw.chosen(ctx, situation)
			if err != nil {
				return "", err
			}
			situations, asked = append(situations, situation), append(asked, choice)
		}
		for _, kind := range scaleKinds {
			d := comparison{name: fmt.Sprintf("%s, %d words", kind.name, words)}
			d.ours = func(i int) (bool, error) {
				input := service.RecallInput{Situation: situations[i]}
				kind.of(&input)
				found, err := s.tenant.Retrieval.Recall(ctx, input, service.Include{})
				return err == nil && found.Approximate, err
			}
			d.raw = func(i int) error { return raw.byWords(ctx, asked[i]) }
			if means {
				d.also = func(i int) error {
					_, err := raw.byMeaning(ctx, situations[i])
					return err
				}
			}
			kinds = append(kinds, d)
		}
	}
	if err := p.warm(kinds); err != nil {
		return "", err
	}
	fmt.Fprintf(&rows, "%s\n%s", against, comparisonHead(means))
	for _, d := range kinds {
		row, err := s.compare(d, p.rounds)
		if err != nil {
			return "", err
		}
		rows.WriteString(row)
	}
	return rows.String(), nil
}

// warm asks in turns, until its time is over, for what is not asked for later: Java compiles what it runs often.
func (p scalePlan) warm(kinds []comparison) error {
	measured := p.rounds + warmUps
	for i, began := 0, time.Now(); time.Since(began) < p.warmUp; i++ {
		for _, d := range kinds {
			if _, err := d.ours(measured + i%measured); err != nil {
				return err
			}
			for _, raw := range []func(int) error{d.raw, d.also} {
				if raw == nil {
					continue
				}
				if err := raw(measured + i%measured); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// comparison measures one thing of mneme in turns with what the store itself takes for it.
type comparison struct {
	name string
	ours func(i int) (approximate bool, err error)
	raw  func(i int) error
	also func(i int) error // another query of the store's own, which is not compared with alone; nil where there is none
}

// comparisonHead is that of the rows; with one column more where comparisons have another query.
func comparisonHead(also bool) string {
	head := "| recall | p50 (raw) | p95 (raw) | of the raw p50 | of the raw p95 | processor (raw) | of raw | approximate | target |"
	rule := "|---|---|---|---|---|---|---|---|---|"
	if also {
		head, rule = head+" of words and meaning |", rule+"---|"
	}
	return head + "\n" + rule + "\n"
}

// The targets of a recall: of what the store itself takes, or where that is more, a time.
const (
	mostOfRaw   = 1.5
	alwaysQuick = 5 * time.Millisecond
)

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
func (s *scaled) compare(d comparison, rounds int) (string, error) {
	ours, raw, also := times{busy: s.busy}, times{busy: s.busy}, times{busy: s.busy}
	approximate := 0
	for i := range rounds + warmUps {
		turns := []func() error{
			func() error {
				return ours.take(i >= warmUps, func() error {
					about, err := d.ours(i)
					if about {
						approximate++
					}
					return err
				})
			},
			func() error { return raw.take(i >= warmUps, func() error { return d.raw(i) }) },
		}
		if d.also != nil {
			turns = append(turns, func() error { return also.take(i >= warmUps, func() error { return d.also(i) }) })
		}
		if i%2 == 1 {
			slices.Reverse(turns)
		}
		for _, turn := range turns {
			if err := turn(); err != nil {
				return "", fmt.Errorf("%s: %w", d.name, err)
			}
		}
	}
	row := d.row(&ours, &raw) + fmt.Sprintf(" %d %% | %s |\n", 100*approximate/(rounds+warmUps), judged(&ours, &raw))
	if d.also != nil {
		both := percentilesOf(raw.clock).p50 + percentilesOf(also.clock).p50
		row = fmt.Sprintf("%s %.2f |\n", strings.TrimSpace(row), float64(percentilesOf(ours.clock).p50)/float64(both))
	}
	progress("%s", strings.TrimSpace(row))
	return row, nil
}

func (d comparison) row(ours, raw *times) string {
	a, b := percentilesOf(ours.clock), percentilesOf(raw.clock)
	return fmt.Sprintf("| %s | %.1f (%.1f) ms | %.1f (%.1f) ms | %.2f | %.2f | %.1f (%.1f) ms | %.2f |", d.name,
		milliseconds(a.p50), milliseconds(b.p50), milliseconds(a.p95), milliseconds(b.p95),
		float64(a.p50)/float64(b.p50), float64(a.p95)/float64(b.p95),
		ours.mean(), raw.mean(), ours.mean()/raw.mean())
}

// judged says whether the target was met.
func judged(ours, raw *times) string {
	a, b := percentilesOf(ours.clock), percentilesOf(raw.clock)
	if quickEnough(a.p50, b.p50) && quickEnough(a.p95, b.p95) {
		return "met"
	}
	return "**missed**"
}

func quickEnough(ours, raw time.Duration) bool {
	return ours <= alwaysQuick || float64(ours) <= mostOfRaw*float64(raw)
}

// percentiles are of the times of something.
type percentiles struct{ p50, p95, p99, most time.Duration }

// percentilesOf sorts the times.
func percentilesOf(times []time.Duration) percentiles {
	slices.Sort(times)
	at := func(percent int) time.Duration { return times[min(len(times)-1, len(times)*percent/100)] }
	return percentiles{p50: at(50), p95: at(95), p99: at(99), most: times[len(times)-1]}
}
