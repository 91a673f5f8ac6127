package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// TraceEpisode reads the episode that has a trace as its key; see store.SpanStore. It is locked meanwhile: a read
// without a lock may find some properties as they were before an amendment, and others as they are after it.
func (s *tenantStore) TraceEpisode(ctx context.Context, trace string) (found *store.TraceEpisode, err error) {
	err = s.write(ctx, func(t *transaction) (err error) {
		found, err = t.traceEpisode(trace)
		return err
	})
	if err != nil {
		return nil, err
	}
	return found, nil
}

func (t *transaction) traceEpisode(trace string) (*store.TraceEpisode, error) {
	hashes, err := rowsOf(t, named("lock_episode"), parameters{"key": trace}, func(row *neo4j.Record) ([]byte, error) {
		f := fieldsOf(row.AsMap())
		f.of(memory.KindEpisode, trace)
		return f.decodeHash(f.optionalText("hash")), f.err
	})
	if err != nil || len(hashes) == 0 {
		return nil, err
	}
	form := shape{One: true}
	episodes, err := rowsOf(t, rendered("episodes", form), parameters{"key": trace}, episodeDecoder(0, nil))
	if err != nil {
		return nil, err
	}
	if len(episodes) == 0 {
		return nil, &raced{cause: errGone}
	}
	events, err := t.wholeLog(trace)
	return &store.TraceEpisode{Episode: episodes[0], Events: events, InputHash: hashes[0]}, err
}

// wholeLog reads the log of an episode in pages, each of which the server and the driver hold at once.
func (t *transaction) wholeLog(episode string) (log []memory.Event, err error) {
	const most = 1000
	for {
		from := len(log)
		pages, err := rowsOf(t, named("events"), parameters{"key": episode, "from": from, "to": from + most}, func(row *neo4j.Record) ([]memory.Event, error) {
			return decodeEvents(row, episode, from)
		})
		if err != nil || len(pages) == 0 {
			return log, err
		}
		if log = append(log, pages[0]...); len(pages[0]) < most {
			return log, nil
		}
	}
}
