package neo4j

import (
	"context"
	"encoding/hex"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/forgetting"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
	"mneme/store/profiles"
)

// Delete deletes what is of a kind, in parts; see store.Eraser.
func (s *tenantStore) Delete(ctx context.Context, kind memory.Kind, keys []string) (int, error) {
	return forgetting.Delete(ctx, s, kind, keys)
}

// CountSaid counts what a person said; see store.Eraser.
func (s *tenantStore) CountSaid(ctx context.Context, person string) (int, error) {
	return forgetting.CountSaid(ctx, s, person)
}

// PruneObservations removes what weighs too little, in parts; see store.Annotations.
func (s *tenantStore) PruneObservations(ctx context.Context, p store.Pruning) (int, error) {
	if p.DryRun {
		return s.Number(ctx, s.Query(cypher.Rendered("count_prunable", decayOf(p.Policy)), pruningParameters(&p, nil)))
	}
	return forgetting.Prune(ctx, s, &p)
}

// tombstonesOf reads the tombstones of ids.
func (s *tenantStore) tombstonesOf(ctx context.Context, ids []string) ([]*store.Tombstone, error) {
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return nil, err
	}
	keys := tombstoneKeys(inputKey, ids)
	there, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("tombstones"), cypher.Parameters{"keys": keys}), bolt.Column[string]("key"))
	if err != nil {
		return nil, err
	}
	known, found := linking.SetOf(there...), make([]*store.Tombstone, len(ids))
	for i, key := range keys {
		if known.Has(key) {
			found[i] = new(store.Tombstone(memory.Tombstone(inputKey, ids[i])))
		}
	}
	return found, nil
}

// Part is a transaction.
func (s *tenantStore) Part(ctx context.Context, do func(forgetting.Tx) error) error {
	return s.write(ctx, func(t *transaction) error { return do(t) })
}

// dependents finds what depends on a record.
var dependents = map[forgetting.Dependents]cypher.Statement{
	forgetting.EpisodesOf: cypher.Named("agent_episodes"), forgetting.ExecutionsOf: cypher.Named("agent_executions"), forgetting.ConsolidatedOf: cypher.Named("agent_consolidated"),
	forgetting.ConceptsOf: cypher.Named("some_concepts"), forgetting.VerdictsOfSection: cypher.Rendered("some_verdicts", "section"),
	forgetting.VerdictsOfRun: cypher.Rendered("some_verdicts", "run"),
	forgetting.FeedbackBy:    cypher.Rendered("said_by", saidShape{"Feedback", "createdBy"}),
	forgetting.CorrectionsBy: cypher.Rendered("said_by", saidShape{"Correction", "createdBy"}),
	forgetting.VerdictsBy:    cypher.Rendered("said_by", saidShape{"Verdict", "labelledBy"}),
}

// saidShape is which records a person has a part in, and by which property.
type saidShape struct{ Label, By string }

// Find finds what depends on a record.
func (s *tenantStore) Find(ctx context.Context, what forgetting.Dependents, of string) ([]string, error) {
	values := cypher.Parameters{"of": of, "earliest": bolt.Instant(graph.Earliest)}
	return bolt.Read(ctx, s.Connection, s.Query(dependents[what], values), bolt.Column[string]("key"))
}

// FindTraces shows the spans that are held.
func (s *tenantStore) FindTraces(ctx context.Context, to *store.AgentTraces) error {
	return paged(s, cypher.Named("export_spans"), firstSpan, func(f *bolt.Fields) (tell func()) {
		trace, key, recorded := f.Text("afterTrace"), f.Text("afterKey"), bolt.Required[bool](f, "recorded")
		if f.Err != nil {
			return nil
		}
		if held := heldSpanOf(f, trace, key); f.Err == nil {
			return func() { to.Add(&held, recorded) }
		}
		f.Err = nil
		data, _ := f.Node.Props["data"].(string)
		return func() { to.AddUnread(trace, []byte(data), recorded) }
	})(ctx, func(tell func()) error {
		tell()
		return nil
	})
}

