package main

import (
	"context"
	"slices"
)

// verifyTold writes a last event of each topic, and compares what the subscribers were told until then with the ledger
// and with each other.
func (c *client) verifyTold(ctx context.Context) {
	for _, t := range topics {
		t.beacon(c, ctx, "last-"+t.name)
	}
	for _, sub := range c.listening {
		waiting, enough := context.WithTimeout(ctx, settling)
		sub.follow(waiting, "last-"+sub.topic.name)
		enough()
		if !sub.last.tellsOf("last-" + sub.topic.name) {
			c.fault("a subscriber to %s was told of %d events and then of no more after %s", sub.topic.name, len(sub.told), sub.last.key)
		}
		c.ledger.note(func(l *ledger) { l.counts["events told"] += len(sub.told) })
		sub.verifyComplete()
		for _, other := range c.listening {
			if other != sub && other.topic.name == sub.topic.name {
				sub.verifyOrder(other)
			}
		}
	}
}

// verifyOnce looks that nothing was told twice.
func (s *subscriber) verifyOnce() (told map[string]bool) {
	told = map[string]bool{}
	for _, key := range s.told {
		if told[key] {
			s.fault("a subscriber was told twice of the %s %s", s.topic.name, key)
		}
		told[key] = true
	}
	return told
}

// verifyComplete looks that nothing was told twice, and nothing that was acknowledged is missing.
func (s *subscriber) verifyComplete() {
	told := s.verifyOnce()
	missing := func(key string) {
		if !told[key] {
			s.fault("a subscriber was not told of the %s %s", s.topic.name, key)
		}
	}
	switch s.topic.name {
	case "episode":
		for key := range s.ledger.episodes {
			missing(key)
		}
		return
	case "verdict":
		for key := range s.ledger.verdicts {
			missing(key)
		}
		return
	case ranking:
		for agent, asked := range s.ledger.asked {
			if counted, acknowledged := s.last.counts[agent], s.ledger.executions[agent]; counted < acknowledged || counted > asked {
				s.fault("the last ranking counts %d executions of %s, of which %d were asked for and %d acknowledged", counted, agent, asked, acknowledged)
			}
		}
		return
	}
	for episode, votes := range s.ledger.votes {
		if s.ledger.deleted[episode] != "" {
			continue // feedback that went with it may not have been told before
		}
		for key := range votes {
			missing(key)
		}
	}
}

// verifyOrder looks that two were told of what both were told of in the same order.
func (s *subscriber) verifyOrder(other *subscriber) {
	mine, theirs := common(s.told, other.told), common(other.told, s.told)
	for i := range min(len(mine), len(theirs)) { // where one has something twice, that was found
		if mine[i] != theirs[i] {
			s.fault("two subscribers to %s were told of %s and of %s at the same place among what both know", s.topic.name, mine[i], theirs[i])
			return
		}
	}
}

// common are those keys that others have, too.
func common(keys, others []string) []string {
	have := map[string]bool{}
	for _, key := range others {
		have[key] = true
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return !have[key] })
}
