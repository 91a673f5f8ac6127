package neo4j

import (
	"context"
	"fmt"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
)

// mostDeleted bounds how many records a part of a deletion deletes, but for a few.
const mostDeleted = 1000

// mostLinks bounds how many links a part of a deletion deletes, but for those to what the records belong to: Neo4j holds
// what a transaction deletes in memory, up to 3 kB a link.
const mostLinks = 5000

// Delete deletes records of a kind, in parts; see store.Eraser.
func (s *tenantStore) Delete(ctx context.Context, kind memory.Kind, keys []string) (count int, err error) {
	forget, can := forgetting[kind]
	if !can {
		return 0, fmt.Errorf("%w: a %s is not deleted by its key", store.ErrInvalid, kind)
	}
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return 0, err
	}
	err = s.mending(ctx, func() error {
		known, err := store.Known(ctx, s, kind, keys)
		if err != nil {
			return err
		}
		gone, err := forget(ctx, s, inputKey, known)
		count += gone
		return err
	})
	return count, err
}

// forgetting deletes records of a kind, and says how many there were.
var forgetting = map[memory.Kind]func(ctx context.Context, s *tenantStore, inputKey []byte, keys []string) (int, error){
	memory.KindEpisode: func(ctx context.Context, s *tenantStore, inputKey []byte, keys []string) (count int, err error) {
		for doomed := (&belongings{episodes: keys}); len(doomed.episodes) > 0 && err == nil; {
			gone := 0
			gone, err = s.forgetEpisodes(ctx, inputKey, doomed)
			count += gone
		}
		return count, err
	},
	memory.KindCanvas: inParts(memory.KindCanvas, func(t *transaction, _ []byte, keys []string) (int, error) {
		return t.deleteCanvases(keys, cypher.Named("unname_canvases"))
	}),
	memory.KindFeedback: inParts(memory.KindFeedback, func(t *transaction, _ []byte, keys []string) (int, error) {
		return t.deleteFeedback(keys...)
	}),
	memory.KindConcept:     recordsInParts(memory.KindConcept),
	memory.KindObservation: recordsInParts(memory.KindObservation),
	memory.KindCorrection:  recordsInParts(memory.KindCorrection),
	memory.KindVerdict:     verdictsInParts,
	memory.KindSection:     judgedIn(memory.KindSection),
	memory.KindRun:         judgedIn(memory.KindRun),
	memory.KindExecution: inParts(memory.KindExecution, func(t *transaction, _ []byte, keys []string) (int, error) {
		return t.deleteExecutions(nil, keys)
	}),
}

// inParts deletes records in parts, each with its tombstones in one transaction.
func inParts(kind memory.Kind, remove func(t *transaction, inputKey []byte, keys []string) (int, error)) func(ctx context.Context, s *tenantStore, inputKey []byte, keys []string) (int, error) {
	return func(ctx context.Context, s *tenantStore, inputKey []byte, keys []string) (count int, err error) {
		for part := range slices.Chunk(keys, mostDeleted) {
			part := slices.Sorted(slices.Values(part)) // the order in which every writer locks them
			if err := s.loosen(ctx, kind, part); err != nil {
				return count, err
			}
			gone, err := written(ctx, s, func(t *transaction) (int, error) {
				if err := graph.AddTombstones(t.Transaction, inputKey, memory.NodeIDs(kind, part)...); err != nil {
					return 0, err
				}
				return remove(t, inputKey, part)
			})
			if err != nil {
				return count, err
			}
			count += gone
		}
		return count, nil
	}
}

