package neo4j

import (
	"cmp"
	"errors"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
	"mneme/store/neo4j/settings"
	"mneme/store/profiles"
)

// recordEpisodes writes what a client says now.
func (t *transaction) recordEpisodes(records []store.EpisodeRecord) ([]store.Recorded, error) {
	return t.writeEpisodes(records, (*linking.Known).CheckCauses)
}

// restoreEpisodes writes what an export said as it was.
func (t *transaction) restoreEpisodes(records []store.EpisodeRecord) ([]store.Recorded, error) {
	return t.writeEpisodes(records, func(*linking.Known, *store.EpisodeRecord) error { return nil })
}

func (t *transaction) writeEpisodes(
	records []store.EpisodeRecord, check func(*linking.Known, *store.EpisodeRecord) error,
) ([]store.Recorded, error) {
	known, err := t.Lock(episodeScope(records))
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
		e := &records[i].Episode
		if _, there := known.Hashes[e.Key]; !there {
			if fault := check(known, &records[i]); fault != nil {
				recorded[i] = store.Recorded{Key: e.Key, Err: fault}
				continue
			}
		}
		recorded[i], err = t.admit(&records[i], known)
		if err != nil {
			return nil, err
		}
		if recorded[i].Created {
			fresh = append(fresh, &records[i])
			known.Starts[e.Key], known.Users[e.Key] = e.StartedAt, memory.OrZero(e.UserID)
		}
	}
	executions := profiles.Of(memory.Mapped(fresh, func(r *store.EpisodeRecord) *memory.Episode { return &r.Episode })...)
	locked, err := profiles.LockFor(t.Learning(), executions)
	if err != nil {
		return nil, err
	}
	if err := t.createEpisodes(fresh); err != nil {
		return nil, err
	}
	if err := locked.CountIn(executions); err != nil {
		return nil, err
	}
	return recorded, linking.LinkEpisodes(t, fresh, known, func(key string) bool {
		return concepts.Has(memory.NodeID(memory.KindConcept, key))
	})
}

// mentioned locks the concepts that episodes mention and tells which are there.
func (t *transaction) mentioned(records []store.EpisodeRecord) (graph.Ends, error) {
	var concepts []string
	for i := range records {
		concepts = append(concepts, records[i].Mentions...)
	}
	return graph.LockEnds(t.Transaction, memory.NodeIDs(memory.KindConcept, concepts))
}

// episodeScope is what episodes may be linked to.
func episodeScope(records []store.EpisodeRecord) linking.Scope {
	s := linking.NewScope()
	for i := range records {
		e := &records[i].Episode
		s.Sessions.AddOptional(e.SessionKey)
		s.People.AddOptional(e.UserID)
		s.Executions.Add(e.ExecutionIDs...)
		s.Episodes.Add(records[i].CausedBy...)
		s.Episodes.Add(records[i].InformedBy...)
		s.NewEpisodes = append(s.NewEpisodes, e.Key)
	}
	return s
}

// admit says what becomes of a record. The tenant's first vector fixes the length of all.
func (t *transaction) admit(record *store.EpisodeRecord, known *linking.Known) (store.Recorded, error) {
	key, embedding := record.Episode.Key, record.Episode.Embedding
	if _, taken := known.Hashes[key]; !taken && embedding != nil {
		if err := t.admitVector(embedding); errors.Is(err, store.ErrVectorLength) {
			return store.Recorded{Key: key, Err: err}, nil
		} else if err != nil {
			return store.Recorded{}, err
		}
	}
	return known.Hashes.Admit(key, record.InputHash), nil
}

// admitVector says what is wrong with a vector.
func (t *transaction) admitVector(embedding []float32) error {
	length, err := t.fixVectorLength(len(embedding))
	if err == nil && length != len(embedding) {
		err = store.ErrVectorLength
	}
	return err
}

// createEpisodes creates episodes and links what has been waiting for them.
func (t *transaction) createEpisodes(records []*store.EpisodeRecord) error {
	if len(records) == 0 {
		return nil
	}
	rows, said, told := make([]cypher.Parameters, len(records)), make([]cypher.Parameters, len(records)), make([]passages.Record, len(records))
	arriving, vectors, spans := []cypher.Parameters{}, []cypher.Parameters{}, map[string]*linking.Span{}
	for i, record := range byAgent(records) {
		e := &record.Episode
		said[i], told[i] = episodeProperties(t.TenantID, record), passages.OfEpisode(e, record.Events)
		rows[i] = cypher.Parameters{"properties": said[i], "agentName": record.AgentName, "executions": linking.SetOf(e.ExecutionIDs...).Sorted()}
		if e.Embedding != nil {
			vectors = append(vectors, vectorOf(e.Key, e.Embedding))
		}
		if e.SessionKey != nil {
			arriving = append(arriving, cypher.Parameters{"key": e.Key, "user": e.UserID, "session": *e.SessionKey, "startedAt": bolt.Instant(e.StartedAt)})
			spans[e.Key] = new(linking.SpanOf(e))
		}
	}
	affected := map[string]linking.Interval{} // by episode
	values := t.nodes(memory.KindEpisode, said, told)
	values["rows"], values["arriving"], values["vectors"] = rows, arriving, vectors
	err := t.Run(cypher.Named("create_episodes"), values, func(row *bolt.Fields) {
		if key, around := row.Text("key"), graph.NeighboursOf(row); row.Err == nil {
			affected[key] = linking.Affected(spans[key], around)
		}
	})
	if err != nil {
		return err
	}
	return linking.EpisodesArrived(t, records, affected)
}

// vectorOf is the embedding of an episode as it is written.
func vectorOf(key string, embedding []float32) cypher.Parameters {
	return cypher.Parameters{"key": key, "property": settings.VectorProperty(len(embedding)), "numbers": embedding}
}

// byAgent puts the episodes of an agent together, because linking to an agent locks it; an agent's
// own keep their order, and the last name given to it stays.
func byAgent(records []*store.EpisodeRecord) []*store.EpisodeRecord {
	return slices.SortedStableFunc(slices.Values(records), func(a, b *store.EpisodeRecord) int {
		return cmp.Compare(a.Episode.AgentKey, b.Episode.AgentKey)
	})
}
