package find

import (
	"cmp"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/sqlite/db"
)

// turn is an observation in its session, and where it stands there: by its time, then by its key.
type turn struct {
	id, session, at int64 // session 0 where it has none
	key             string
}

func turnIDs(turns []turn) []int64 {
	ids := make([]int64, len(turns))
	for i, t := range turns {
		ids[i] = t.id
	}
	return ids
}

func compareTurns(a, b turn) int {
	return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id))
}

// inSessions scores observations where they stand: those within the reach of the ones that promise most, or are meant.
func (s *search) inSessions(matched []hit, meant []int64) error {
	best, err := s.mostPromisingTurns(matched)
	if err != nil {
		return err
	}
	middles := turnIDs(best)
	more, err := s.turns(slices.DeleteFunc(meant, func(id int64) bool { return slices.Contains(middles, id) }))
	if err != nil {
		return err
	}
	best = append(best, more...)
	windows, err := s.windows(best)
	if err != nil {
		return err
	}
	var ids []int64
	for _, run := range windows {
		for _, t := range run.turns {
			ids = append(ids, t.id)
		}
	}
	read, err := documents(s.ctx, s.conn, s.asked, memory.KindObservation, ids)
	if err != nil {
		return err
	}
	for w := range windows {
		run := &windows[w]
		sequence := make([]matching.Document, len(run.turns))
		for i, t := range run.turns {
			sequence[i] = read[t.id]
		}
		for i, match := range s.asked.Run(sequence) {
			if run.answered[i] {
				s.found = append(s.found, found{id: run.turns[i].id, kind: memory.KindObservation, parts: matching.Parts{Match: match}, run: run, at: i})
			}
		}
	}
	return nil
}

// turns reads where observations stand.
func (s *search) turns(ids []int64) ([]turn, error) {
	list, err := db.JSONOf(ids)
	if err != nil {
		return nil, err
	}
	turns := make([]turn, 0, len(ids))
	const read = `SELECT x.id, coalesce(x.session, 0), x.created_at, n.key
		FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value JOIN nodes n ON n.id = x.id`
	err = s.conn.Search(s.ctx, read, func(r *db.Row) error {
		turns = append(turns, turn{r.Integer(), r.Integer(), r.Integer(), r.Text()})
		return nil
	}, db.Arg("ids", list))
	return turns, err
}

// mostPromisingTurns are those that promise most among the turns of their sessions. Of those that began together it does not
// ask which comes first.
func (s *search) mostPromisingTurns(matched []hit) ([]turn, error) {
	if len(matched) <= s.bounds.Windows {
		return s.turns(idsOf(matched))
	}
	turns, err := s.places(idsOf(matched))
	if err != nil {
		return nil, err
	}
	has := make(map[int64]matching.Has, len(matched))
	for _, h := range matched {
		has[h.id] = h.has
	}
	slices.SortFunc(turns, compareTurns)
	promises := make(map[int64]float64, len(turns))
	for from, until := 0, 0; from < len(turns); from = until {
		for until = from + 1; turns[from].session != 0 && until < len(turns) && turns[until].session == turns[from].session; until++ {
		}
		session := turns[from:until]
		own := make([]matching.Has, len(session))
		for i, t := range session {
			own[i] = has[t.id]
		}
		for i, promise := range s.asked.Promises(own) {
			promises[session[i].id] = promise
		}
	}
	slices.SortFunc(turns, func(a, b turn) int {
		return cmp.Or(cmp.Compare(promises[b.id], promises[a.id]), cmp.Compare(b.id, a.id))
	})
	return s.turns(turnIDs(turns[:min(len(turns), s.bounds.Windows)]))
}

// places reads where observations stand but for their keys, each of which is in another row.
func (s *search) places(ids []int64) ([]turn, error) {
	list, err := db.JSONOf(ids)
	if err != nil {
		return nil, err
	}
	turns := make([]turn, 0, len(ids))
	const read = `SELECT x.id, coalesce(x.session, 0), x.created_at FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value`
	err = s.conn.Search(s.ctx, read, func(r *db.Row) error {
		turns = append(turns, turn{id: r.Integer(), session: r.Integer(), at: r.Integer()})
		return nil
	}, db.Arg("ids", list))
	return turns, err
}

// window is a part of a session without a gap.
type window struct {
	turns    []turn
	answered []bool // those of which the whole neighbourhood is here
}

// windows reads what stands around the turns, and joins what overlaps.
func (s *search) windows(around []turn) (windows []window, err error) {
	slices.SortFunc(around, compareTurns)
	beside, err := s.beside(around)
	if err != nil {
		return nil, err
	}
	for _, middle := range around {
		part := append(beside[middle.id], middle)
		slices.SortFunc(part, compareTurns)
		if last := len(windows) - 1; last < 0 || compareTurns(windows[last].turns[len(windows[last].turns)-1], part[0]) < 0 {
			windows = append(windows, window{})
		}
		windows[len(windows)-1].add(part, middle)
	}
	return windows, nil
}

// add goes on with a part that begins within the window, or is all of it.
func (w *window) add(part []turn, middle turn) {
	for _, t := range part {
		if len(w.turns) == 0 || compareTurns(w.turns[len(w.turns)-1], t) < 0 {
			w.turns, w.answered = append(w.turns, t), append(w.answered, false)
		}
	}
	at, _ := slices.BinarySearchFunc(w.turns, middle, compareTurns)
	for i := max(0, at-matching.Reach); i <= min(len(w.turns)-1, at+matching.Reach); i++ {
		w.answered[i] = true
	}
}

// beside reads twice as many turns on either side as lend their words, so that the neighbourhoods of those that
// they are lent to are whole.
func (s *search) beside(middles []turn) (map[int64][]turn, error) {
	list, err := db.JSONOf(turnIDs(middles))
	if err != nil {
		return nil, err
	}
	found := make(map[int64][]turn, len(middles))
	for _, side := range []string{
		`b.created_at <= x.created_at AND (b.created_at < x.created_at OR k.key < n.key) ORDER BY b.created_at DESC, k.key DESC`,
		`b.created_at >= x.created_at AND (b.created_at > x.created_at OR k.key > n.key) ORDER BY b.created_at, k.key`,
	} {
		read := `SELECT x.id, y.id, y.session, y.created_at, m.key FROM json_each(:ids) w
			CROSS JOIN observations x ON x.id = w.value CROSS JOIN nodes n ON n.id = x.id
			CROSS JOIN observations y ON y.id IN (
				SELECT b.id FROM observations b JOIN nodes k ON k.id = b.id WHERE b.session = x.session AND ` + side + ` LIMIT :most)
			CROSS JOIN nodes m ON m.id = y.id`
		err := s.conn.Search(s.ctx, read, func(r *db.Row) error {
			middle := r.Integer()
			found[middle] = append(found[middle], turn{r.Integer(), r.Integer(), r.Integer(), r.Text()})
			return nil
		}, db.Arg("ids", list), db.Arg("most", 2*matching.Reach))
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}
