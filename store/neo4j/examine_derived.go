package neo4j

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// searched are the kinds that the index of all kinds finds.
var searched = []memory.Kind{
	memory.KindMemoir, memory.KindConcept, memory.KindEpisode, memory.KindFeedback, memory.KindObservation, memory.KindCorrection,
}

// examineWords looks for records that a search does not find, because the index holds other words of them than
// they say.
func (b *Backend) examineWords(ctx context.Context) ([]store.Finding, error) {
	v, all := newVerdict(), 0
	err := b.eachVocabulary(ctx, func(tenant string, kind memory.Kind) error {
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
		return err
	})
	return v.findings(fmt.Sprintf("%d records can be found by their words", all), "Give the index the words of these records again."), err
}

// each hands the rows of a query to a function.
func (b *Backend) each(ctx context.Context, q query, do func(*fields)) error {
	_, err := read(ctx, b, q, func(row *neo4j.Record) (struct{}, error) {
		f := fieldsOf(row.AsMap())
		do(f)
		return struct{}{}, f.err
	})
	return err
}

// examineCounters looks at what is counted ahead of reading.
func (b *Backend) examineCounters(ctx context.Context) ([]store.Finding, error) {
	unrated := parameters{"unrated": unratedRank}
	rows, err := countByTenant(ctx, b, named("examine_counters"), unrated)
	v := newVerdict()
	for _, c := range rows {
		v.add(c.tenant, fmt.Sprintf("%d episodes have wrong counts or sums", c.counts["faults"]),
			b.mending(c.tenant, named("mend_counters"), unrated))
	}
	return v.findings("sums agree with what they are of", "Count again."), err
}

// countAnew counts what is counted ahead of reading as this version keeps it.
func (b *Backend) countAnew(ctx context.Context) error {
	findings, err := b.examineCounters(ctx)
	for _, finding := range findings {
		if finding.Mend != nil && err == nil {
			err = finding.Mend(ctx)
		}
	}
	return err
}

// arrivable is a kind of record that others wait for under a name.
type arrivable struct{ Awaited, Label string }

func arrivables() []arrivable {
	var all []arrivable
	for _, kind := range slices.Sorted(maps.Keys(labels)) {
		all = append(all, arrivable{string(awaitedRecord(kind, "").Kind), labels[kind]})
	}
	return all
}

// examineWaiting looks for records that wait for something that is there, and for waits of nobody.
func (b *Backend) examineWaiting(ctx context.Context) ([]store.Finding, error) {
	rows, err := countByTenant(ctx, b, rendered("examine_waiting", arrivables()), nil)
	all, v := int64(0), newVerdict()
	for _, c := range rows {
		all += c.counts["waits"]
		if n := c.counts["late"]; n > 0 {
			v.add(c.tenant, fmt.Sprintf("%d records are waited for that are there", n), func(ctx context.Context) error {
				return newTenantStore(b, c.tenant).write(ctx, (*transaction).endLateWaits)
			})
		}
		if n := c.counts["idle"]; n > 0 {
			v.add(c.tenant, fmt.Sprintf("%d waits are nobody's", n), b.mending(c.tenant, named("idle_waits"), nil))
		}
	}
	return v.findings(fmt.Sprintf("%d records are waited for", all), "Link what waits for records that are there, and remove waits of nobody."), err
}

// endLateWaits links what waits for records that are there.
func (t *transaction) endLateWaits() error {
	found, wanted := map[linking.Awaited]string{}, newScope()
	if err := t.run(rendered("late_waits", arrivables()), nil, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		a, record := linking.Awaited{Kind: memory.Kind(f.text("kind")), Key: f.text("key")}, f.text("found")
		found[a] = record
		switch a.Kind {
		case memory.KindEpisode, linking.Execution:
			wanted.episodes.add(record)
		case memory.KindCanvas:
			wanted.canvases.add(record)
		}
		return f.err
	}); err != nil || len(found) == 0 {
		return err
	}
	known, err := t.lock(wanted)
	if err != nil {
		return err
	}
	waiting, err := t.waitingFor(maps.Keys(found))
	if err != nil {
		return err
	}
	c := newChanges()
	if err := t.linkWaiters(c, waiting, func(w waiter) string { return found[w.awaited] }, known.canvases); err != nil {
		return err
	}
	return c.apply(t)
}
