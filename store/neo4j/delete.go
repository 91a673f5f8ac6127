package neo4j

import (
	"context"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/profiles"
)

// maxDeleted bounds how many records a part of a deletion deletes, but for a few.
const maxDeleted = 1000

// maxLinks bounds how many links a part of a deletion deletes, but for those to what the records belong to: Neo4j holds
// what a transaction deletes in memory, up to 3 kB a link.
const maxLinks = 5000

// Delete deletes records of a kind, in parts; see store.Eraser.
func (s *tenantStore) Delete(ctx context.Context, kind memory.Kind, keys []string) (count int, err error) {
	forget, can := forgetting[kind]
	if !can {
		return 0, fmt.Errorf("%w: a %s is not deleted by its key", store.ErrInvalid, kind)
	}
	if _, err := s.InputKey(ctx); err != nil {
		return 0, err
	}
	known, err := store.Known(ctx, s, kind, keys)
	if err != nil {
		return 0, err
	}
	return forget(ctx, s, known)
}

// A forgetter deletes records for good, a remover does so within a transaction. They say how many there were.
type (
	forgetter func(ctx context.Context, s *tenantStore, keys []string) (int, error)
	remover   func(t *transaction, keys []string) (int, error)
)

// forgetting deletes records of a kind.
var forgetting = map[memory.Kind]forgetter{
	memory.KindEpisode: func(ctx context.Context, s *tenantStore, keys []string) (int, error) {
		return s.forgetEpisodes(ctx, nil, keys)
	},
	memory.KindCanvas:      inParts(memory.KindCanvas, deletingCanvases(cypher.Named("unname_canvases"))),
	memory.KindFeedback:    inParts(memory.KindFeedback, (*transaction).deleteFeedback),
	memory.KindConcept:     inParts(memory.KindConcept, deleting(memory.KindConcept)),
	memory.KindObservation: inParts(memory.KindObservation, deleting(memory.KindObservation)),
	memory.KindCorrection:  inParts(memory.KindCorrection, deleting(memory.KindCorrection)),
	memory.KindVerdict:     verdictsInParts,
	memory.KindSection:     judgedIn(memory.KindSection),
	memory.KindRun:         judgedIn(memory.KindRun),
	memory.KindExecution:   inParts(memory.KindExecution, deletingExecutions(nil)),
}

// inParts deletes records in parts, each with its tombstones in one transaction.
func inParts(kind memory.Kind, remove remover) forgetter {
	return func(ctx context.Context, s *tenantStore, keys []string) (count int, err error) {
		for part := range slices.Chunk(keys, maxDeleted) {
			part := slices.Sorted(slices.Values(part)) // the order in which every writer locks them
			if err := s.loosen(ctx, kind, part); err != nil {
				return count, err
			}
			gone, err := written(ctx, s, func(t *transaction) (int, error) {
				if err := t.bury(kind, part...); err != nil {
					return 0, err
				}
				return remove(t, part)
			})
			if err != nil {
				return count, err
			}
			count += gone
		}
		return count, nil
	}
}

// bury leaves tombstones of records that are deleted. The input key is known: whoever deletes has asked for it.
func (t *transaction) bury(kind memory.Kind, keys ...string) error {
	return graph.AddTombstones(t.Transaction, t.store.KnownKey(), memory.NodeIDs(kind, keys)...)
}

// loosen deletes links of records that are about to be deleted, where they have more than one transaction takes.
func (s *tenantStore) loosen(ctx context.Context, kind memory.Kind, keys []string) error {
	links, err := s.Count(ctx, s.Query(cypher.Rendered("count_links", graph.Labels[kind]), cypher.Parameters{"keys": keys}))
	for gone := 1; err == nil && gone > 0 && links > maxLinks; links -= gone {
		err = s.write(ctx, func(t *transaction) error {
			counts, err := bolt.RowsOf(t.Transaction, looseLinks[kind], cypher.Parameters{"keys": keys, "limit": maxLinks}, bolt.Column[int64]("n"))
			if err == nil {
				gone = int(counts[0])
			}
			return err
		})
	}
	return err
}

// looseLinks are the statements that delete such links, by kind.
var looseLinks = func() map[memory.Kind]cypher.Statement {
	types := []string{"MENTIONS", "ABOUT", "HAS_PASSAGE"}
	for _, relation := range memory.RelationTypes {
		types = append(types, string(relation))
	}
	statements := map[memory.Kind]cypher.Statement{}
	for kind, label := range graph.Labels {
		statements[kind] = cypher.Rendered("loosen", looseShape{label, types})
	}
	return statements
}()

