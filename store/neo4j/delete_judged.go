package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

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
