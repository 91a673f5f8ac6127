package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store"
	"mneme/store/storetest"
)

// sample is what is written.
type sample struct {
	name   string
	pieces []piece
	// transactions is how many write one piece alone.
	transactions int
	lines        []byte // for an import
	records      int    // that an import counts
}

// piece is an episode with its canvases and feedback, as clients give it and as the store is given it.
type piece struct {
	episode  boundary.RecordEpisodeInput
	actions  []boundary.CanvasActionInput
	feedback []boundary.SubmitFeedbackInput
	record   store.EpisodeRecord
	shown    []store.CanvasActionRecord
	said     []store.FeedbackRecord
}

// turnsOf are episodes of a dialogue's turn each, about twenty words, ten in a session, of a hundred agents.
func turnsOf(episodes int) sample {
	s := sample{name: "episodes of one turn", transactions: 1}
	crowd := storetest.Crowd{Size: episodes}
	for i := range episodes {
		record := crowd.Episode(i)
		record.Episode.TaskType = nil
		e := &record.Episode
		s.pieces = append(s.pieces, piece{record: record, episode: boundary.RecordEpisodeInput{
			ID: &e.Key, AgentID: e.AgentKey, SessionID: e.SessionKey, Title: &e.Title, Observation: e.Observation,
			Outcome: &e.Outcome, EpisodeExtras: boundary.EpisodeExtras{Insight: &e.Insight}, StartedAt: &e.StartedAt, EndedAt: e.EndedAt,
		}})
	}
	s.write()
	return s
}

// worksOf are the episodes of the other benchmark: each an execution of one of ten agents, 3 canvases and 2 feedback.
func worksOf(episodes int) sample {
	s := sample{name: "episodes with canvases and feedback", transactions: 4}
	for i := range episodes {
		one := piece{episode: sampleEpisode(i)}
		for c := range 3 {
			one.actions = append(one.actions, sampleCanvas(i, c)...)
		}
		for f := range 2 {
			one.feedback = append(one.feedback, sampleFeedback(i, f))
		}
		one.give()
		s.pieces = append(s.pieces, one)
	}
	s.write()
	return s
}

// give makes the records of what clients give.
func (p *piece) give() {
	e := &p.episode
	actions := make([]memory.Action, len(e.Actions))
	for i, a := range e.Actions {
		actions[i] = memory.Action{StepID: a.StepID, StepName: a.StepName, Result: a.Result}
	}
	p.record = store.EpisodeRecord{InputHash: []byte(*e.ID), Episode: memory.Episode{
		Key: *e.ID, AgentKey: e.AgentID, SessionKey: e.SessionID, TaskType: e.TaskType, Title: *e.Title,
		Observation: e.Observation, Thoughts: e.Thoughts, Actions: actions, Result: e.Result, Outcome: *e.Outcome,
		Concluded: true, Insight: *e.Insight, StartedAt: *e.StartedAt, EndedAt: e.EndedAt, CreatedAt: *e.EndedAt,
	}}
	for _, a := range p.actions {
		p.shown = append(p.shown, store.CanvasActionRecord{
			Canvas: a.CanvasID, Episode: a.EpisodeID, CanvasType: a.CanvasType, ComponentType: a.ComponentType, InputHash: []byte(a.CanvasID),
			Action: memory.CanvasAction{Action: a.Action, Metadata: a.Metadata, At: *a.At},
		})
	}
	for _, f := range p.feedback {
		score, err := memory.FeedbackScore(f.Type, f.Rating)
		if err != nil {
			panic(err) // the sample is ours
		}
		p.said = append(p.said, store.FeedbackRecord{InputHash: []byte(*f.ID), Feedback: memory.Feedback{
			Key: *f.ID, EpisodeKey: f.EpisodeID,
			Reaction: memory.Reaction{Type: f.Type, Rating: f.Rating, Score: score, Corrections: f.Corrections, Source: memory.SourceChat, CreatedBy: f.CreatedBy, CreatedAt: *f.At},
		}})
	}
}