// looseShape is a label and the types of links.
type looseShape struct {
	Label string
	Types []string
}

// DeleteMemoir deletes a memoir with its concepts, in parts; see store.Eraser.
func (s *tenantStore) DeleteMemoir(ctx context.Context, key string) (concepts int, err error) {
	if _, err := s.InputKey(ctx); err != nil {
		return 0, err
	}
	err = s.write(ctx, func(t *transaction) error {
		if err := t.bury(memory.KindMemoir, key); err != nil {
			return err
		}
		there, err := t.lockMemoir(key)
		if err == nil && !there {
			err = store.ErrNotFound
		}
		return err
	})
	some := cypher.Parameters{"memoir": key, "limit": maxDeleted}
	for done := false; err == nil && !done; {
		var part []string
		if part, err = bolt.Read(ctx, s.Connection, s.Query(cypher.Named("some_concepts"), some), bolt.Column[string]("key")); err != nil {
			break
		}
		gone := 0
		gone, err = forgetting[memory.KindConcept](ctx, s, part)
		if concepts += gone; err == nil && len(part) < maxDeleted {
			done, err = written(ctx, s, func(t *transaction) (bool, error) { return t.deleteEmptied(key) })
		}
	}
	return concepts, err
}

// deleteEmptied deletes a memoir that has no concepts, and says whether it has none.
func (t *transaction) deleteEmptied(memoir string) (bool, error) {
	if _, err := t.lockMemoir(memoir); err != nil { // nobody adds to it any more
		return false, err
	}
	left, err := bolt.RowsOf(t.Transaction, cypher.Named("some_concepts"), cypher.Parameters{"memoir": memoir, "limit": 1}, bolt.Column[string]("key"))
	if err != nil || len(left) > 0 {
		return false, err
	}
	_, err = deleting(memory.KindMemoir)(t, []string{memoir})
	return true, err
}

// lockMemoir locks a memoir, to which nothing can be added then, and says whether it is there.
func (t *transaction) lockMemoir(key string) (there bool, err error) {
	known, err := graph.LockEnds(t.Transaction, map[memory.Kind]graph.KeySet{memory.KindMemoir: graph.SetOf(key)})
	return known.Has(memory.NodeID(memory.KindMemoir, key)), err
}

// ownedCounts tells how much episodes own that are there, by key; an agent's, or anybody's for nil.
func (s *tenantStore) ownedCounts(ctx context.Context, agent *string, keys ...string) (map[string]int, error) {
	counts := map[string]int{}
	q := s.Query(cypher.Named("owned_counts"), cypher.Parameters{"keys": keys, "agent": agent})
	err := s.Each(ctx, q, func(f *bolt.Fields) {
		counts[f.Text("key")] = f.Integer("owned")
	})
	return counts, err
}

// deleteEpisodes deletes those that are there of episodes, with what only they own, of which it gives the ids. Unname says that
// feedback of others no longer names their canvases, which it waits for otherwise.
func (t *transaction) deleteEpisodes(keys []string, unname bool) (deleted int, owned []string, err error) {
	scope, of, err := t.belongings(keys)
	if err == nil && unname {
		err = t.Run(cypher.Named("unname_canvases"), cypher.Parameters{"keys": scope.Canvases.Sorted()}, nil)
	}
	if err != nil {
		return 0, nil, err
	}
	locked, err := t.LockToDelete(scope)
	if err != nil || len(locked) == 0 {
		return 0, nil, err
	}
	there := locked.Sorted()
	known, err := profiles.Lock(t.learning(), of, bolt.Texts(there, memory.EpisodeExecutionKey))
	if err != nil {
		return 0, nil, err
	}
	owned, executions, err := t.deleteLocked(there)
	if err != nil {
		return 0, nil, err
	}
	gone, err := known.CountOut()
	if err == nil && executions != gone {
		err = &bolt.Raced{Cause: graph.ErrGone} // another concluded one meanwhile
	}
	return len(there), owned, err
}

// deleteLocked deletes episodes, then what they were the last to use. It gives the ids of what they owned, and says how many
// were executions.
func (t *transaction) deleteLocked(keys []string) (owned []string, executions int, err error) {
	var waits []any
	var sessions, people []string
	deleted := 0
	err = t.Rows(cypher.Named("delete_episodes"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		deleted++
		waits, sessions = append(waits, bolt.List[any](f, "waits")...), append(sessions, bolt.List[string](f, "sessions")...)
		people = append(people, bolt.List[string](f, "people")...)
		owned = slices.Concat(owned,
			memory.NodeIDs(memory.KindCanvas, bolt.List[string](f, "canvases")), memory.NodeIDs(memory.KindFeedback, bolt.List[string](f, "feedback")))
		if bolt.Required[bool](f, "counted") {
			executions++
		}
	})
	switch {
	case err != nil:
		return nil, 0, err
	case deleted < len(keys):
		return nil, 0, &bolt.Raced{Cause: graph.ErrGone} // another deleted one while we waited for the lock
	}
	for _, drop := range []cypher.Statement{cypher.Named("drop_trace"), cypher.Named("drop_logs")} {
		if err := t.Run(drop, cypher.Parameters{"keys": keys}, nil); err != nil {
			return nil, 0, err
		}
	}
	return owned, executions, t.letGo(waits, sessions, people)
}

