package neo4j

import (
	"context"
	"errors"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// DeleteAgent deletes an agent with its episodes and what they own; see store.Transfer.
func (s *tenantStore) DeleteAgent(ctx context.Context, key string) (episodes int, err error) {
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return 0, err
	}
	err = s.write(ctx, func(t *transaction) error {
		ids, traces, err := t.releaseAgent(key)
		if err != nil {
			return err
		}
		owned, err := t.agentBelongings(key)
		switch {
		case err == nil:
			episodes = len(owned.episodes)
			var more []string
			if more, err = t.deleteAgent(key, owned); err == nil {
				ids = append(ids, more...)
			}
		case errors.Is(err, store.ErrNotFound) && traces > 0:
			err = nil
		}
		if err != nil {
			return err
		}
		return t.bury(inputKey, append(ids, memory.NodeID(memory.KindAgent, key))...)
	})
	if err != nil {
		return 0, err
	}
	return episodes, nil
}

// deleteAgent deletes an agent with what belongs to it, and gives the ids of the latter.
func (t *transaction) deleteAgent(key string, owned *belongings) (ids []string, err error) {
	executions, err := t.deleteOwned(owned)
	if err != nil {
		return nil, err
	}
	for kind, keys := range map[memory.Kind][]string{
		memory.KindEpisode: owned.episodes.sorted(), memory.KindCanvas: owned.canvases.sorted(), memory.KindFeedback: owned.feedback,
		memory.KindExecution: executions, memory.KindObservation: owned.observations,
	} {
		ids = append(ids, texts(keys, func(key string) string { return memory.NodeID(kind, key) })...)
	}
	return ids, t.deleteRecords(memory.KindAgent, key)
}

// releaseAgent lets go of the traces that name an agent; the ids are those of the episodes that they would
// have become.
func (t *transaction) releaseAgent(agent string) (ids []string, traces int, err error) {
	found := store.NewAgentTraces(agent)
	err = t.run("all_held_spans", nil, func(row *neo4j.Record) error {
		held, err := decodeHeldSpan(row)
		if err != nil {
			return err
		}
		recorded, err := column[bool]("recorded")(row)
		found.Add(&held, recorded)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	waiting, late := found.Found()
	if all := slices.Concat(waiting, late); len(all) > 0 {
		traces = len(all)
		err = t.run("drop_trace", parameters{"keys": slices.Sorted(slices.Values(all))}, nil)
	}
	return texts(waiting, func(trace string) string { return memory.NodeID(memory.KindEpisode, trace) }), traces, err
}

// belongings are what belongs to an agent, by key.
type belongings struct {
	scope
	feedback, observations []string
	profiles               keySet
}

// agentBelongings locks an agent and finds what belongs to it.
func (t *transaction) agentBelongings(key string) (*belongings, error) {
	var owned *belongings
	values := parameters{"key": key, "sums": memory.ConsolidatedOf(key)}
	err := t.run("agent_belongings", values, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		owned = &belongings{
			scope: newScope(), feedback: list[string](f, "feedback"), observations: list[string](f, "observations"),
			profiles: setOf(list[string](f, "profiles")...),
		}
		owned.episodes.add(list[string](f, "episodes")...)
		owned.executions.add(list[string](f, "executions")...)
		owned.canvases.add(list[string](f, "canvases")...)
		owned.sessions.add(list[string](f, "sessions")...)
		return f.err
	})
	if err == nil && owned == nil {
		err = store.ErrNotFound
	}
	return owned, err
}

// deletedAtOnce is how many episodes one statement deletes.
const deletedAtOnce = 200

// deleteOwned deletes what belongs to an agent, and gives the keys of the executions that were no episodes.
func (t *transaction) deleteOwned(owned *belongings) (executions []string, err error) {
	if _, err := t.lock(owned.scope); err != nil {
		return nil, err
	}
	if len(owned.profiles) > 0 {
		if _, err := t.lockProfiles(owned.profiles, keySet{}); err != nil {
			return nil, err
		}
	}
	if err := t.run("unname_canvases", parameters{"keys": owned.canvases.sorted()}, nil); err != nil {
		return nil, err
	}
	for keys := range slices.Chunk(owned.episodes.sorted(), deletedAtOnce) {
		if _, err := t.deleteLocked(keys...); err != nil {
			return nil, err
		}
	}
	if err := t.deleteRecords(memory.KindObservation, owned.observations...); err != nil {
		return nil, err
	}
	gone, err := rowsOf(t, "delete_profiles", parameters{"keys": owned.profiles.sorted()}, func(row *neo4j.Record) ([]string, error) {
		f := fieldsOf(row.AsMap())
		return list[string](f, "own"), f.err
	})
	return slices.Concat(gone...), err
}

// deleteRecords deletes records of a kind, and then what they were the last to use.
func (t *transaction) deleteRecords(kind memory.Kind, keys ...string) error {
	if len(keys) == 0 {
		return nil
	}
	text, err := expand("delete_records", labels[kind])
	if err != nil {
		return err
	}
	var waits []any
	var sessions []string
	err = t.runText("delete_records", text, parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		waits, sessions = list[any](f, "waits"), list[string](f, "sessions")
		return f.err
	})
	if err != nil {
		return err
	}
	return t.letGo(waits, sessions)
}

