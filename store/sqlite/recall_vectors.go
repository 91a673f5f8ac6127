package sqlite

import (
	"slices"

	"mneme/store"
)

// cosineOf is null for a vector that cannot be compared; the examination finds those.
const cosineOf = `CASE WHEN length(v.vector) = length(:embedding) THEN 1 - vec_distance_cosine(v.vector, :embedding) END`

// matchVectors compares the vectors of all episodes, or of those that pass the filter, exactly, and answers
// them by id. Where there are too many it compares the latest recorded.
func (r *recall) matchVectors() ([]match, error) {
	if len(r.query.Embedding) == 0 {
		return nil, nil
	}
	if err := checkVectorLength(r.conn, r.query.Embedding); err != nil {
		return nil, err
	}
	w, from := conditions{}, ` FROM embeddings v`
	if r.query.Filter != (store.EpisodeFilter{}) { // what was not known then is left out when it is looked at
		w = filtered(&r.query.Filter, r.query.AsOf)
		w.addKnown(r.query.AsOf)
		from += ` JOIN episodes e ON e.id = v.episode WHERE ` + w.sql()
	}
	matches := []match{}
	err := r.conn.search(r.ctx, `SELECT v.episode, `+cosineOf+``+from+` ORDER BY v.episode DESC LIMIT :most`, func(row *row) error {
		matches = append(matches, match{id: row.integer(), cosine: cosine(row.sum())})
		return nil
	}, append(w.args, arg("embedding", encodeVector(r.query.Embedding)), arg("most", r.bounds.vectors))...)
	slices.Reverse(matches)
	r.cutVectors = len(matches) == r.bounds.vectors
	r.approximate = r.approximate || r.cutVectors
	return matches, err
}

// cosine takes the rounding off.
func cosine(computed float64) float64 { return max(-1, min(1, computed)) }

// compare reads the cosines of matches by words whose vectors were not among those compared.
func (r *recall) compare(part []match) error {
	if !r.cutVectors {
		return nil
	}
	byID := make(map[int64]*match, len(part))
	for i := range part {
		byID[part[i].id] = &part[i]
	}
	list, err := jsonOf(matchIDs(part))
	if err != nil {
		return err
	}
	const read = `SELECT v.episode, ` + cosineOf + ` FROM json_each(:ids) w CROSS JOIN embeddings v ON v.episode = w.value`
	return r.conn.search(r.ctx, read, func(row *row) error {
		byID[row.integer()].cosine = cosine(row.sum())
		return nil
	}, arg("embedding", encodeVector(r.query.Embedding)), arg("ids", list))
}
