package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// TraceEpisode reads the episode that has a trace as its key, with its whole log.
func (t *Tenant) TraceEpisode(ctx context.Context, trace string) (*store.TraceEpisode, error) {
	var damage store.Damage
	var found *store.TraceEpisode
	err := t.snapshot(store.WithDamage(ctx, damage.Note), func(c *conn) (err error) {
		found, err = traceEpisode(ctx, c, trace)
		return err
	})
	if damaged := damage.Found(); err == nil && len(damaged) > 0 {
		err = damaged[0]
	}
	if err != nil || found == nil || found.Episode == nil {
		return nil, err
	}
	return found, nil
}

func traceEpisode(ctx context.Context, c *conn, trace string) (*store.TraceEpisode, error) {
	const hash = `SELECT e.input_hash FROM nodes n LEFT JOIN episodes e ON e.id = n.id WHERE n.kind = 'episode' AND n.key = :key`
	log := `SELECT ` + eventColumns + inLogOf + ` ORDER BY seq`
	var found store.TraceEpisode
	there, err := c.one(hash, func(r *row) { found.InputHash = r.blob() }, arg("key", trace))
	if err != nil || !there {
		return nil, err
	}
	err = queryEpisodes(c, &store.EpisodesByKey{Keys: []string{trace}}, func(r *row) error {
		if e := readEpisode(r, 0); !r.damaged() {
			found.Episode = e
		}
		return nil
	})
	if err == nil && found.Episode == nil {
		store.NoteDamage(c.reads, gone(memory.KindEpisode, trace))
	}
	if err != nil {
		return nil, err
	}
	return &found, c.search(ctx, log, func(r *row) error {
		found.Events = keep(r, found.Events, readEvent(r, trace))
		return nil
	}, arg("episode", trace))
}