// write writes the lines of an import.
func (s *sample) write() {
	var text bytes.Buffer
	line := func(kind memory.Kind, record any) {
		s.records++
		if err := json.NewEncoder(&text).Encode(map[string]any{"kind": kind, "record": record}); err != nil {
			panic(err) // plain structs
		}
	}
	for _, one := range s.pieces {
		line(memory.KindEpisode, one.episode)
		for i := 0; i < len(one.actions); i += 2 {
			shown := one.actions[i]
			line(memory.KindCanvas, map[string]any{
				"id": shown.CanvasID, "episodeId": shown.EpisodeID, "canvasType": shown.CanvasType, "componentType": shown.ComponentType,
				"actions": []any{actionOf(one.actions[i]), actionOf(one.actions[i+1])},
			})
		}
		for _, f := range one.feedback {
			line(memory.KindFeedback, f)
		}
	}
	s.lines = text.Bytes()
}

func actionOf(a boundary.CanvasActionInput) map[string]any {
	return map[string]any{"action": a.Action, "metadata": a.Metadata, "at": a.At}
}

// recordsOf are those of pieces, kind by kind.
func recordsOf(pieces []piece) (episodes []store.EpisodeRecord, actions []store.CanvasActionRecord, feedback []store.FeedbackRecord) {
	for i := range pieces {
		episodes = append(episodes, pieces[i].record)
		actions, feedback = append(actions, pieces[i].shown...), append(feedback, pieces[i].said...)
	}
	return episodes, actions, feedback
}

// recordTogether writes pieces kind by kind, as many records in a call as the API takes.
func recordTogether(ctx context.Context, t store.Store, pieces []piece) error {
	episodes, actions, feedback := recordsOf(pieces)
	if err := inCalls(ctx, t, episodes); err != nil {
		return err
	}
	if err := inCalls(ctx, t, actions); err != nil {
		return err
	}
	return inCalls(ctx, t, feedback)
}

func inCalls[R store.NewRecord](ctx context.Context, t store.Store, records []R) error {
	for part := range slices.Chunk(records, boundary.MaxList) {
		if err := taken(store.Record(ctx, t, part)); err != nil {
			return err
		}
	}
	return nil
}

// callsOf counts the calls of recordTogether.
func callsOf(pieces []piece) int {
	episodes, actions, feedback := recordsOf(pieces)
	calls := 0
	for _, records := range []int{len(episodes), len(actions), len(feedback)} {
		calls += (records + boundary.MaxList - 1) / boundary.MaxList
	}
	return calls
}

// recordOne writes a piece as a client does that has nothing to do with others: call by call.
func recordOne(ctx context.Context, t store.Store, one *piece) error {
	if err := taken(store.Record(ctx, t, []store.EpisodeRecord{one.record})); err != nil {
		return err
	}
	if err := taken(store.Record(ctx, t, one.shown)); err != nil {
		return err
	}
	for i := range one.said {
		if err := taken(store.Record(ctx, t, one.said[i:i+1])); err != nil {
			return err
		}
	}
	return nil
}

func taken(recorded []store.Recorded, err error) error {
	for i, r := range recorded {
		if err == nil && (r.Err != nil || !r.Created) {
			err = errors.Join(fmt.Errorf("item %d was not written", i), r.Err)
		}
	}
	return err
}

func submitOne(ctx context.Context, tenant *service.Tenant, one *piece) error {
	if _, err := tenant.Episodes.RecordEpisode(ctx, one.episode, boundary.Include{}); err != nil {
		return err
	}
	if len(one.actions) > 0 {
		if err := whole(tenant.Reactions.RecordCanvasActions(ctx, boundary.RecordCanvasActionsInput{Actions: one.actions})); err != nil {
			return err
		}
	}
	for _, f := range one.feedback {
		if _, err := tenant.Reactions.SubmitFeedback(ctx, f); err != nil {
			return err
		}
	}
	return nil
}
