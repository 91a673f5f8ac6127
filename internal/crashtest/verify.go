package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// verify compares the store with the ledger, once everything that was under way is done.
func (s *session) verify(ctx context.Context) error {
	for _, one := range s.fleet { // whoever is down comes back first
		one.kill()
		if err := one.start(ctx); err != nil {
			return err
		}
	}
	for _, check := range []struct {
		what string
		do   func(*client, context.Context)
	}{
		{"episodes", (*client).verifyEpisodes}, {"traces", (*client).verifyTraces}, {"logs", (*client).verifyLogs}, {"feedback", (*client).verifyVotes},
		{"canvases", (*client).verifyCanvases}, {"deletions", (*client).verifyDeleted}, {"forgotten agents", (*client).verifyForgotten},
		{"events", (*client).verifyTold}, {"what is another's", (*client).verifyApart},
	} {
		began := time.Now()
		s.each(func(t *tenant) { check.do(t.client(500), ctx) })
		s.logf("looked at %s: %s", check.what, time.Since(began).Round(time.Millisecond))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if output, err := s.mneme(ctx, "doctor").CombinedOutput(); err != nil {
		s.fault("the doctor finds something: %v\n%s", err, output)
	}
	return ctx.Err()
}

// each goes through keys in order, in parts that fit a query with aliases.
func each(keys []string, do func(part []string)) {
	for part := range slices.Chunk(keys, 10) {
		do(part)
	}
}

// look reads episodes by key: nil where there is none.
func (c *client) look(ctx context.Context, keys []string) map[string]*episode {
	var query strings.Builder
	query.WriteString("{")
	for i, key := range keys {
		fmt.Fprintf(&query, ` e%d: episode(id: %q) { observation createdAt aggregateFeedbackScore agent { id } }`, i, key)
	}
	query.WriteString(" }")
	var data map[string]*episode
	c.insist(ctx, "look at episodes", func() error { return c.ask(ctx, query.String(), nil, &data) })
	found := map[string]*episode{}
	for i, key := range keys {
		found[key] = data[fmt.Sprintf("e%d", i)]
	}
	return found
}

type episode struct {
	Observation, CreatedAt string
	AggregateFeedbackScore *float64
	Agent                  struct{ ID string }
}

func (c *client) verifyEpisodes(ctx context.Context) {
	each(slices.Sorted(maps.Keys(c.ledger.episodes)), func(keys []string) {
		for key, found := range c.look(ctx, keys) {
			switch {
			case found == nil:
				c.fault("episode %s was acknowledged and is missing", key)
			case found.Observation != c.ledger.episodes[key]:
				c.fault("episode %s says %q and was acknowledged as %q", key, found.Observation, c.ledger.episodes[key])
			}
		}
	})
}

// verifyTraces waits for spans that are held.
func (c *client) verifyTraces(ctx context.Context) {
	deadline := time.Now().Add(settling)
	each(slices.Sorted(maps.Keys(c.ledger.traces)), func(keys []string) {
		for {
			missing := 0
			for _, found := range c.look(ctx, keys) {
				if found == nil {
					missing++
				}
			}
			if missing == 0 || ctx.Err() != nil {
				return
			}
			if time.Now().After(deadline) {
				c.fault("%d of the traces %s … were acknowledged and gave no episode", missing, keys[0])
				return
			}
			pause(ctx, 200*time.Millisecond)
		}
	})
}

// verifyLogs looks that what was acknowledged of each log is there, and that a log that has its end is told by its
// episode. Of a part that was not answered all may be there, or nothing.
func (c *client) verifyLogs(ctx context.Context) {
	const query = `query ($id: ID!) { replay(episodeId: $id, first: 0) { totalCount } episode(id: $id) { outcome } }`
	for _, run := range slices.Sorted(maps.Keys(c.ledger.logs)) {
		var data struct {
			Replay  struct{ TotalCount int }
			Episode *struct{ Outcome string }
		}
		if !c.insist(ctx, "log "+run, func() error { return c.ask(ctx, query, values{"id": run}, &data) }) || data.Episode == nil {
			c.fault("log %s was acknowledged and is missing", run)
			continue
		}
		acknowledged, there := c.ledger.logs[run], data.Replay.TotalCount
		switch {
		case there < acknowledged || there%eventsOfPart != 0:
			c.fault("log %s has %d events, of which %d were acknowledged in parts of %d", run, there, acknowledged, eventsOfPart)
		case acknowledged == partsOfLog*eventsOfPart && data.Episode.Outcome != "SUCCESS":
			c.fault("log %s has its end, and its episode is %s", run, data.Episode.Outcome)
		}
	}
}

// votesOf reads all feedback on an episode: its scores by key.
func (c *client) votesOf(ctx context.Context, key string) (votes map[string]float64, aggregate *float64, exists bool) {
	votes = map[string]float64{}
	const query = `query ($id: ID!, $after: String) { episode(id: $id) { aggregateFeedbackScore
		feedback(first: 100, after: $after) { nodes { id score } pageInfo { hasNextPage endCursor } } } }`
	for variables := (values{"id": key}); ; {
		var data struct {
			Episode *struct {
				AggregateFeedbackScore *float64
				Feedback               struct {
					Nodes []struct {
						ID    string
						Score float64
					}
					PageInfo struct {
						HasNextPage bool
						EndCursor   *string
					}
				}
			}
		}
		if !c.insist(ctx, "feedback of "+key, func() error { return c.ask(ctx, query, variables, &data) }) || data.Episode == nil {
			return nil, nil, false
		}
		for _, node := range data.Episode.Feedback.Nodes {
			votes[strings.TrimPrefix(node.ID, "feedback:")] = node.Score
		}
		if !data.Episode.Feedback.PageInfo.HasNextPage {
			return votes, data.Episode.AggregateFeedbackScore, true
		}
		variables["after"] = data.Episode.Feedback.PageInfo.EndCursor
	}
}

// verifyVotes makes the hubs, for which all their feedback has been waiting, and looks at every aggregate.
func (c *client) verifyVotes(ctx context.Context) {
	for i := range hubs {
		c.record(ctx, fmt.Sprintf("hub-%d", i), c.throughGraphQL)
	}
	for episode := range c.ledger.tried {
		if c.ledger.deleted[episode] != "" {
			continue
		}
		votes, aggregate, exists := c.votesOf(ctx, episode)
		if !exists {
			continue // a trace's writer names keys that no episode has
		}
		for key, score := range c.ledger.votes[episode] {
			if found, there := votes[key]; !there || found != score {
				c.fault("feedback %s on %s was acknowledged with %g and is %g (there: %t)", key, episode, score, found, there)
			}
		}
		sum := 0.0
		for key, score := range votes {
			sum += score
			if _, sent := c.ledger.tried[episode][key]; !sent {
				c.fault("feedback %s on %s was never given", key, episode)
			}
		}
		if mean := sum / float64(len(votes)); len(votes) > 0 && (aggregate == nil || math.Abs(*aggregate-mean) > 1e-9) {
			c.fault("the aggregate of %s is %v, the mean of its %d feedbacks %g", episode, aggregate, len(votes), mean)
		}
	}
}

func (c *client) verifyCanvases(ctx context.Context) {
	const query = `query ($id: ID!) { node(id: $id) { id ... on Canvas { actions { action } } } }`
	for canvas, actions := range c.ledger.canvases {
		if _, stays := c.ledger.episodes[strings.TrimPrefix(canvas, "canvas-")]; !stays {
			continue // it was, or may have been, deleted with its episode
		}
		var data struct {
			Node *struct{ Actions []struct{ Action string } }
		}
		c.insist(ctx, canvas, func() error { return c.ask(ctx, query, values{"id": "canvas:" + canvas}, &data) })
		if data.Node == nil || len(data.Node.Actions) != len(actions) {
			c.fault("canvas %s has not the %d actions that were acknowledged: %v", canvas, len(actions), data.Node)
		}
	}
}

func (c *client) verifyDeleted(ctx context.Context) {
	each(slices.Sorted(maps.Keys(c.ledger.deleted)), func(keys []string) {
		for key, found := range c.look(ctx, keys) {
			if found != nil {
				c.fault("episode %s, recorded %s, was deleted (%s) and is back", key, found.CreatedAt, c.ledger.deleted[key])
			}
		}
	})
}

func (c *client) verifyForgotten(ctx context.Context) {
	const query = `query ($agent: ID!) { episodes(filter: {agentId: $agent}, first: 1) { totalCount } agent(id: $agent) { id } }`
	for agent := range c.ledger.forgotten {
		var data struct {
			Episodes struct{ TotalCount int }
			Agent    *struct{ ID string }
		}
		c.insist(ctx, agent, func() error { return c.ask(ctx, query, values{"agent": agent}, &data) })
		if data.Episodes.TotalCount > 0 || data.Agent != nil {
			c.fault("agent %s was forgotten and is back with %d episodes", agent, data.Episodes.TotalCount)
		}
	}
}
