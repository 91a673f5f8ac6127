package find

import (
	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/meanings"
	"mneme/store/sqlite/words"
)

// vectorOf is what a text means, if what is kept has vectors and the text has words to be compared by.
func vectorOf(c *db.Conn, text string, asked *words.Asked) (v meaning.Vector, ok bool) {
	if !c.Vectors || asked.Possible == 0 {
		return v, false
	}
	return meaning.Question(text)
}

// lift adds to the best by words, and to those that are near, what else the query says: what it means, of which time,
// and of whom.
func (s *search) lift() error {
	lifted := map[memory.Kind][]*found{}
	for i := range s.found {
		if f := &s.found[i]; i < store.LiftedMatches || s.near[f.id] {
			lifted[f.kind] = append(lifted[f.kind], f)
		}
	}
	for _, kind := range s.asked.Kinds {
		if len(lifted[kind]) == 0 {
			continue
		}
		if err := s.tell(kind, lifted[kind]); err != nil {
			return err
		}
		if err := s.compare(kind, lifted[kind]); err != nil {
			return err
		}
	}
	s.bestFirst()
	return nil
}

// compare says how near the meanings of some of a kind are to that of the query.
func (s *search) compare(kind memory.Kind, lifted []*found) error {
	if !s.compares {
		return nil
	}
	var nodes []int64
	for _, f := range lifted {
		nodes = append(append(append(nodes, f.id), f.beside(-1)...), f.beside(1)...)
	}
	vectors, err := meanings.Of(s.ctx, s.conn, kind, db.Distinct(nodes))
	if err != nil {
		return err
	}
	for _, f := range lifted {
		own := vectors[f.id]
		if len(own) == 0 {
			continue
		}
		f.parts.Compared = true
		if f.run == nil {
			f.parts.Meaning = matching.Best(s.vector[:], own)
			continue
		}
		f.parts.Meaning = matching.Around(s.vector[:], own[0], wholes(vectors, f.beside(-1)), wholes(vectors, f.beside(1)))
	}
	return nil
}

// beside are those that stand before or after a turn, the nearest first, as far as their meaning counts.
func (f *found) beside(direction int) (nodes []int64) {
	for step := 1; f.run != nil && step <= matching.Beside; step++ {
		if at := f.at + step*direction; at >= 0 && at < len(f.run.turns) {
			nodes = append(nodes, f.run.turns[at].id)
		}
	}
	return nodes
}

// wholes are the vectors of the whole of records, nil for one that has none.
func wholes(vectors map[int64][][]float32, nodes []int64) [][]float32 {
	found := make([][]float32, len(nodes))
	for i, node := range nodes {
		if own := vectors[node]; len(own) > 0 {
			found[i] = own[0]
		}
	}
	return found
}

// spoken reads of records of a kind when they are from, and how those open that somebody may speak in.
var spoken = map[memory.Kind]string{
	memory.KindEpisode: `SELECT e.id, e.started_at, substr(t.observation, 1, 100), a.key FROM json_each(:ids) w CROSS JOIN episodes e ON e.id = w.value
		JOIN contents t ON t.episode = e.id LEFT JOIN nodes a ON a.id = e.agent`,
	memory.KindObservation: `SELECT x.id, x.created_at, substr(x.content, 1, 100), NULL FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value`,
	memory.KindMemoir:      `SELECT x.id, x.created_at, NULL, NULL FROM json_each(:ids) w CROSS JOIN memoirs x ON x.id = w.value`,
	memory.KindConcept:     `SELECT x.id, x.created_at, NULL, NULL FROM json_each(:ids) w CROSS JOIN concepts x ON x.id = w.value`,
	memory.KindCorrection:  `SELECT x.id, x.created_at, NULL, NULL FROM json_each(:ids) w CROSS JOIN corrections x ON x.id = w.value`,
	memory.KindFeedback:    `SELECT x.id, x.created_at, NULL, NULL FROM json_each(:ids) w CROSS JOIN feedback x ON x.id = w.value`,
}

// tell says of some whether they are of a time or of somebody that the query names.
func (s *search) tell(kind memory.Kind, lifted []*found) error {
	dates, names := matching.Dates(s.query.Text), matching.NamesIn(s.query.Text)
	ids, by := make([]int64, len(lifted)), make(map[int64]*found, len(lifted))
	for i, f := range lifted {
		ids[i], by[f.id] = f.id, f
	}
	list, err := db.JSONOf(ids)
	if err != nil {
		return err
	}
	return s.conn.Search(s.ctx, spoken[kind], func(r *db.Row) error {
		p := &by[r.Integer()].parts
		p.Date = matching.Near(dates, r.AnyTime())
		opening, _ := db.Read[string](r)
		agent, _ := db.Read[string](r)
		p.Speaker, _ = names.Speaker(opening, agent)
		return nil
	}, db.Arg("ids", list))
}