// loosen deletes links of records that are about to be deleted, where they have more than one transaction takes.
func (s *tenantStore) loosen(ctx context.Context, kind memory.Kind, keys []string) error {
	links, err := s.Count(ctx, s.Query(cypher.Rendered("count_links", graph.Labels[kind]), cypher.Parameters{"keys": keys}))
	for gone := 1; err == nil && gone > 0 && links > mostLinks; links -= gone {
		err = s.write(ctx, func(t *transaction) error {
			counts, err := bolt.RowsOf(t.Transaction, looseLinks[kind], cypher.Parameters{"keys": keys, "limit": mostLinks}, bolt.Column[int64]("n"))
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

// recordsInParts is inParts for records of which nothing is counted elsewhere.
func recordsInParts(kind memory.Kind) func(ctx context.Context, s *tenantStore, inputKey []byte, keys []string) (int, error) {
	return inParts(kind, func(t *transaction, _ []byte, keys []string) (int, error) { return t.deleteRecords(kind, keys...) })
}

// DeleteMemoir deletes a memoir with its concepts, in parts; see store.Eraser.
func (s *tenantStore) DeleteMemoir(ctx context.Context, key string) (concepts int, err error) {
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return 0, err
	}
	err = s.write(ctx, func(t *transaction) error {
		if err := graph.AddTombstones(t.Transaction, inputKey, memory.NodeID(memory.KindMemoir, key)); err != nil {
			return err
		}
		there, err := t.lockMemoir(key)
		if err == nil && !there {
			err = store.ErrNotFound
		}
		return err
	})
	for done := false; err == nil && !done; {
		gone := 0
		gone, done, err = s.forgetMemoir(ctx, inputKey, key)
		concepts += gone
	}
	return concepts, err
}

// forgetMemoir deletes some concepts of a memoir, and itself where it has no others.
func (s *tenantStore) forgetMemoir(ctx context.Context, inputKey []byte, key string) (concepts int, done bool, err error) {
	some := s.Query(cypher.Named("some_concepts"), cypher.Parameters{"memoir": key, "limit": mostDeleted})
	part, err := bolt.Read(ctx, s.Connection, some, bolt.Column[string]("key"))
	if err != nil {
		return 0, false, err
	}
	if err := s.loosen(ctx, memory.KindConcept, part); err != nil {
		return 0, false, err
	}
	err = s.write(ctx, func(t *transaction) (err error) {
		done = false
		if err := graph.AddTombstones(t.Transaction, inputKey, memory.NodeIDs(memory.KindConcept, part)...); err != nil {
			return err
		}
		if concepts, err = t.deleteRecords(memory.KindConcept, part...); err != nil || len(part) == mostDeleted {
			return err
		}
		if _, err := t.lockMemoir(key); err != nil { // nobody adds to it any more
			return err
		}
		left, err := bolt.RowsOf(t.Transaction, cypher.Named("some_concepts"), cypher.Parameters{"memoir": key, "limit": 1}, bolt.Column[string]("key"))
		if done = err == nil && len(left) == 0; done {
			_, err = t.deleteRecords(memory.KindMemoir, key)
		}
		return err
	})
	return concepts, done && err == nil, err
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

// deletion is what was deleted: how many episodes, and the ids of what they owned.
type deletion struct {
	episodes int
	owned    []string
}

// deleteEpisodes deletes those that are there of episodes, with what only they own.
func (t *transaction) deleteEpisodes(keys ...string) (deletion, error) {
	owned, profiles, err := t.belongings(keys)
	if err != nil {
		return deletion{}, err
	}
	there, err := t.lockToDelete(owned)
	if err != nil || len(there) == 0 {
		return deletion{}, err
	}
	known, err := learning.LockExecutions(t.Transaction, profiles, there)
	if err != nil {
		return deletion{}, err
	}
	deleted, counted, err := t.deleteLocked(there)
	if err != nil {
		return deletion{}, err
	}
	if known == nil && counted > 0 || known != nil && counted != len(known.Nodes) {
		return deletion{}, &bolt.Raced{Cause: graph.ErrGone} // another concluded one meanwhile
	}
	return deleted, learning.CountOut(t.Transaction, known)
}

// lockToDelete locks a scope without looking at what is in it, and tells which of its episodes are there.
func (t *transaction) lockToDelete(s graph.Scope) (episodes []string, err error) {
	err = t.Run(cypher.Named("lock"), cypher.Parameters{
		"sessions": s.Sessions.Sorted(), "executions": s.Executions.Sorted(), "canvases": s.Canvases.Sorted(),
		"episodes": s.Episodes.Sorted(), "newEpisodes": []string{}, "newFeedback": []string{},
	}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		if f.Integer("gone") > 0 {
			return &bolt.Raced{Cause: graph.ErrGone}
		}
		episodes = bolt.List[string](f, "episodes")
		return f.Err
	})
	slices.Sort(episodes)
	return episodes, err
}

// deleteLocked deletes episodes, then what they were the last to use, and says how many were executions.
func (t *transaction) deleteLocked(keys []string) (deleted deletion, executions int, err error) {
	var waits []any
	var sessions []string
	err = t.Rows(cypher.Named("delete_episodes"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		waits, sessions = append(waits, bolt.List[any](f, "waits")...), append(sessions, bolt.List[string](f, "sessions")...)
		deleted.episodes++
		deleted.owned = slices.Concat(deleted.owned,
			memory.NodeIDs(memory.KindCanvas, bolt.List[string](f, "canvases")), memory.NodeIDs(memory.KindFeedback, bolt.List[string](f, "feedback")))
		if bolt.Required[bool](f, "counted") {
			executions++
		}
	})
	switch {
	case err != nil:
		return deletion{}, 0, err
	case deleted.episodes < len(keys):
		return deletion{}, 0, &bolt.Raced{Cause: graph.ErrGone} // another deleted one while we waited for the lock
	}
	for _, drop := range []cypher.Statement{cypher.Named("drop_trace"), cypher.Named("drop_logs")} {
		if err := t.Run(drop, cypher.Parameters{"keys": keys}, nil); err != nil {
			return deletion{}, 0, err
		}
	}
	return deleted, executions, t.letGo(waits, sessions)
}

// letGo removes what records were the last to wait for, and the sessions that they were the last in.
func (t *transaction) letGo(waits []any, sessions []string) error {
	if len(waits) > 0 {
		if err := t.Run(cypher.Named("drop_waiting"), cypher.Parameters{"awaited": waits}, nil); err != nil {
			return err
		}
	}
	if len(sessions) == 0 {
		return nil
	}
	return t.Run(cypher.Named("drop_sessions"), cypher.Parameters{"sessions": graph.SetOf(sessions...).Sorted()}, nil)
}

// belongings finds what is to be locked before episodes are deleted; the profiles are those of their executions.
func (t *transaction) belongings(keys []string) (owned graph.Scope, profiles graph.KeySet, err error) {
	owned, profiles = graph.NewScope(), graph.KeySet{}
	owned.Episodes.Add(keys...)
	err = t.Rows(cypher.Named("belongings"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		owned.Executions.Add(bolt.List[string](f, "executions")...)
		owned.Canvases.Add(bolt.List[string](f, "canvases")...)
		owned.Sessions.Add(bolt.List[string](f, "sessions")...)
		profiles.Add(bolt.List[string](f, "profiles")...)
	})
	return owned, profiles, err
}

// deleteOwned deletes some of what an episode owns, feedback before canvases and those before the log, and gives the ids. A statement says
// what becomes of the feedback that others have on the canvases.
func (t *transaction) deleteOwned(episode string, onCanvases cypher.Statement) (ids []string, err error) {
	feedback, err := t.ownedRecords(episode, "RECEIVED")
	if err != nil {
		return nil, err
	}
	if len(feedback) > 0 {
		_, err := t.deleteFeedback(feedback...)
		return memory.NodeIDs(memory.KindFeedback, feedback), err
	}
	canvases, err := t.ownedRecords(episode, "PRESENTED")
	if err != nil {
		return nil, err
	}
	if len(canvases) == 0 {
		return nil, t.Run(cypher.Named("drop_events"), cypher.Parameters{"key": episode, "limit": mostDeleted}, nil)
	}
	_, err = t.deleteCanvases(canvases, onCanvases)
	return memory.NodeIDs(memory.KindCanvas, canvases), err
}

func (t *transaction) ownedRecords(episode, link string) ([]string, error) {
	keys, err := bolt.RowsOf(t.Transaction, cypher.Rendered("owned_records", link), cypher.Parameters{"key": episode, "limit": mostDeleted}, bolt.Column[string]("key"))
	slices.Sort(keys)
	return keys, err
}

// deleteCanvases deletes canvases, takes them out of their episodes' aggregates, and says how many were there.
func (t *transaction) deleteCanvases(keys []string, onCanvases cypher.Statement) (deleted int, err error) {
	wanted := graph.NewScope()
	wanted.Canvases.Add(keys...)
	sizes := func(each func(f *bolt.Fields, episode *string)) error {
		return t.Rows(cypher.Named("canvas_sizes"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
			each(f, f.OptionalText("episode"))
		})
	}
	err = sizes(func(f *bolt.Fields, episode *string) {
		wanted.Episodes.AddOptional(episode)
		wanted.Sessions.AddOptional(f.OptionalText("session"))
	})
	if err != nil {
		return 0, err
	}
	if _, err := t.lockToDelete(wanted); err != nil {
		return 0, err
	}
	c := graph.NewChanges()
	moved := false
	err = sizes(func(f *bolt.Fields, episode *string) {
		c.Moves.Canvas(graph.OrNone(episode), f.Integer("actions"), "", 0)
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
	if err := c.Apply(t.Transaction); err != nil {
		return 0, err
	}
	return t.deleteRecords(memory.KindCanvas, keys...)
}

// deleteRecords deletes records of a kind, and then what they were the last to use. It says how many were there.
func (t *transaction) deleteRecords(kind memory.Kind, keys ...string) (deleted int, err error) {
	if len(keys) == 0 {
		return 0, nil
	}
	var waits []any
	var sessions []string
	err = t.Rows(cypher.Rendered("delete_records", graph.Labels[kind]), cypher.Parameters{"keys": keys, "kind": string(kind)}, func(f *bolt.Fields) {
		deleted, waits, sessions = f.Integer("count"), bolt.List[any](f, "waits"), bolt.List[string](f, "sessions")
	})
	if err != nil {
		return 0, err
	}
	return deleted, t.letGo(waits, sessions)
}

var verdictsInParts = inParts(memory.KindVerdict, (*transaction).deleteVerdicts)

// judgedIn deletes sections or runs with their verdicts.
func judgedIn(kind memory.Kind) func(ctx context.Context, s *tenantStore, inputKey []byte, keys []string) (int, error) {
	return func(ctx context.Context, s *tenantStore, inputKey []byte, keys []string) (count int, err error) {
		for _, key := range keys {
			values := cypher.Parameters{"of": key, "earliest": bolt.Instant(graph.Earliest), "limit": mostDeleted}
			for more := true; more; {
				some := s.Query(cypher.Rendered("some_verdicts", string(kind)), values)
				verdicts, err := bolt.Read(ctx, s.Connection, some, bolt.Column[string]("key"))
				if err == nil {
					_, err = verdictsInParts(ctx, s, inputKey, verdicts)
				}
				if err != nil {
					return count, err
				}
				more = len(verdicts) > 0
			}
			err := s.write(ctx, func(t *transaction) error { return t.deleteUnjudged(inputKey, kind, graph.SetOf(key)) })
			if err != nil {
				return count, err
			}
			count++
		}
		return count, nil
	}
}

// deleteVerdicts deletes verdicts, and then the sections and runs that have no others.
func (t *transaction) deleteVerdicts(inputKey []byte, keys []string) (deleted int, err error) {
	runs, sections := graph.KeySet{}, graph.KeySet{}
	var said []cypher.Parameters
	err = t.Rows(cypher.Named("verdicts_said"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		runs.AddOptional(f.OptionalText("run"))
		sections.AddOptional(f.OptionalText("section"))
		for _, issue := range issuesOf(f) {
			if issue.Message != nil {
				said = append(said, cypher.Parameters{"sectionType": f.Text("sectionType"), "code": issue.Code, "message": *issue.Message})
			}
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
	if deleted, err = t.deleteRecords(memory.KindVerdict, keys...); err != nil {
		return 0, err
	}
	if err := t.deleteUnjudged(inputKey, memory.KindSection, sections); err != nil {
		return 0, err
	}
	return deleted, t.deleteUnjudged(inputKey, memory.KindRun, runs)
}

// unjudgedLinks are those by which a section has its verdicts, and a run its sections.
var unjudgedLinks = map[memory.Kind]string{memory.KindSection: "ON", memory.KindRun: "IN_RUN"}

// deleteUnjudged deletes those of sections, or of runs, that have no verdict. It locks them, so that none comes meanwhile.
func (t *transaction) deleteUnjudged(inputKey []byte, kind memory.Kind, keys graph.KeySet) error {
	if _, err := graph.LockEnds(t.Transaction, map[memory.Kind]graph.KeySet{kind: keys}); err != nil {
		return err
	}
	shape := cypher.Parameters{"Label": graph.Labels[kind], "Link": unjudgedLinks[kind]}
	empty, err := bolt.RowsOf(t.Transaction, cypher.Rendered("unjudged", shape), cypher.Parameters{"keys": keys.Sorted()}, bolt.Column[string]("key"))
	if err != nil || len(empty) == 0 {
		return err
	}
	if err := graph.AddTombstones(t.Transaction, inputKey, memory.NodeIDs(kind, empty)...); err != nil {
		return err
	}
	_, err = t.deleteRecords(kind, empty...)
	return err
}
