package neo4j

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// examineWords looks for records that a search does not find, because the index holds other words of them than
// they say.
func (b *Backend) examineWords(ctx context.Context, of scope) ([]store.Finding, error) {
	v, all := newVerdict(), 0
	err := b.eachVocabulary(ctx, of, func(tenant string, kind memory.Kind) error {
		s, faults := newTenantStore(b, tenant), 0
		records, err := s.eachSaid(ctx, kind, func(wrong []string) error {
			faults += len(wrong)
			return nil
		})
		all += records
		if faults > 0 {
			v.add(tenant, fmt.Sprintf("searches do not find what %d records of the kind %s say", faults, kind), func(ctx context.Context) error {
				return s.writeWords(ctx, kind)
			})
		}
		if err != nil {
			return err
		}
		miscounted, err := s.miscounted(ctx, kind)
		if miscounted {
			v.add(tenant, fmt.Sprintf("the counts of the words of the kind %s are wrong", kind), func(ctx context.Context) error {
				return s.recountWords(ctx, kind)
			})
		}
		return err
	})
	return v.findings(fmt.Sprintf("%d records can be found by their words", all), "Give the index the words of these records again, and count them."), err
}

// examineCounters looks at what is counted ahead of reading.
func (b *Backend) examineCounters(ctx context.Context, of scope) ([]store.Finding, error) {
	unrated := cypher.Parameters{"unrated": graph.UnratedRank}
	rows, err := countByTenant(ctx, b, cypher.Named("examine_counters"), unrated)
	v := newVerdict()
	for _, c := range rows {
		v.add(c.tenant, fmt.Sprintf("%d episodes have wrong counts or sums", c.counts["faults"]),
			b.mending(c.tenant, cypher.Named("mend_counters"), unrated))
	}
	if err != nil {
		return nil, err
	}
	rows, err = countByTenant(ctx, b, cypher.Named("examine_logs"), nil)
	for _, c := range rows {
		if n := c.counts["faults"]; n > 0 {
			v.add(c.tenant, fmt.Sprintf("%d logs have another length", n), b.mending(c.tenant, cypher.Named("mend_logs"), nil))
		}
		if n := c.counts["lost"]; n > 0 {
			v.add(c.tenant, fmt.Sprintf("%d events of logs whose episodes are gone", n), b.mending(c.tenant, cypher.Named("mend_lost_events"), nil))
		}
	}
	if err == nil {
		err = b.examineLogSizes(ctx, of, v)
	}
	return v.findings("sums agree with what they are of", "Count again, and remove events of nothing."), err
}

// logSize is how much an episode says that there is of its log, and how much there is. What it says may be anything.
type logSize struct {
	key                 string
	events, bytes, last any
}

// examineLogSizes measures the logs that came in parts, batch by batch.
func (b *Backend) examineLogSizes(ctx context.Context, of scope, v *verdict) error {
	tenants, err := bolt.Read(ctx, b.connection, bolt.Query{Statement: cypher.Rendered("tenants_of", graph.Labels[memory.KindEpisode])}, bolt.Column[string]("tenant"))
	for _, tenant := range of.of(tenants) {
		if err != nil {
			break
		}
		s := newTenantStore(b, tenant)
		var said []logSize
		said, err = bolt.Read(ctx, s.Connection, s.Query(cypher.Named("examine_log_sizes"), nil), func(row *neo4j.Record) (logSize, error) {
			values := row.AsMap()
			key, err := bolt.Column[string]("key")(row)
			return logSize{key, values["events"], values["bytes"], values["last"]}, err
		})
		var wrong []string
		for _, log := range said {
			if err != nil {
				break
			}
			var is logSize
			is, err = measured(log.key, func(values cypher.Parameters) ([]*neo4j.Record, error) {
				return bolt.Read(ctx, s.Connection, s.Query(cypher.Named("examine_log"), values), wholeRow)
			})
			if is.events == log.events && is != log { // one of another length is told of as that
				wrong = append(wrong, log.key)
			}
		}
		if len(wrong) > 0 {
			v.add(tenant, fmt.Sprintf("%d logs have other bytes, or another end", len(wrong)), func(ctx context.Context) error { return s.measureLogs(ctx, wrong) })
		}
	}
	return err
}

func wholeRow(row *neo4j.Record) (*neo4j.Record, error) { return row, nil }

// measured is how much there is of a log, as far as its events have numbers. It is read in small parts, since data may be long.
func measured(episode string, read func(cypher.Parameters) ([]*neo4j.Record, error)) (logSize, error) {
	const most = 50
	events, bytes, last := int64(0), int64(0), int64(-1)
	for {
		rows, err := read(cypher.Parameters{"key": episode, "from": last + 1, "limit": most})
		if err != nil {
			return logSize{}, err
		}
		for _, row := range rows {
			values := row.AsMap()
			kind, _ := values["type"].(string) // what is no text has no bytes; it is told of elsewhere
			data, _ := values["data"].(string)
			events, bytes = events+1, bytes+int64(len(kind)+len(data))
			if sequence, is := values["sequence"].(int64); is {
				last = max(last, sequence)
			}
		}
		if len(rows) < most || last == math.MaxInt64 { // after which there is no number
			return logSize{episode, events, bytes, last}, nil
		}
	}
}

