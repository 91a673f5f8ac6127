// Package notices tells what was recorded, in one order. Who writes makes a notice without a number; whoever reads
// numbers what was committed since.
package notices

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// atOnce is how many notices are numbered, or trimmed, in one transaction.
const atOnce = 1000

// label is that of the records of a kind that notices tell of.
type label struct {
	Kind memory.Kind
	Name string
}

var askFor = cypher.Rendered("notices", []label{
	{memory.KindEpisode, "Episode"}, {memory.KindFeedback, "Feedback"}, {memory.KindVerdict, "Verdict"}, {memory.KindExecution, "Execution"},
	{store.KindAlert, "RisenAlert"},
})

// Reader reads a tenant's notices. It is safe for concurrent use.
type Reader struct{ *bolt.Tenant }

// Notices reads on from a number; see store.NoticeReader. Numbers have no gaps, and only trimming takes one away. So
// where the next is not there, what is being committed is seen in part, and is read once it is there as a whole.
func (r *Reader) Notices(ctx context.Context, after int64, limit int) (store.NoticePage, error) {
	page := store.NoticePage{UpTo: after}
	query := r.Query(askFor, cypher.Parameters{"after": after, "limit": limit})
	found, err := bolt.One(ctx, r.Connection, query, decode)
	switch {
	case err != nil:
		return page, err
	case after < found.trimmed || after > found.latest:
		return page, store.ErrNoticesGone
	}
	for _, n := range found.notices {
		if n.number-n.records > page.UpTo {
			break // the one before is not there yet
		}
		for _, told := range n.told {
			if len(page.Notices) == limit {
				return page, nil
			}
			page.Notices, page.UpTo = append(page.Notices, told), told.Number
		}
		if len(n.told) == limit && page.UpTo < n.number {
			break // there may be more of it
		}
		page.UpTo = n.number // what is missing is deleted
	}
	return page, nil
}

// kept are notices that were read, and between which numbers there are any.
type kept struct {
	trimmed, latest int64
	notices         []notice
}

// notice tells of records that were made together, the last of which has its number. Deleted ones are missing.
type notice struct {
	number, records int64
	told            []store.Notice
}

func decode(row *bolt.Fields) kept {
	return kept{
		trimmed: bolt.Required[int64](row, "trimmed"), latest: bolt.Required[int64](row, "latest"),
		notices: bolt.All(row, "notices", func(made *bolt.Fields) notice {
			kind := memory.Kind(made.Text("kind"))
			return notice{
				number: bolt.Required[int64](made, "number"), records: bolt.Required[int64](made, "records"),
				told: bolt.All(made, "told", func(record *bolt.Fields) store.Notice { return toldOf(kind, record) }),
			}
		}),
	}
}

func toldOf(kind memory.Kind, record *bolt.Fields) store.Notice {
	told := store.Notice{Number: bolt.Required[int64](record, "number"), Kind: kind, Key: record.Text("key")}
	for name, field := range map[string]*string{
		"agent": &told.Agent, "taskType": &told.TaskType, "episode": &told.Episode, "judge": &told.Judge, "run": &told.Run, "sectionType": &told.SectionType,
	} {
		*field, _ = record.Node.Props[name].(string) // who reads the record says what is wrong with it
	}
	told.Bytes, _ = record.Node.Props["bytes"].(int64)
	if profile := record.OptionalText("profile"); profile != nil {
		_, told.TaskType, _ = memory.SplitProfileKey(*profile)
	}
	return told
}

// LatestNotice numbers what was committed before; see store.NoticeReader. Without anything to number it only looks.
func (r *Reader) LatestNotice(ctx context.Context) (int64, error) {
	var waiting bool
	latest, err := bolt.One(ctx, r.Connection, r.Query(cypher.Named("notice_state"), nil), func(f *bolt.Fields) int64 {
		waiting = bolt.Required[bool](f, "waiting")
		return bolt.Required[int64](f, "latest")
	})
	for err == nil && waiting {
		query := r.WriteQuery(cypher.Named("number_notices"), cypher.Parameters{"limit": atOnce})
		latest, err = bolt.One(ctx, r.Connection, query, func(f *bolt.Fields) int64 {
			waiting = bolt.Required[int64](f, "numbered") == atOnce
			return bolt.Required[int64](f, "latest")
		})
	}
	return latest, err
}

// TrimNotices forgets the oldest; see store.NoticeReader.
func (r *Reader) TrimNotices(ctx context.Context, before time.Time) error {
	if _, err := r.LatestNotice(ctx); err != nil { // nothing is trimmed that has no number
		return err
	}
	for {
		query := r.WriteQuery(cypher.Named("trim_notices"), cypher.Parameters{"before": before.UTC(), "limit": atOnce})
		trimmed, err := bolt.Read(ctx, r.Connection, query, bolt.Column[int64]("trimmed"))
		if err != nil || len(trimmed) == 0 || trimmed[0] == 0 {
			return err
		}
	}
}

var _ store.AlertKeeper = (*Reader)(nil)

// BeginAlerts numbers a look for alerts; see store.AlertKeeper.
func (r *Reader) BeginAlerts(ctx context.Context) (look int64, err error) {
	query := r.WriteQuery(cypher.Named("begin_alerts"), nil)
	return bolt.One(ctx, r.Connection, query, bolt.Column[int64]("look"))
}

// KeepAlerts keeps what a look found; see store.AlertKeeper. Each notice tells of as many alerts as rose at once.
func (r *Reader) KeepAlerts(ctx context.Context, look int64, digests []string) error {
	query := r.WriteQuery(cypher.Named("keep_alerts"), cypher.Parameters{
		"look": look, "digests": digests, "kind": string(store.KindAlert), "mark": graph.Noticed(store.KindAlert, nil)["mark"],
	})
	return r.Connection.Command(ctx, query)
}
