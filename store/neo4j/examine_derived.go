package neo4j

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
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
	rows, err := censusOf(ctx, b, named("examine_counters"), unrated)
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
		all = append(all, arrivable{awaitedRecord(kind, "").kind, labels[kind]})
	}
	return all
}

// examineWaiting looks for records that wait for something that is there, and for waits of nobody.
func (b *Backend) examineWaiting(ctx context.Context) ([]store.Finding, error) {
	rows, err := censusOf(ctx, b, rendered("examine_waiting", arrivables()), nil)
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
	keys, found, wanted := map[string][]string{}, map[awaited]string{}, newScope()
	if err := t.run(rendered("late_waits", arrivables()), nil, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		a, record := awaited{f.text("kind"), f.text("key")}, f.text("found")
		keys[a.kind], found[a] = append(keys[a.kind], a.key), record
		switch a.kind {
		case anEpisode, anExecution:
			wanted.episodes.add(record)
		case aCanvas:
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
	waiting, err := t.waitingFor(keys)
	if err != nil {
		return err
	}
	return t.welcome(waiting, found, known.canvases)
}

// welcome links waiters with the records that are there; of executions, with the episode that covers them.
func (t *transaction) welcome(waiting []waiter, found map[awaited]string, shown map[string]*canvasState) error {
	c := newChanges()
	c.linkArrived(waiting)
	canvases, feedback, onCanvas := map[string]string{}, map[string]string{}, map[string]string{}
	for _, w := range waiting {
		record := found[w.awaited]
		switch {
		case w.label == labelCanvas:
			canvases[w.key] = record
		case w.label == labelFeedback && w.awaited.kind == aCanvas:
			onCanvas[w.key] = record
			c.putOnCanvas(w.key, record)
		case w.label == labelFeedback:
			feedback[w.key] = record
		case w.label == labelEpisode && w.awaited.kind == anEpisode:
			c.linkCause(w.key, record)
		}
		c.settle(w.awaited)
	}
	if err := t.linkFound(c, canvases, feedback); err != nil {
		return err
	}
	reactions, err := t.reactions(sortedKeys(onCanvas))
	if err != nil {
		return err
	}
	for key, r := range reactions {
		if canvas := shown[onCanvas[key]]; r.way == byCanvas && canvas != nil {
			c.linkFeedback(r.reaction, canvas.EpisodeKey)
		}
	}
	return c.apply(t)
}
