package neo4j

import (
	"context"
	"fmt"
	"maps"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
	"mneme/store/profiles"
)

// AmendEpisode replaces what an episode says; see store.EpisodeWriter.
func (s *tenantStore) AmendEpisode(ctx context.Context, amendment store.EpisodeAmendment) error {
	properties, told := amendedProperties(&amendment)
	e := &amendment.Episode
	return s.write(ctx, func(t *transaction) error {
		end, err := t.change(e.Key, !amendment.WasConcluded, cypher.Named("amend"), cypher.Parameters{
			"key": e.Key, "properties": properties, "ending": told,
			"wasHash": graph.HashText(amendment.WasHash), "wasConcluded": amendment.WasConcluded, "logged": amendment.Logged,
		})
		if err == nil {
			told := amendment.Episode
			told.StartedAt = end.ended.StartedAt
			err = t.retell(end, passages.OfEpisode(&told, amendment.Events), amendment.Logged > 0)
		}
		if err == nil {
			err = t.replaceEmbedding(e.Key, e.Embedding)
		}
		if err != nil || amendment.WasConcluded || !e.Concluded {
			return err
		}
		return profiles.CountEpisodes(t.Learning(), end.ended)
	})
}

// amendedProperties are what an amendment says, apart from where the episode belongs; what is not set is taken away. An
// ending is set once.
func amendedProperties(amendment *store.EpisodeAmendment) (properties, ending cypher.Parameters) {
	e := &amendment.Episode
	properties = bolt.Encode(cypher.Parameters{"inputHash": graph.HashText(amendment.InputHash)}, fields.Contents(e), fields.Log(&amendment.Events))
	delete(properties, "executionIds")
	ending = bolt.Encode(cypher.Parameters{}, fields.Ending(e))
	if e.Concluded {
		ending["concludedLater"] = true // set where it was open
	}
	if amendment.Logged > 0 {
		ending["startedAt"] = bolt.Instant(e.StartedAt)
	}
	return properties, ending
}

// ConcludeEpisode sets the outcome of an episode, once; see store.EpisodeWriter.
func (s *tenantStore) ConcludeEpisode(ctx context.Context, conclusion store.EpisodeConclusion) error {
	properties := conclusionProperties(&conclusion)
	return s.write(ctx, func(t *transaction) error {
		end, err := t.change(conclusion.Key, conclusion.EndedAt != nil, cypher.Named("conclude"), cypher.Parameters{
			"key": conclusion.Key, "properties": properties,
			"tokensBefore": conclusion.Was.TokensBefore, "tokensAfter": conclusion.Was.TokensAfter,
		})
		if err != nil {
			return err
		}
		if err := t.replaceEmbedding(conclusion.Key, conclusion.Embedding); err != nil {
			return err
		}
		said := bolt.FieldsOf(end.said)
		told := episodeOf(said)
		if said.Err != nil {
			return said.Err
		}
		if err := t.retell(end, passages.OfEpisode(told, nil), true); err != nil {
			return err
		}
		return profiles.CountEpisodes(t.Learning(), end.ended)
	})
}

// change changes an episode by a statement, and tells how it ended; may says that its place in its session may change.
func (t *transaction) change(episode string, may bool, changing cypher.Statement, values cypher.Parameters) (end *ending, err error) {
	change := func() error {
		end, err = bolt.FirstOf(t.Transaction, changing, values, func(f *bolt.Fields) *ending {
			return &ending{f.Text("verdict"), bolt.In(f, "said", endedOf), bolt.In(f, "said", bolt.Whole), bolt.List[map[string]any](f, "passages")}
		})
		switch {
		case err != nil:
			return err
		case end == nil:
			return store.ErrNotFound
		}
		return refusals[end.verdict]
	}
	if may {
		err = linking.Reassign(t, episode, change)
	} else {
		err = change()
	}
	return end, err
}

// ending is how an episode ended, and in verdict why it cannot be concluded so, or "".
type ending struct {
	verdict  string
	ended    *memory.Episode
	said     cypher.Parameters // what its passages are made of, as it is now
	passages []map[string]any  // those that it has
}

