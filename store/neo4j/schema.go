package neo4j

import (
	"context"
	"errors"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/learning"
	"mneme/store/neo4j/meanings"
	"mneme/store/neo4j/settings"
	"mneme/store/neo4j/words"
)

// schemaVersion counts the changes of what is stored and how. Data of a newer version is not touched.
//
//	1  episodes, canvases, feedback
//	2  what agents know; links have their ends as properties, and all that has text is in one index
//	3  judged work, and what agents learn by: the executions that episodes are, summed up in profiles
//	4  spans of traces that are not finished
//	5  tombstones of what was deleted for good
//	6  traces that could not be made episodes
//	7  records hold the words under which the one full-text index finds them
//	8  the aggregates of an episode are one value, too
//	9  canvases and feedback are found by their session and time
//	10 sections are counted, and patterns found, by parts of contexts, too
//	11 logs that come in parts
//	12 canvases and feedback are found by whether they wait for their episode
//	13 thresholds of judges
//	14 records have bags of stems, which are counted
//	15 keys
//	16 what records mean
//	17 notices of what is recorded
//	18 which table made what records mean
//	19 alerts that rose
//	20 indexes of what records mean that are filled in less time
const schemaVersion = 20

// migrate brings the schema up to date. The version is written last, so that a migration that was
// interrupted begins again.
func (b *Backend) migrate(ctx context.Context) error {
	version, known, err := b.version(ctx)
	if err != nil {
		return err
	}
	if !known {
		version = 1 // all steps, of which each leaves alone what it finds done
	}
	switch {
	case version > schemaVersion:
		return b.newer(version)
	case version == schemaVersion:
		return nil
	}
	if version > 0 && version < 20 {
		if err := b.dropMeaningIndexes(ctx); err != nil {
			return fmt.Errorf("to schema version 20: %w", err)
		}
	}
	if err := b.define(ctx); err != nil {
		return err
	}
	for _, step := range []struct {
		to int64
		do func(context.Context) error
	}{{2, b.completeGraph}, {3, b.learnEpisodes}, {14, b.tellWords}, {8, b.countAnew}, {12, b.tellWaiting}, {16, b.tellMeanings}, {18, b.tellModel}} {
		if version > 0 && version < step.to {
			if err := step.do(ctx); err != nil {
				return fmt.Errorf("to schema version %d: %w", step.to, err)
			}
		}
	}
	return b.connection.Command(ctx, bolt.Query{
		Statement: cypher.Named("set_version"), Write: true,
		Parameters: cypher.Parameters{"name": b.schema, "version": schemaVersion},
	})
}

// newer is the error for a database with a schema that this program does not know.
func (b *Backend) newer(version int64) error {
	return fmt.Errorf("%w: the database at %s has schema version %d, this mneme knows up to %d",
		store.ErrSchemaVersion, b.connection.Address, version, schemaVersion)
}

// tellWaiting says of what was there before version 12 whether it waits.
func (b *Backend) tellWaiting(ctx context.Context) error {
	return b.connection.InBatches(ctx, bolt.Query{Statement: cypher.Named("tell_waiting")})
}

// dropMeaningIndexes has the indexes of what records mean made anew that have the settings of before version 20: one that is
// there cannot be given others.
func (b *Backend) dropMeaningIndexes(ctx context.Context) error {
	names := bolt.Texts(words.Searched, meanings.Index)
	others, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Named("other_meaning_indexes"), Parameters: cypher.Parameters{"names": names}}, bolt.Column[string]("name"))
	if err != nil {
		return err
	}
	for _, name := range others {
		if err := b.connection.Command(ctx, bolt.Query{Statement: cypher.Rendered("drop_meaning_index", name), Write: true}); err != nil {
			return err
		}
	}
	return nil
}

// meaningShape is a statement about what records of a label mean.
type meaningShape struct{ Index, Label string }

// tellMeanings says of what was there before version 16 that its vectors are due.
func (b *Backend) tellMeanings(ctx context.Context) error {
	for _, label := range searchedLabels {
		if err := b.connection.InBatches(ctx, bolt.Query{Statement: cypher.Rendered("meaning_due", label)}); err != nil {
			return err
		}
	}
	return nil
}

// firstModel is the table that made all there was of before version 18.
const firstModel = "mneme-en-128-v1"

// tellModel says of what was made before version 18 which table did.
func (b *Backend) tellModel(ctx context.Context) error {
	for _, label := range searchedLabels {
		asked := bolt.Query{Statement: cypher.Rendered("tell_meaning_model", label), Parameters: cypher.Parameters{meanings.Model: firstModel}}
		if err := b.connection.InBatches(ctx, asked); err != nil {
			return err
		}
	}
	return nil
}

// adoptModel says of what another table made that it is due. What the database says of the table saves a look at all there is
// each time that one is opened.
func (b *Backend) adoptModel(ctx context.Context) error {
	if !b.vectors {
		return nil
	}
	made, err := bolt.One(ctx, b.connection, bolt.Query{Statement: cypher.Named("meaning_model"), Parameters: cypher.Parameters{"name": b.schema}}, bolt.AnyColumn("model"))
	if err != nil || made == any(meanings.Table) {
		return err
	}
	for _, label := range searchedLabels {
		asked := bolt.Query{Statement: cypher.Rendered("other_meaning_due", label), Parameters: cypher.Parameters{meanings.Model: meanings.Table}}
		if err := b.connection.InBatches(ctx, asked); err != nil {
			return err
		}
	}
	return b.connection.Command(ctx, bolt.Query{
		Statement: cypher.Named("set_meaning_model"), Write: true, Parameters: cypher.Parameters{"name": b.schema, meanings.Model: meanings.Table},
	})
}

