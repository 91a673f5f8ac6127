package find

import (
	"mneme/memory"
	"mneme/memory/matching"
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

// lift adds to some of a kind that are scored by their words what else the query says: what it means, of which time,
// and of whom.
func (s *search) lift(kind memory.Kind, lifted []*found) error {
	if len(lifted) == 0 {
		return nil
	}
	if err := s.tell(kind, lifted); err != nil {
		return err
	}
	return s.compare(kind, lifted)
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

// telling is where records of a kind say when they are from, and how those open that somebody may speak in: a text and an agent.
type telling struct{ table, at, opening string }

// read reads of some records when they are from, and more columns.
func (t telling) read(more string) string {
	return `SELECT x.id, ` + t.at + more + ` FROM json_each(:ids) w CROSS JOIN ` + t.table + ` x ON x.id = w.value`
}

const nobodySpeaks = `, NULL, NULL`

var told = map[memory.Kind]telling{
	memory.KindEpisode: {"episodes", "x.started_at", `, (SELECT substr(t.observation, 1, 100) FROM contents t WHERE t.episode = x.id),
		(SELECT a.key FROM nodes a WHERE a.id = x.agent)`},
	memory.KindObservation: {"observations", sinceX, `, substr(x.content, 1, 100), NULL`},
	memory.KindMemoir:      {"memoirs", "x.created_at", nobodySpeaks},
	memory.KindConcept:     {"concepts", "x.created_at", nobodySpeaks},
	memory.KindCorrection:  {"corrections", "x.created_at", nobodySpeaks},
	memory.KindFeedback:    {"feedback", "x.created_at", nobodySpeaks},
}

// tell says of some whether they are of a time or of somebody that the query names.
func (s *search) tell(kind memory.Kind, lifted []*found) error {
	if told[kind].opening == nobodySpeaks && len(s.dates) == 0 {
		return nil
	}
	names := matching.NamesIn(s.query.Text)
	ids, by := make([]int64, len(lifted)), make(map[int64]*found, len(lifted))
	for i, f := range lifted {
		ids[i], by[f.id] = f.id, f
	}
	list := db.JSONOf(ids)
	return s.conn.Search(s.ctx, told[kind].read(told[kind].opening), func(r *db.Row) error {
		p := &by[r.Integer()].parts
		p.Date = matching.Near(s.dates, r.AnyTime())
		opening, _ := db.Read[string](r)
		agent, _ := db.Read[string](r)
		p.Speaker, _ = names.Speaker(opening, agent)
		return nil
	}, db.Arg("ids", list))
}