// DeleteFeedback deletes a feedback; see store.Transfer.
func (s *tenantStore) DeleteFeedback(ctx context.Context, key string) error {
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return err
	}
	return s.write(ctx, func(t *transaction) error {
		deleted, err := t.deleteFeedback(key)
		if err != nil {
			return err
		}
		if deleted == 0 {
			return store.ErrNotFound
		}
		return t.bury(inputKey, memory.NodeID(memory.KindFeedback, key))
	})
}

// deleteFeedback deletes feedback, takes it out of its episodes' aggregates, and says how much was there.
func (t *transaction) deleteFeedback(keys ...string) (deleted int, err error) {
	if len(keys) == 0 {
		return 0, nil
	}
	ends, known := newScope(), []string{}
	err = t.run("feedback_ends", parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		known = append(known, f.text("key"))
		ends.episodes.addOptional(f.optionalText("episode"))
		ends.sessions.addOptional(f.optionalText("session"))
		return f.err
	})
	if err != nil {
		return 0, err
	}
	if _, err := t.lock(ends); err != nil {
		return 0, err
	}
	reactions, err := t.reactions(known)
	if err != nil {
		return 0, err
	}
	c := newChanges()
	for _, key := range sortedKeys(reactions) {
		r := reactions[key]
		if r.episode != nil && !ends.episodes.has(*r.episode) {
			return 0, &raced{cause: errGone} // it got an episode while we waited for its lock
		}
		c.linkFeedback(r.reaction, nil)
	}
	if err := c.apply(t); err != nil {
		return 0, err
	}
	return len(reactions), t.deleteRecords(memory.KindFeedback, keys...)
}

// DeletePerson deletes what a person said; see store.Transfer.
func (s *tenantStore) DeletePerson(ctx context.Context, person string) (count int, err error) {
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return 0, err
	}
	err = s.write(ctx, func(t *transaction) error {
		feedback, err := t.createdBy(memory.KindFeedback, person)
		if err != nil {
			return err
		}
		corrections, err := t.createdBy(memory.KindCorrection, person)
		if err != nil {
			return err
		}
		if _, err := t.deleteFeedback(feedback...); err != nil {
			return err
		}
		if err := t.deleteRecords(memory.KindCorrection, corrections...); err != nil {
			return err
		}
		labels, err := rowsOf(t, "unlabel", parameters{"person": person}, column[int64]("labels"))
		if err != nil {
			return err
		}
		count = len(feedback) + len(corrections) + int(labels[0])
		return t.bury(inputKey, slices.Concat(
			[]string{memory.NodeID(memory.KindPerson, person)},
			texts(feedback, func(key string) string { return memory.NodeID(memory.KindFeedback, key) }),
			texts(corrections, func(key string) string { return memory.NodeID(memory.KindCorrection, key) }),
		)...)
	})
	if err != nil {
		return 0, err
	}
	return count, nil
}

// createdBy are the keys of the records of a kind that a person created.
func (t *transaction) createdBy(kind memory.Kind, person string) ([]string, error) {
	text, err := expand("created_by", labels[kind])
	if err != nil {
		return nil, err
	}
	keys, err := rowsOfText(t, "created_by", text, parameters{"person": person}, column[string]("key"))
	slices.Sort(keys)
	return keys, err
}
