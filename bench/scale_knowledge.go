package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"mneme/memory"
	"mneme/service"
	"mneme/store"
	"mneme/store/storetest"
)

// What reads are measured on beside the crowd of episodes.
const (
	scaleAgents    = 1000
	scaleTaskTypes = 5
	scaleSections  = 100_000
	sectionsPerRun = 100
	perBatch       = 1000
	// hubShare is the part of the links that one concept has.
	hubShare = 10
)

// loadKnowledge makes sure that observations, a graph of concepts, executions of agents and judged sections are there.
func (s *scaled) loadKnowledge(ctx context.Context, links int) error {
	tenant, err := s.backend.Tenant(ctx, service.DefaultTenant)
	if err != nil {
		return err
	}
	if there, err := tenant.Exist(ctx, []string{memory.NodeID(memory.KindMemoir, graphKey(links))}); err != nil || there[0] {
		return err
	}
	for _, load := range []struct {
		name string
		of   func() error
	}{
		{"observations", func() error { return inBatches(s.size, observationsOf(ctx, tenant, s.crowd())) }},
		{"executions", func() error { return inBatches(scaleAgents*scaleTaskTypes*5, executionsOf(ctx, tenant)) }},
		{"sections", func() error { return inBatches(scaleSections, sectionsOf(ctx, tenant)) }},
		{"links", func() error { return loadGraph(ctx, tenant, links) }},
	} {
		began := time.Now()
		if err := load.of(); err != nil {
			return fmt.Errorf("%s: %w", load.name, err)
		}
		progress("recorded %s in %s", load.name, time.Since(began).Round(time.Second))
	}
	return nil
}

// inBatches records so many.
func inBatches(size int, record func(from, to int) error) error {
	for from := 0; from < size; from += perBatch {
		if err := record(from, min(from+perBatch, size)); err != nil {
			return err
		}
	}
	return nil
}

// firstFault is the first fault of a batch.
func firstFault(recorded []store.Recorded, err error) error {
	for _, r := range recorded {
		if err == nil {
			err = r.Err
		}
	}
	return err
}

var noReceipt = memory.Receipt{Redactions: []memory.Redaction{}}

// observationsOf says again what the episodes of a crowd say.
func observationsOf(ctx context.Context, tenant store.Store, crowd storetest.Crowd) func(from, to int) error {
	return func(from, to int) error {
		var records []store.ObservationRecord
		for i := from; i < to; i++ {
			e := crowd.Episode(i).Episode
			key := fmt.Sprintf("observation %d", i)
			records = append(records, store.ObservationRecord{Observation: memory.Observation{
				Key: key, SessionKey: e.SessionKey, Content: e.Observation, Importance: memory.ImportanceMedium,
				About: []string{}, Receipt: noReceipt, CreatedAt: e.StartedAt,
			}, InputHash: []byte(key)})
		}
		return firstFault(store.Record(ctx, tenant, records))
	}
}

func taskTypeOf(i int) string { return fmt.Sprintf("work %d", i) }

func executionsOf(ctx context.Context, tenant store.Store) func(from, to int) error {
	return func(from, to int) error {
		var records []store.ExecutionRecord
		for i := from; i < to; i++ {
			r := rand.New(rand.NewPCG(uint64(i), 1)) //nolint:gosec // the same each time
			key := fmt.Sprintf("execution %d", i)
			records = append(records, store.ExecutionRecord{Execution: memory.Execution{
				Key: key, AgentKey: fmt.Sprintf("worker %d", i%scaleAgents), TaskType: taskTypeOf(i / scaleAgents % scaleTaskTypes),
				Success: r.IntN(3) > 0, Quality: r.Float64(), At: storetest.CrowdNow.Add(-time.Duration(r.IntN(30*24)) * time.Hour),
			}, InputHash: []byte(key)})
		}
		return firstFault(store.Record(ctx, tenant, records))
	}
}

func runKey(i int) string { return fmt.Sprintf("run %d", i) }