// latestVersion is more than any version of the schema will be.
const latestVersion = 1_000_000

// version is that of what is stored, 0 for a new database; known is false where it cannot be read.
func (b *Backend) version(ctx context.Context) (version int64, known bool, err error) {
	value, err := bolt.One(ctx, b.connection, bolt.Query{Statement: cypher.Named("version"), Parameters: cypher.Parameters{"name": b.schema}}, bolt.AnyColumn("version"))
	version, is := value.(int64)
	return version, value == nil || is && version > 0 && version <= latestVersion, err
}

// define makes the constraints and indexes, and waits for the indexes.
func (b *Backend) define(ctx context.Context) error {
	for _, text := range append(definitions(), cypher.Named("await_indexes").Text) {
		if err := b.connection.Command(ctx, bolt.Query{Statement: cypher.Statement{Name: "schema", Text: text}, Write: true}); err != nil && !definedMeanwhile(err) {
			return fmt.Errorf("schema: %w", err)
		}
	}
	return nil
}

// definitions are the statements that make the schema: those of labels, of what records mean, and of every type of link.
func definitions() []string {
	all := cypher.Script(cypher.Named("schema").Text)
	for _, link := range graph.LinkTypes {
		all = append(all, cypher.Script(cypher.Rendered("link_indexes", link.Name).Text)...)
	}
	for _, kind := range words.Searched {
		all = append(all, cypher.Script(cypher.Rendered("meaning_indexes", meaningShape{meanings.Index(kind), graph.Labels[kind]}).Text)...)
	}
	return all
}

// defineVectors makes the index for vectors of a length, in a transaction of its own before their data.
// One index has one length, so the property's name carries it.
func (b *Backend) defineVectors(ctx context.Context, length int) error {
	if _, done := b.indexed.Load(length); done {
		return nil
	}
	for _, asked := range []cypher.Statement{cypher.Rendered("vector_index", settings.VectorProperty(length)), cypher.Named("await_indexes")} {
		if err := b.connection.Command(ctx, bolt.Query{
			Statement: cypher.Statement{Name: "vector_index", Text: asked.Text}, Write: true, Parameters: cypher.Parameters{"length": length},
		}); err != nil && !definedMeanwhile(err) {
			return err
		}
	}
	b.indexed.Store(length, true)
	return nil
}

// definedMeanwhile says whether an error means that another made an index or a constraint while we looked whether it is
// there: IF NOT EXISTS looks first and makes it then.
func definedMeanwhile(err error) bool {
	var refused *neo4j.Neo4jError
	return errors.As(err, &refused) && refused.Code == "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"
}

// completeGraph gives the links of version 1 the ids of their ends. Those that have them already are left alone,
// so that a migration that was interrupted goes on.
func (b *Backend) completeGraph(ctx context.Context) error {
	kinds := cypher.Parameters{}
	for kind, label := range graph.Labels {
		kinds[label] = string(kind)
	}
	for _, link := range graph.LinkTypes {
		if err := b.connection.InBatches(ctx, bolt.Query{Statement: cypher.Rendered("complete_links", link.Name), Parameters: cypher.Parameters{"kinds": kinds}}); err != nil {
			return err
		}
	}
	return nil
}

// lessonSize is how many episodes are counted in one transaction.
const lessonSize = 500

// graded are the outcomes of episodes that are executions.
var graded = []string{string(memory.OutcomeSuccess), string(memory.OutcomeFailure)}

// learnEpisodes counts the executions that episodes of versions before 3 are. Those that are counted
// already are left alone, so that a migration that was interrupted goes on.
func (b *Backend) learnEpisodes(ctx context.Context) error {
	tenants, err := bolt.Read(ctx, b.connection, bolt.Query{
		Statement: cypher.Named("uncounted_tenants"), Parameters: cypher.Parameters{"outcomes": graded},
	}, bolt.Column[string]("tenant"))
	if err != nil {
		return err
	}
	for _, id := range tenants {
		if err := b.bind(id).learnEpisodes(ctx); err != nil {
			return err
		}
	}
	return nil
}

// learnEpisodes goes through the episodes by key, as the index has them.
func (s *tenantStore) learnEpisodes(ctx context.Context) error {
	for last := ""; ; {
		keys, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Named("uncounted_episodes"), cypher.Parameters{
			"page": graph.After(last), "outcomes": graded, "limit": lessonSize,
		}), bolt.Column[string]("key"))
		if err != nil || len(keys) == 0 {
			return err
		}
		if err := s.write(ctx, func(t *transaction) error { return t.learnRecorded(keys) }); err != nil {
			return err
		}
		last = keys[len(keys)-1]
	}
}

// learnRecorded counts episodes that were recorded before, once they are locked and if they are still there.
func (t *transaction) learnRecorded(keys []string) error {
	wanted := graph.NewScope()
	wanted.Episodes.Add(keys...)
	if _, err := graph.Lock(t.Transaction, wanted); err != nil {
		return err
	}
	var episodes []*memory.Episode
	err := t.Run(cypher.Named("ended_episodes"), cypher.Parameters{"keys": keys}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		if e := learning.EndedEpisodeOf(f); f.Err == nil {
			episodes = append(episodes, e)
		} else if bolt.FaultIn(f.Err) == nil { // what cannot be read is no execution
			return f.Err
		}
		return nil
	})
	if err != nil {
		return err
	}
	return learning.CountEpisodes(t.Transaction, episodes)
}