// idleShape is a label of nodes that go with the last link of a type to them.
type idleShape struct{ Label, Link string }

// letGo removes what records were the last to wait for, the sessions that they were the last in, and the people whom they were
// the last for.
func (t *transaction) letGo(waits []any, sessions, people []string) error {
	if len(waits) > 0 {
		if err := t.Run(cypher.Named("drop_waiting"), cypher.Parameters{"awaited": waits}, nil); err != nil {
			return err
		}
	}
	for _, left := range []struct {
		idleShape
		keys []string
	}{{idleShape{"Session", "IN_SESSION"}, sessions}, {idleShape{"Person", "FOR"}, people}} {
		if len(left.keys) == 0 {
			continue
		}
		if err := t.Run(cypher.Rendered("drop_idle", left.idleShape), cypher.Parameters{"keys": graph.SetOf(left.keys...).Sorted()}, nil); err != nil {
			return err
		}
	}
	return nil
}

// belongings finds what is to be locked before episodes are deleted; the profiles are those of their executions.
func (t *transaction) belongings(keys []string) (owned linking.Scope, of []string, err error) {
	owned = linking.NewScope()
	owned.Episodes.Add(keys...)
	err = t.Rows(cypher.Named("belongings"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		owned.Executions.Add(bolt.List[string](f, "executions")...)
		owned.Canvases.Add(bolt.List[string](f, "canvases")...)
		owned.Sessions.Add(bolt.List[string](f, "sessions")...)
		owned.People.Add(bolt.List[string](f, "people")...)
		of = append(of, bolt.List[string](f, "profiles")...)
	})
	return owned, of, err
}

// deleteOwned deletes some of what an episode owns: feedback before canvases and those before the log. A statement says what
// becomes of the feedback that others have on the canvases. Buried says that tombstones stay.
func (t *transaction) deleteOwned(episode string, onCanvases cypher.Statement, buried bool) error {
	for _, owned := range []struct {
		kind   memory.Kind
		link   string
		remove remover
	}{
		{memory.KindFeedback, "RECEIVED", (*transaction).deleteFeedback}, {memory.KindCanvas, "PRESENTED", deletingCanvases(onCanvases)},
	} {
		values := cypher.Parameters{"key": episode, "limit": maxDeleted}
		keys, err := bolt.RowsOf(t.Transaction, cypher.Rendered("owned_records", owned.link), values, bolt.Column[string]("key"))
		if err != nil {
			return err
		}
		if slices.Sort(keys); len(keys) == 0 {
			continue
		}
		if _, err := owned.remove(t, keys); err != nil || !buried {
			return err
		}
		return t.bury(owned.kind, keys...)
	}
	return t.Run(cypher.Named("drop_events"), cypher.Parameters{"key": episode, "limit": maxDeleted}, nil)
}

// deletingCanvases deletes canvases and takes them out of their episodes' aggregates.
func deletingCanvases(onCanvases cypher.Statement) remover {
	return func(t *transaction, keys []string) (int, error) {
		wanted := linking.NewScope()
		wanted.Canvases.Add(keys...)
		sizes := func(each func(f *bolt.Fields, episode *string)) error {
			return t.Rows(cypher.Named("canvas_sizes"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
				each(f, f.OptionalText("episode"))
			})
		}
		err := sizes(func(f *bolt.Fields, episode *string) {
			wanted.Episodes.AddOptional(episode)
			wanted.Sessions.AddOptional(f.OptionalText("session"))
		})
		if err != nil {
			return 0, err
		}
		if _, err := t.LockToDelete(wanted); err != nil {
			return 0, err
		}
		c := linking.NewChanges()
		moved := false
		err = sizes(func(f *bolt.Fields, episode *string) {
			c.Moves.Canvas(linking.OrNone(episode), f.Integer("actions"), "", 0)
			moved = moved || episode != nil && !wanted.Episodes.Has(*episode)
		})
		switch {
		case err != nil:
			return 0, err
		case moved:
			return 0, &bolt.Raced{Cause: graph.ErrGone} // it got an episode while we waited for its lock
		}
		if err := t.Run(onCanvases, cypher.Parameters{"keys": keys}, nil); err != nil {
			return 0, err
		}
		if err := t.Apply(c); err != nil {
			return 0, err
		}
		return deleting(memory.KindCanvas)(t, keys)
	}
}