// maxLinks bounds how many links and entries of logs a part of a deletion deletes, but for the links to what records
// belong to: Neo4j holds what a transaction deletes in memory, up to 3 kB a link.
const maxLinks = 5000

// Loosen deletes links and logs of records that are to be deleted, where they have more than one transaction takes.
func (s *tenantStore) Loosen(ctx context.Context, kind memory.Kind, keys []string) error {
	links, err := s.Number(ctx, s.Query(cypher.Rendered("count_links", cypher.Label(kind)), cypher.Parameters{"keys": keys}))
	for gone := 1; err == nil && gone > 0 && links > maxLinks; links -= gone {
		gone, err = written(ctx, s, func(t *transaction) (int, error) {
			return bolt.FirstOf(t.Transaction, cypher.Rendered("loosen", linkedShape{cypher.Label(kind), looseLinks}), cypher.Parameters{"keys": keys, "limit": maxLinks}, bolt.Column[int]("n"))
		})
	}
	return err
}

// looseLinks are the types of such links.
var looseLinks = strings.Join(append([]string{"MENTIONS", "ABOUT", "HAS_PASSAGE"}, store.RelationNames(nil)...), "|")

// pruningParameters are the values of a pruning.
func pruningParameters(p *store.Pruning, keys []string) cypher.Parameters {
	values := decayParameters(p.Now)
	values["minWeight"], values["keys"] = p.MinWeight, keys
	return values
}

// Light finds what weighs too little.
func (s *tenantStore) Light(ctx context.Context, p *store.Pruning) ([]string, error) {
	return bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("prunable", decayOf(p.Policy)), pruningParameters(p, nil)), bolt.Column[string]("key"))
}

// StillLight finds observations that still weigh too little. It locks their tombstones first, as restoring them does.
func (t *transaction) StillLight(p *store.Pruning, keys []string) ([]string, error) {
	if _, err := t.Buried(memory.NodeIDs(memory.KindObservation, keys)); err != nil {
		return nil, err
	}
	return bolt.RowsOf(t.Transaction, cypher.Rendered("prune", decayOf(p.Policy)), pruningParameters(p, keys), bolt.Column[string]("key"))
}

// Bury leaves tombstones. The input key is known: whoever deletes has asked for it.
func (t *transaction) Bury(ids ...string) error {
	return t.Run(cypher.Named("add_tombstones"), cypher.Parameters{"rows": linking.SetOf(t.tombstones(ids)...).Sorted()}, nil)
}

// tombstones are the keys of those of ids.
func (t *transaction) tombstones(ids []string) []string {
	key := t.inputKey
	if key == nil {
		key = t.store.KnownKey()
	}
	return tombstoneKeys(key, ids)
}

// tombstoneKeys are the keys of the tombstones of global ids: hexadecimal, which sorts as the bytes do.
func tombstoneKeys(inputKey []byte, ids []string) []string {
	return memory.Mapped(ids, func(id string) string { return hex.EncodeToString(memory.Tombstone(inputKey, id)) })
}

// heldShape is a label of records that episodes count, and whether these are locked.
type heldShape struct {
	Label string
	Lock  bool
}

// Hold locks canvases or feedback with their episodes and sessions.
func (t *transaction) Hold(kind memory.Kind, keys []string) (held []forgetting.Held, err error) {
	scope := linking.NewScope()
	look := func(lock bool, each func(f *bolt.Fields, episode *string)) error {
		return t.Run(cypher.Rendered("held", heldShape{cypher.Label(kind), lock}), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
			each(f, f.OptionalText("episode"))
		})
	}
	err = look(false, func(f *bolt.Fields, episode *string) {
		scope.Episodes.AddOptional(episode)
		scope.Sessions.AddOptional(f.OptionalText("session"))
	})
	if err != nil {
		return nil, err
	}
	if kind == memory.KindCanvas {
		scope.Canvases.Add(keys...)
	}
	if _, err := t.LockToDelete(scope); err != nil {
		return nil, err
	}
	moved := false
	err = look(true, func(f *bolt.Fields, episode *string) {
		moved = moved || episode != nil && !scope.Episodes.Has(*episode)
		held = append(held, forgetting.Held{
			Key: f.Text("key"), Episode: memory.OrZero(episode), Actions: f.Integer("actions"), Score: f.Sum("score"), Counts: bolt.Required[bool](f, "counts"),
		})
	})
	if err == nil && moved { // it got an episode while we waited for its lock
		err = &bolt.Raced{Cause: graph.ErrGone}
	}
	return held, err
}

