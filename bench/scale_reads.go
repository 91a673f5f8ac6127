package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
)

// scaleRead is a read that is measured by itself. It answers what it read.
type scaleRead struct {
	name string
	of   func(ctx context.Context, i int) (any, error)
}

// measureReads measures what else looks at more than it answers.
func measureReads(ctx context.Context, p scalePlan, s *scaled) (string, error) {
	if err := s.loadKnowledge(ctx, p.links); err != nil {
		return "", err
	}
	var rows strings.Builder
	fmt.Fprintf(&rows, "Beside the episodes %d observations; %d links of %d concepts, of which one has a tenth and the others' numbers follow a\n"+
		"power law; %d agents with %d task types each; %d sections of %d runs. The size is that of the answer as JSON.\n\n"+
		"| read | p50 | p95 | most | processor | size |\n|---|---|---|---|---|---|\n",
		s.size, p.links, p.links/hubShare, scaleAgents, scaleTaskTypes, scaleSections, scaleSections/sectionsPerRun)
	reads := s.reads(p.links)
	var kinds []comparison
	for _, read := range reads {
		kinds = append(kinds, comparison{ours: func(i int) (bool, error) {
			_, err := read.of(ctx, i)
			return false, err
		}})
	}
	if err := p.warm(kinds); err != nil {
		return "", err
	}
	for _, read := range reads {
		row, err := read.measure(ctx, s, p.rounds)
		if err != nil {
			return "", fmt.Errorf("%s: %w", read.name, err)
		}
		progress("%s", strings.TrimSpace(row))
		rows.WriteString(row)
	}
	return rows.String(), nil
}

func (r scaleRead) measure(ctx context.Context, s *scaled, rounds int) (string, error) {
	took := times{busy: s.busy}
	bytes := 0
	for i := range rounds + warmUps {
		var answer any
		err := took.take(i >= warmUps, func() (err error) {
			answer, err = r.of(ctx, i)
			return err
		})
		if err != nil {
			return "", err
		}
		if i < warmUps {
			continue
		}
		text, err := json.Marshal(answer)
		if err != nil {
			return "", err
		}
		bytes += len(text)
	}
	at := percentilesOf(took.clock)
	return fmt.Sprintf("| %s | %.1f ms | %.1f ms | %.1f ms | %.1f ms | %.1f kB |\n", r.name, milliseconds(at.p50), milliseconds(at.p95),
		milliseconds(at.most), took.mean(), float64(bytes)/float64(rounds)/1000), nil
}

func (s *scaled) reads(links int) []scaleRead {
	text := func(i, words int) string {
		situation, _ := s.crowd().Situation(i, words)
		return situation
	}
	concept := func(i int) string { return "concept:" + conceptKey(links, i) }
	around := func(id func(i int) string) func(ctx context.Context, i int) (any, error) {
		return func(ctx context.Context, i int) (any, error) {
			found, err := s.tenant.Retrieval.Neighbourhood(ctx, boundary.NeighbourhoodInput{ID: id(i), Depth: to(3)}, boundary.Include{})
			if err != nil {
				return nil, err
			}
			return []any{found.Nodes, found.Edges}, nil
		}
	}
	return []scaleRead{
		{"`search`, 4 words", func(ctx context.Context, i int) (any, error) {
			return hits(s.tenant.Retrieval.Search(ctx, text(i, 4), nil, boundary.UserFilter{}, reading.PageInput{}, boundary.Include{}))
		}},
		{"`search`, 30 words", func(ctx context.Context, i int) (any, error) {
			return hits(s.tenant.Retrieval.Search(ctx, text(i, 30), nil, boundary.UserFilter{}, reading.PageInput{}, boundary.Include{}))
		}},
		{"`searchObservations`, 4 words", func(ctx context.Context, i int) (any, error) {
			return hits(s.tenant.Retrieval.SearchObservations(ctx, boundary.ObservationSearch{Query: text(i, 4)}, reading.PageInput{}))
		}},
		{"`searchObservations`, 30 words", func(ctx context.Context, i int) (any, error) {
			return hits(s.tenant.Retrieval.SearchObservations(ctx, boundary.ObservationSearch{Query: text(i, 30)}, reading.PageInput{}))
		}},
		{"`neighbourhood`, depth 3, of the hub", around(func(int) string { return concept(0) })},
		{"`neighbourhood`, depth 3, of the most linked of the others", around(func(i int) string { return concept(1 + i) })},
		{"`neighbourhood`, depth 3, of any concept", around(func(i int) string { return concept(1 + i*7919%(links/hubShare)) })},
		{"`rankAgents`", func(ctx context.Context, i int) (any, error) {
			return s.tenant.Learning.RankAgents(ctx, boundary.SelectionInput{TaskType: taskTypeOf(i % scaleTaskTypes)}, to(20))
		}},
		{"`rankAgents` with a situation of 30 words", func(ctx context.Context, i int) (any, error) {
			return s.tenant.Learning.RankAgents(ctx, boundary.SelectionInput{TaskType: taskTypeOf(i % scaleTaskTypes), Situation: to(text(i, 30))}, to(20))
		}},
		{"`guidance` for a section of a run", func(ctx context.Context, i int) (any, error) {
			return s.tenant.Judging.Guidance(ctx, boundary.GuidanceInput{RunID: to(runKey(i)), SectionType: fmt.Sprintf("type %d", i%10)})
		}},
	}
}

// hits are what a search found.
func hits(page *reading.Page[recalling.SearchHit], err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return page.Items, nil
}