// deleting deletes records of a kind of which nothing is counted elsewhere, and then what they were the last to use.
func deleting(kind memory.Kind) remover {
	return func(t *transaction, keys []string) (deleted int, err error) {
		if len(keys) == 0 {
			return 0, nil
		}
		var waits []any
		var sessions []string
		err = t.Rows(cypher.Rendered("delete_records", graph.LabelOf(kind)), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
			deleted, waits, sessions = f.Integer("count"), bolt.List[any](f, "waits"), bolt.List[string](f, "sessions")
		})
		if err != nil {
			return 0, err
		}
		return deleted, t.letGo(waits, sessions, nil)
	}
}

var verdictsInParts = inParts(memory.KindVerdict, (*transaction).deleteVerdicts)

// judgedIn deletes sections or runs with their verdicts.
func judgedIn(kind memory.Kind) forgetter {
	return func(ctx context.Context, s *tenantStore, keys []string) (count int, err error) {
		for _, key := range keys {
			values := cypher.Parameters{"of": key, "earliest": bolt.Instant(graph.Earliest), "limit": maxDeleted}
			for more := true; more; {
				some := s.Query(cypher.Rendered("some_verdicts", string(kind)), values)
				verdicts, err := bolt.Read(ctx, s.Connection, some, bolt.Column[string]("key"))
				if err == nil {
					_, err = verdictsInParts(ctx, s, verdicts)
				}
				if err != nil {
					return count, err
				}
				more = len(verdicts) > 0
			}
			err := s.write(ctx, func(t *transaction) error { return t.deleteUnjudged(kind, graph.SetOf(key)) })
			if err != nil {
				return count, err
			}
			count++
		}
		return count, nil
	}
}

// deleteVerdicts deletes verdicts, and then the sections and runs that have no others.
func (t *transaction) deleteVerdicts(keys []string) (deleted int, err error) {
	runs, sections := graph.KeySet{}, graph.KeySet{}
	var said []cypher.Parameters
	err = t.Rows(cypher.Named("verdicts_said"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		runs.AddOptional(f.OptionalText("run"))
		sections.AddOptional(f.OptionalText("section"))
		var j memory.Judgement
		f.Scan(fields.Judgement(&j))
		for _, issue := range j.Issues {
			said = append(said, cypher.Parameters{"sectionType": j.SectionType, "code": issue.Code, "at": bolt.Instant(j.At)})
		}
		f.Err = nil // what cannot be read goes, too
	})
	if err != nil {
		return 0, err
	}
	if _, err := graph.LockEnds(t.Transaction, map[memory.Kind]graph.KeySet{memory.KindRun: runs, memory.KindSection: sections}); err != nil {
		return 0, err
	}
	if len(said) > 0 {
		if err := t.Run(cypher.Named("unsay"), cypher.Parameters{"rows": said, "issue": string(memory.PatternDont)}, nil); err != nil {
			return 0, err
		}
	}
	if deleted, err = deleting(memory.KindVerdict)(t, keys); err != nil {
		return 0, err
	}
	if err := t.deleteUnjudged(memory.KindSection, sections); err != nil {
		return 0, err
	}
	return deleted, t.deleteUnjudged(memory.KindRun, runs)
}

// unjudgedLinks are those by which a section has its verdicts, and a run its sections.
var unjudgedLinks = map[memory.Kind]string{memory.KindSection: "ON", memory.KindRun: "IN_RUN"}

// deleteUnjudged deletes those of sections, or of runs, that have no verdict. It locks them, so that none comes meanwhile.
func (t *transaction) deleteUnjudged(kind memory.Kind, keys graph.KeySet) error {
	if _, err := graph.LockEnds(t.Transaction, map[memory.Kind]graph.KeySet{kind: keys}); err != nil {
		return err
	}
	shape := cypher.Parameters{"Label": graph.Labels[kind], "Link": unjudgedLinks[kind]}
	empty, err := bolt.RowsOf(t.Transaction, cypher.Rendered("unjudged", shape), cypher.Parameters{"keys": keys.Sorted()}, bolt.Column[string]("key"))
	if err != nil || len(empty) == 0 {
		return err
	}
	if err := t.bury(kind, empty...); err != nil {
		return err
	}
	_, err = deleting(kind)(t, empty)
	return err
}