// DetachFeedback lets feedback wait for canvases again, or no longer name them.
func (t *transaction) DetachFeedback(keys []string, waitAgain bool) error {
	leave := cypher.Named("unname_canvases")
	if waitAgain {
		leave = cypher.Named("await_canvases")
	}
	return t.Run(leave, cypher.Parameters{"keys": keys}, nil)
}

// LockEpisodes locks episodes with what belongs to them.
func (t *transaction) LockEpisodes(keys []string) (*forgetting.Episodes, error) {
	scope, all := linking.NewScope(), &forgetting.Episodes{}
	scope.Episodes.Add(keys...)
	err := t.Run(cypher.Named("belongings"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		scope.Executions.Add(bolt.List[string](f, "names")...)
		scope.Canvases.Add(bolt.List[string](f, "canvases")...)
		scope.Sessions.Add(bolt.List[string](f, "sessions")...)
		scope.People.Add(bolt.List[string](f, "people")...)
		all.Executions = append(all.Executions, bolt.List[string](f, "executions")...)
		all.Profiles = append(all.Profiles, bolt.List[string](f, "profiles")...)
	})
	if err != nil {
		return nil, err
	}
	there, err := t.LockToDelete(scope)
	all.There, all.Canvases = there.Sorted(), scope.Canvases.Sorted()
	return all, err
}

// DeleteEpisodes deletes episodes, then what they were the last to use.
func (t *transaction) DeleteEpisodes(keys []string) (owned []string, err error) {
	var waits []any
	var sessions, people []string
	deleted := 0
	err = t.Run(cypher.Named("delete_episodes"), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		if !bolt.Required[bool](f, "counted") {
			deleted++
		}
		waits, sessions = append(waits, bolt.List[any](f, "waits")...), append(sessions, bolt.List[string](f, "sessions")...)
		people = append(people, bolt.List[string](f, "people")...)
		owned = slices.Concat(owned,
			memory.NodeIDs(memory.KindCanvas, bolt.List[string](f, "canvases")), memory.NodeIDs(memory.KindFeedback, bolt.List[string](f, "feedback")))
	})
	switch {
	case err != nil:
		return nil, err
	case deleted < len(keys):
		return nil, &bolt.Raced{Cause: graph.ErrGone} // another deleted or concluded one while we waited for the lock
	}
	for _, drop := range []cypher.Statement{cypher.Named("drop_trace"), cypher.Named("drop_logs")} {
		if err := t.Run(drop, cypher.Parameters{"keys": keys}, nil); err != nil {
			return nil, err
		}
	}
	return owned, t.letGo(waits, sessions, people)
}

// linkedShape is a label of nodes, and links of these.
type linkedShape struct{ Label, Link string }

// letGo removes what records were the last to wait for, the sessions that they were the last in, and the people whom
// they were the last for.
func (t *transaction) letGo(waits []any, sessions, people []string) error {
	if len(waits) > 0 {
		if err := t.Run(cypher.Named("drop_waiting"), cypher.Parameters{"awaited": waits}, nil); err != nil {
			return err
		}
	}
	for _, left := range []struct {
		linkedShape
		keys []string
	}{{linkedShape{"Session", "IN_SESSION"}, sessions}, {linkedShape{"Person", "FOR"}, people}} {
		if len(left.keys) == 0 {
			continue
		}
		if err := t.Run(cypher.Rendered("drop_idle", left.linkedShape), cypher.Parameters{"keys": linking.SetOf(left.keys...).Sorted()}, nil); err != nil {
			return err
		}
	}
	return nil
}