// sectionsOf records sections of ten types with an approach each, run by run, and completes the runs.
func sectionsOf(ctx context.Context, tenant store.Store) func(from, to int) error {
	return func(from, to int) error {
		var records []store.VerdictRecord
		for i := from; i < to; i++ {
			r := rand.New(rand.NewPCG(uint64(i), 2)) //nolint:gosec // the same each time
			run, key := runKey(i/sectionsPerRun), fmt.Sprintf("verdict %d", i)
			verdict := memory.Verdict{Judgement: memory.Judgement{
				Key: key, RunKey: run, SectionKey: memory.SectionKey(run, fmt.Sprintf("section %d", i%sectionsPerRun)),
				SectionType: fmt.Sprintf("type %d", r.IntN(10)), JudgeID: new("judge"), Status: memory.VerdictApprove, Score: new(5 + 5*r.Float64()),
				Issues: []memory.Issue{}, Patterns: []string{fmt.Sprintf("approach %d", r.IntN(50))},
				At: storetest.CrowdNow.Add(time.Duration(i-scaleSections) * time.Minute),
			}, Strengths: []string{}, Fixes: []string{}, Receipt: noReceipt}
			records = append(records, store.VerdictRecord{Verdict: verdict, InputHash: []byte(key)})
		}
		if err := firstFault(store.Record(ctx, tenant, records)); err != nil {
			return err
		}
		for run := from / sectionsPerRun; run < to/sectionsPerRun; run++ {
			if _, err := tenant.CompleteRun(ctx, store.RunCompletion{Run: runKey(run), At: storetest.CrowdNow}); err != nil {
				return err
			}
		}
		return nil
	}
}

func graphKey(links int) string { return fmt.Sprintf("graph of %d", links) }

func conceptKey(links, i int) string { return fmt.Sprintf("concept %d of %d", i, links) }

// loadGraph links as many concepts as the first of them has links: a tenth of all. The others' numbers of links follow
// a power law. The memoir comes last, and says that all is there.
func loadGraph(ctx context.Context, tenant store.Store, links int) error {
	now := storetest.CrowdNow
	work := memory.Memoir{Key: graphKey(links) + " at work", Name: graphKey(links) + " at work", CreatedAt: now}
	if err := firstFault(store.Record(ctx, tenant, []store.MemoirRecord{{Memoir: work, InputHash: []byte(work.Key)}})); err != nil {
		return err
	}
	concepts := links / hubShare
	err := inBatches(concepts+1, func(from, to int) error {
		var records []store.ConceptRecord
		for i := from; i < to; i++ {
			key := conceptKey(links, i)
			records = append(records, store.ConceptRecord{Concept: memory.Concept{
				Key: key, MemoirKey: work.Key, Name: key, Content: "something known", Labels: []string{}, Revisions: []memory.ConceptRevision{},
				Receipt: noReceipt, CreatedAt: now, UpdatedAt: now,
			}, InputHash: []byte(key)})
		}
		return firstFault(store.Record(ctx, tenant, records))
	})
	if err != nil {
		return err
	}
	err = inBatches(links, func(from, to int) error {
		var items []store.Item
		for i := from; i < to; i++ {
			source, target := linkOf(i, concepts)
			items = append(items, &store.RelationItem{Relation: memory.Relation{
				Type: memory.RelationRelatedTo, SourceKey: conceptKey(links, source), TargetKey: conceptKey(links, target), CreatedAt: now,
			}})
		}
		return firstFault(tenant.Restore(ctx, items, false))
	})
	if err != nil {
		return err
	}
	whole := memory.Memoir{Key: graphKey(links), Name: graphKey(links), CreatedAt: now}
	return firstFault(store.Record(ctx, tenant, []store.MemoirRecord{{Memoir: whole, InputHash: []byte(whole.Key)}}))
}

// linkOf are the ends of a link: first those from the hub, 0, to each other concept.
func linkOf(i, concepts int) (source, target int) {
	if i < concepts {
		return 0, i + 1
	}
	r := rand.New(rand.NewPCG(uint64(i), 3)) //nolint:gosec // the same each time
	source = 1 + r.IntN(concepts)
	target = 1 + int(float64(concepts-1)*math.Pow(r.Float64(), 3))
	if target >= source {
		target++
	}
	return source, min(target, concepts)
}