// measureLogs says of logs anew how much there is of them.
func (s *tenantStore) measureLogs(ctx context.Context, episodes []string) error {
	for _, key := range episodes {
		err := s.write(ctx, func(t *transaction) error {
			if err := t.Run(cypher.Named("lock_episode"), cypher.Parameters{"key": key}, nil); err != nil {
				return err
			}
			is, err := measured(key, func(values cypher.Parameters) ([]*neo4j.Record, error) {
				return bolt.RowsOf(t.Transaction, cypher.Named("examine_log"), values, wholeRow)
			})
			if err != nil {
				return err
			}
			return t.Run(cypher.Named("mend_log_size"), cypher.Parameters{"key": key, "events": is.events, "bytes": is.bytes, "last": is.last}, nil)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// arrivable is a kind of record that others wait for under a name.
type arrivable struct{ Awaited, Label string }

func arrivables() []arrivable {
	var all []arrivable
	for _, kind := range slices.Sorted(maps.Keys(graph.Labels)) {
		all = append(all, arrivable{string(graph.AwaitedKey(kind, "").Kind), graph.Labels[kind]})
	}
	return all
}

// examineWaiting looks for records that wait for something that is there, and for waits of nobody.
func (b *Backend) examineWaiting(ctx context.Context) ([]store.Finding, error) {
	rows, err := countByTenant(ctx, b, cypher.Rendered("examine_waiting", arrivables()), nil)
	all, v := int64(0), newVerdict()
	for _, c := range rows {
		all += c.counts["waits"]
		if n := c.counts["late"]; n > 0 {
			v.add(c.tenant, fmt.Sprintf("%d records are waited for that are there", n), func(ctx context.Context) error {
				return newTenantStore(b, c.tenant).write(ctx, (*transaction).endLateWaits)
			})
		}
		if n := c.counts["idle"]; n > 0 {
			v.add(c.tenant, fmt.Sprintf("%d waits are nobody's", n), b.mending(c.tenant, cypher.Named("idle_waits"), nil))
		}
	}
	return v.findings(fmt.Sprintf("%d records are waited for", all), "Link what waits for records that are there, and remove waits of nobody."), err
}

// endLateWaits links what waits for records that are there.
func (t *transaction) endLateWaits() error {
	found, wanted := map[linking.Awaited]string{}, graph.NewScope()
	if err := t.Run(cypher.Rendered("late_waits", arrivables()), nil, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		a, record := linking.Awaited{Kind: memory.Kind(f.Text("kind")), Key: f.Text("key")}, f.Text("found")
		found[a] = record
		switch a.Kind {
		case memory.KindEpisode, linking.Execution:
			wanted.Episodes.Add(record)
		case memory.KindCanvas:
			wanted.Canvases.Add(record)
		}
		return f.Err
	}); err != nil || len(found) == 0 {
		return err
	}
	known, err := graph.Lock(t.Transaction, wanted)
	if err != nil {
		return err
	}
	waiting, err := graph.WaitingFor(t.Transaction, maps.Keys(found))
	if err != nil {
		return err
	}
	c := graph.NewChanges()
	if err := graph.LinkWaiters(t.Transaction, c, waiting, func(w graph.Waiter) string { return found[w.Awaited] }, known.Canvases); err != nil {
		return err
	}
	return c.Apply(t.Transaction)
}

// examineProfiles looks at what sums up executions.
func (b *Backend) examineProfiles(ctx context.Context) ([]store.Finding, error) {
	miscounted, err := countByTenant(ctx, b, cypher.Named("examine_profiles"), nil)
	if err != nil {
		return nil, err
	}
	findings := []store.Finding{}
	for _, c := range miscounted {
		findings = append(findings, store.Finding{
			Tenant: c.tenant, Fault: fmt.Sprintf("%d profiles do not sum up their executions", c.counts["faults"]),
			Remedy: "Sum up anew what can be read of their executions.",
			Mend:   func(ctx context.Context) error { return newTenantStore(b, c.tenant).rebuildProfiles(ctx) },
		})
	}
	uncounted, err := countByTenant(ctx, b, cypher.Named("examine_uncounted"), cypher.Parameters{"outcomes": graded})
	v := newVerdict()
	for _, c := range uncounted {
		v.add(c.tenant, fmt.Sprintf("%d episodes with a task type and an outcome are in no profile", c.counts["faults"]),
			func(ctx context.Context) error { return b.bind(c.tenant).learnEpisodes(ctx) })
	}
	if len(findings) > 0 && len(v.faults) == 0 {
		return findings, err
	}
	return append(findings, v.findings("each sums up its executions", "Count them.")...), err
}

// tracesOf are the traces that are held of a tenant.
type tracesOf struct {
	tenant  string
	held    int64
	failing store.FailingTraces
}

// examineTraces looks for traces that cannot be made episodes.
func (b *Backend) examineTraces(ctx context.Context) ([]store.Finding, error) {
	tenants, err := bolt.Read(ctx, b.connection, bolt.Query{
		Statement: cypher.Named("examine_traces"), Parameters: cypher.Parameters{"many": store.ManyFailures},
	}, decodeTraces)
	var findings []store.Finding
	all := int64(0)
	for _, of := range tenants {
		all += of.held
		if fault, remedy := of.failing.Fault(); fault != "" {
			findings = append(findings, store.Finding{
				Tenant: of.tenant, Fault: fault, Remedy: remedy, Mend: b.mending(of.tenant, cypher.Named("retry_traces"), nil),
			})
		}
	}
	if len(findings) == 0 {
		findings = []store.Finding{{Found: fmt.Sprintf("%d traces are held", all)}}
	}
	return findings, err
}

func decodeTraces(row *neo4j.Record) (tracesOf, error) {
	f := bolt.FieldsOf(row.AsMap())
	of := tracesOf{tenant: f.Text("tenant"), held: bolt.Required[int64](f, "held")}
	for _, failing := range bolt.List[map[string]any](f, "failing") {
		one := bolt.FieldsOf(failing)
		of.failing.Add(one.Text("key"), int(bolt.Required[int64](one, "failures")), one.Text("reason"))
		if one.Err != nil {
			return of, one.Err
		}
	}
	return of, f.Err
}