// ProfilesOf are the profiles of executions.
func (t *transaction) ProfilesOf(executions []string) ([]string, error) {
	return bolt.RowsOf(t.Transaction, cypher.Named("profiles_of"), cypher.Parameters{"keys": executions}, bolt.Column[string]("profile"))
}

// Learning is the transaction as package profiles has it.
func (t *transaction) Learning() profiles.Tx { return learning.Write{Links: t.Links} }

// Unsay takes what verdicts said of issues out of patterns.
func (t *transaction) Unsay(verdicts []string) (sections, runs []string, err error) {
	inRuns, inSections := linking.KeySet{}, linking.KeySet{}
	var said []cypher.Parameters
	err = t.Run(cypher.Named("verdicts_said"), cypher.Parameters{"keys": verdicts}, func(f *bolt.Fields) {
		inRuns.AddOptional(f.OptionalText("run"))
		inSections.AddOptional(f.OptionalText("section"))
		var j memory.Judgement
		f.Scan(fields.Judgement(&j))
		for _, issue := range j.Issues {
			said = append(said, cypher.Parameters{"sectionType": j.SectionType, "code": issue.Code, "at": bolt.Instant(j.At)})
		}
		f.Err = nil // what cannot be read goes, too
	})
	if err == nil {
		sections, runs = inSections.Sorted(), inRuns.Sorted()
		_, err = graph.LockEnds(t.Transaction, append(memory.NodeIDs(memory.KindRun, runs), memory.NodeIDs(memory.KindSection, sections)...))
	}
	if err == nil && len(said) > 0 {
		err = t.Run(cypher.Named("unsay"), cypher.Parameters{"rows": said, "issue": string(memory.PatternDont)}, nil)
	}
	return sections, runs, err
}

// Unlabel takes a person's labels from verdicts.
func (t *transaction) Unlabel(person string, verdicts []string) (int, error) {
	return bolt.FirstOf(t.Transaction, cypher.Named("unlabel"), cypher.Parameters{"person": person, "keys": verdicts}, bolt.Column[int]("labels"))
}

// ownLinks are the links to what a record has.
var ownLinks = map[memory.Kind]string{memory.KindAgent: "RAN|OF", memory.KindMemoir: "CONTAINS", memory.KindSection: "ON", memory.KindRun: "IN_RUN"}

// Idle locks records, and tells those that have nothing.
func (t *transaction) Idle(kind memory.Kind, keys []string) ([]string, error) {
	return bolt.RowsOf(t.Transaction, cypher.Rendered("idle", linkedShape{cypher.Label(kind), ownLinks[kind]}), cypher.Parameters{"keys": keys}, bolt.Column[string]("key"))
}

// Delete deletes records of a kind, and then what they were the last to use.
func (t *transaction) Delete(kind memory.Kind, keys []string) (deleted int, err error) {
	var waits []any
	var sessions []string
	err = t.Run(cypher.Rendered("delete_records", cypher.Label(kind)), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		deleted, waits, sessions = f.Integer("count"), bolt.List[any](f, "waits"), bolt.List[string](f, "sessions")
	})
	if err != nil {
		return 0, err
	}
	return deleted, t.letGo(waits, sessions, nil)
}

// ForgetName takes an agent's name away.
func (t *transaction) ForgetName(agent string) (bool, error) {
	known, err := bolt.FirstOf(t.Transaction, cypher.Named("forget_name"), cypher.Parameters{"key": agent}, bolt.Column[string]("key"))
	return known != "", err
}

// DropTraces deletes what is held of traces.
func (t *transaction) DropTraces(traces []string) (spans int, err error) {
	return spans, t.Run(cypher.Named("drop_trace"), cypher.Parameters{"keys": traces}, func(f *bolt.Fields) { spans = f.Integer("spans") })
}