// endedOf reads of an episode what an execution is made of.
var endedOf = bolt.Reading(fields.Episode, fields.Ending)

// retell writes anew what an episode says after it changed; its log may say what it said.
func (t *transaction) retell(e *ending, told passages.Record, keepLog bool) error {
	told.Properties = e.said
	return t.Run(changePassages(memory.KindEpisode), passages.Became(memory.KindEpisode, told, e.passages, keepLog, t.store.making()), nil)
}

func changePassages(kind memory.Kind) cypher.Statement {
	return cypher.Rendered("change_passages", cypher.Label(kind))
}

// conclusionProperties are what a conclusion sets; what it leaves is not among them.
func conclusionProperties(c *store.EpisodeConclusion) cypher.Parameters {
	receipt := c.Was.Plus(c.Receipt)
	properties := bolt.Encode(cypher.Parameters{"concludedLater": true}, fields.Ending(c.Ending()), fields.Receipt(&receipt), fields.List{
		{Name: "result", At: fields.Null(&c.Result)}, {Name: "insight", At: fields.Null(&c.Insight)},
	})
	maps.DeleteFunc(properties, func(_ string, value any) bool { return value == nil })
	if c.Segments != nil {
		bolt.Encode(properties, fields.List{{Name: "segments", At: fields.JSONIn(&c.Segments)}})
	}
	return properties
}

// refusals are why an episode cannot be concluded so, by the verdict of a statement.
var refusals = map[string]error{
	"":           nil,
	"changed":    fmt.Errorf("%w: the episode was changed meanwhile", store.ErrConflict),
	"concluded":  fmt.Errorf("%w: the episode is concluded already", store.ErrConflict),
	"ends early": fmt.Errorf("%w: the episode would end before it started", store.ErrInvalid),
}

// replaceEmbedding writes a vector, where there is one; a vector of the tenant's length replaces the one before.
func (t *transaction) replaceEmbedding(episode string, embedding []float32) error {
	if embedding == nil {
		return nil
	}
	if err := t.admitVector(embedding); err != nil {
		return err
	}
	return t.Run(cypher.Named("set_vector"), cypher.Parameters{
		"vectors": []cypher.Parameters{vectorOf(episode, embedding)},
	}, nil)
}

// wholeEpisodes reads episodes with their logs. Each is locked meanwhile: a read without a lock may find some
// properties as they were before an amendment, and others as they are after it.
func (s *tenantStore) wholeEpisodes(ctx context.Context, keys []string) ([]*store.WholeEpisode, error) {
	return written(ctx, s, func(t *transaction) (found []*store.WholeEpisode, err error) {
		for i := 0; i < len(keys) && err == nil; i++ {
			var episode *store.WholeEpisode
			episode, err = t.wholeEpisode(keys[i])
			found = append(found, episode)
		}
		return found, err
	})
}

func (t *transaction) wholeEpisode(key string) (*store.WholeEpisode, error) {
	found, err := bolt.FirstOf(t.Transaction, cypher.Rendered("whole_episode", graph.EpisodeShape{}), cypher.Parameters{"key": key}, func(row *bolt.Fields) *store.WholeEpisode {
		whole := &store.WholeEpisode{Episode: decodeEpisode(row, 0, nil)}
		row.Of(memory.KindEpisode, key)
		whole.InputHash, whole.Parts = hashOf(row, "hash"), bolt.Required[bool](row, "parts")
		return whole
	})
	if found != nil {
		found.Events, err = t.wholeLog(key)
	}
	return found, err
}

// wholeLog reads the log of an episode in pages, each of which the server and the driver hold at once.
func (t *transaction) wholeLog(episode string) (log []memory.Event, err error) {
	const most = 1000
	for read := most; read == most; {
		from := 0
		if len(log) > 0 {
			from = log[len(log)-1].Sequence + 1
		}
		page, err := bolt.FirstOf(t.Transaction, cypher.Named("events"), stretch(episode, from, most), func(row *bolt.Fields) []memory.Event {
			events, _ := decodeEvents(row, episode, from)
			return events
		})
		if err != nil {
			return nil, err
		}
		log, read = append(log, page...), len(page)
	}
	return log, nil
}
