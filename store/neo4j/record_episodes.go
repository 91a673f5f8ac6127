package neo4j

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// RecordEpisodes writes episodes and links what has been waiting for them; see store.EpisodeWriter.
func (s *tenantStore) RecordEpisodes(ctx context.Context, records []store.EpisodeRecord) ([]store.Recorded, error) {
	if len(records) == 0 {
		return []store.Recorded{}, nil
	}
	s.written.Add(int64(len(records)))
	return s.episodes.record(ctx, records)
}

func (t *transaction) recordEpisodes(records []store.EpisodeRecord) ([]store.Recorded, error) {
	known, err := t.lock(episodeScope(records))
	if err != nil {
		return nil, err
	}
	concepts, err := t.mentioned(records)
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(records))
	var fresh []*store.EpisodeRecord
	for i := range records {
		recorded[i], err = t.admit(&records[i], known.hashes)
		if err != nil {
			return nil, err
		}
		if recorded[i].Created {
			fresh = append(fresh, &records[i])
		}
	}
	lessons, err := t.lockLessons(episodesOf(fresh))
	if err != nil {
		return nil, err
	}
	for _, part := range partsOf(fresh, known.pending) {
		if err := t.createEpisodes(part, known.pending); err != nil {
			return nil, err
		}
	}
	if err := t.learnFrom(lessons, episodesOf(fresh)); err != nil {
		return nil, err
	}
	return recorded, t.linkNamed(fresh, known.episodes, concepts)
}

func episodesOf(records []*store.EpisodeRecord) []*memory.Episode {
	episodes := make([]*memory.Episode, len(records))
	for i, record := range records {
		episodes[i] = &record.Episode
	}
	return episodes
}

// mentioned locks the concepts that episodes mention and tells which are there.
func (t *transaction) mentioned(records []store.EpisodeRecord) (keySet, error) {
	keys := keySet{}
	for i := range records {
		keys.add(records[i].Mentions...)
	}
	known, err := t.lockEnds(map[memory.Kind]keySet{memory.KindConcept: keys})
	return known.of(memory.KindConcept), err
}

// episodeScope is what episodes may be linked to.
func episodeScope(records []store.EpisodeRecord) scope {
	s := newScope()
	for i := range records {
		e := &records[i].Episode
		s.sessions.addOptional(e.SessionKey)
		s.executions.add(e.ExecutionIDs...)
		s.episodes.add(records[i].CausedBy...)
		s.newEpisodes = append(s.newEpisodes, e.Key)
	}
	return s
}

// admit says what becomes of a record. The tenant's first vector fixes the length of all.
func (t *transaction) admit(record *store.EpisodeRecord, hashes map[string]string) (store.Recorded, error) {
	key, embedding := record.Episode.Key, record.Episode.Embedding
	if _, taken := hashes[key]; !taken && embedding != nil {
		fault, err := t.admitVector(embedding)
		if err != nil || fault != nil {
			return store.Recorded{Key: key, Err: fault}, err
		}
	}
	return compare(hashes, key, record.InputHash, &record.Former), nil
}

// admitVector says what is wrong with a vector.
func (t *transaction) admitVector(embedding []float32) (fault, err error) {
	if fault := checkVector(embedding); fault != nil {
		return fault, nil
	}
	length, err := t.fixVectorLength(len(embedding))
	if err == nil && length != len(embedding) {
		fault = store.ErrVectorLength
	}
	return fault, err
}

// partsOf splits a batch. An episode takes of its session what waits there and belongs to it, given the
// episodes before it and not those after; so where anything waits, each episode is a part of its own.
func partsOf(records []*store.EpisodeRecord, pending keySet) [][]*store.EpisodeRecord {
	if len(records) == 0 {
		return nil
	}
	waited := slices.ContainsFunc(records, func(r *store.EpisodeRecord) bool {
		return r.Episode.SessionKey != nil && pending.has(*r.Episode.SessionKey)
	})
	if waited {
		return slices.Collect(slices.Chunk(records, 1))
	}
	return [][]*store.EpisodeRecord{records}
}

// createEpisodes creates episodes and links what has been waiting for them.
func (t *transaction) createEpisodes(records []*store.EpisodeRecord, pending keySet) error {
	rows := make([]parameters, len(records))
	for i, record := range byAgent(records) {
		properties, err := episodeProperties(t.tenantStore, record)
		if err != nil {
			return err
		}
		rows[i] = parameters{
			"properties": properties, "agentName": record.AgentName,
			"executions": setOf(record.Episode.ExecutionIDs...).sorted(),
			"vector":     orNothing(record.Episode.Embedding), "vectorProperty": vectorProperty(len(record.Episode.Embedding)),
		}
	}
	if err := t.run(named("create_episodes"), parameters{"rows": rows}, nil); err != nil {
		return err
	}
	return t.linkWaiting(records, pending)
}

// byAgent puts the episodes of an agent together, because linking to an agent locks it; an agent's
// own keep their order, and the last name given to it stays.
func byAgent(records []*store.EpisodeRecord) []*store.EpisodeRecord {
	return slices.SortedStableFunc(slices.Values(records), func(a, b *store.EpisodeRecord) int {
		return cmp.Compare(a.Episode.AgentKey, b.Episode.AgentKey)
	})
}

// linkWaiting links what has been waiting for new episodes by their keys, their executions and their
// session.
func (t *transaction) linkWaiting(records []*store.EpisodeRecord, pending keySet) error {
	arrived := map[linking.Awaited]string{} // the first of those that are awaited alike
	for _, record := range records {
		e := &record.Episode
		awaited := append(linking.Episode(e), awaitedRecord(memory.KindAgent, e.AgentKey))
		if e.SessionKey != nil {
			awaited = append(awaited, awaitedRecord(memory.KindSession, *e.SessionKey))
		}
		for _, a := range awaited {
			if _, taken := arrived[a]; !taken && (a.Kind != linking.Session || pending.has(a.Key)) {
				arrived[a] = e.Key
			}
		}
	}
	waiting, err := t.waitingFor(maps.Keys(arrived))
	if err != nil || len(waiting) == 0 {
		return err
	}
	picked, err := t.pick(timesOf(waiting), linking.PickArrived)
	if err != nil {
		return err
	}
	c := newChanges()
	err = t.linkWaiters(c, waiting, func(w waiter) string {
		episode := arrived[w.awaited]
		if w.awaited.Kind == linking.Session && picked[w.id()] != episode {
			return ""
		}
		return episode
	}, nil)
	if err != nil {
		return err
	}
	return c.apply(t)
}

// linkNamed ties new episodes to their causes and to the concepts they mention, or lets them wait for
// those that are not there.
func (t *transaction) linkNamed(records []*store.EpisodeRecord, episodes, concepts keySet) error {
	there := keySet{}
	for _, record := range records {
		there.add(record.Episode.Key)
	}
	c := newChanges()
	for _, record := range records {
		key := record.Episode.Key
		for _, cause := range setOf(record.CausedBy...).sorted() {
			if episodes.has(cause) || there.has(cause) {
				c.linkCause(key, cause)
			} else {
				c.wait(labelEpisode, key, linking.Awaited{Kind: memory.KindEpisode, Key: cause})
			}
		}
		for _, concept := range setOf(record.Mentions...).sorted() {
			if concepts.has(concept) {
				c.mention(key, concept)
			} else {
				c.wait(labelEpisode, key, linking.Awaited{Kind: memory.KindConcept, Key: concept})
			}
		}
	}
	return c.apply(t)
}
