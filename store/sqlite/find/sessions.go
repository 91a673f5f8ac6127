package find

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/sqlite/db"
)

// turn is an observation in its session, and where it stands there: by its time, then by its key.
type turn struct {
	id, session, at int64 // session 0 where it has none
	key             string
}

func compareTurns(a, b turn) int {
	return cmp.Or(cmp.Compare(a.session, b.session), cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id))
}

// inSessions scores observations where they stand: those within the reach of the ones that promise most, or are near. Of what it scores by the
// words, the most promising are lifted, and all that are near.
func (s *search) inSessions(matches []match) error {
	best, err := s.mostPromisingTurns(matches)
	if err != nil {
		return err
	}
	windows, err := s.windows(best)
	if err != nil {
		return err
	}
	scored, err := s.scoreWindows(windows)
	if err != nil {
		return err
	}
	if len(scored) > s.bounds.Turns {
		db.BringForward(scored, s.bounds.Turns, func(a, b *found) bool { return a.promise > b.promise || a.promise == b.promise && a.id > b.id })
	}
	var lifted []*found
	for i := range scored {
		if f := &scored[i]; i < s.bounds.Turns || s.near[f.id] {
			lifted = append(lifted, f)
		}
	}
	err = s.lift(memory.KindObservation, lifted)
	s.found = append(s.found, scored...)
	return err
}

// scoreWindows scores what stands in windows by the words, and says what it promises beside these.
func (s *search) scoreWindows(windows []window) (scored []found, err error) {
	var turns []match
	for _, run := range windows {
		for _, t := range run.turns {
			turns = append(turns, match{hit: hit{id: t.id}})
		}
	}
	read, err := documents(s.ctx, s.conn, s.asked, memory.KindObservation, matchIDs(turns))
	if err != nil {
		return nil, err
	}
	s.guess(memory.KindObservation, turns)
	cosines := make(map[int64]float64, len(turns))
	for _, t := range turns {
		cosines[t.id] = t.cosine
	}
	for w := range windows {
		run := &windows[w]
		sequence, near := make([]matching.Document, len(run.turns)), make([]float64, len(run.turns))
		for i, t := range run.turns {
			sequence[i], near[i] = read[t.id], cosines[t.id]
		}
		for i, match := range s.asked.Run(sequence) {
			if run.answered[i] {
				scored = append(scored, found{
					id: run.turns[i].id, kind: memory.KindObservation, parts: matching.Parts{Match: match}, run: run, at: i,
					promise: s.expected(match.Words, matching.GuessAround(near, i), time.UnixMilli(run.turns[i].at)),
				})
			}
		}
	}
	return scored, nil
}

// since is when an observation is from, by the name of its row in a statement. It stands there behind the content, which SQLite goes through to it,
// and that may be a megabyte: of a long one in a session it is read from its link.
func since(observation string) string {
	return strings.ReplaceAll(`CASE WHEN octet_length(x.content) < 2000 THEN x.created_at
		ELSE coalesce((SELECT at FROM edges WHERE source = x.id AND type = 'IN_SESSION'), x.created_at) END`, `x.`, observation+`.`)
}

var sinceX = since(`x`)

// turns reads where observations stand.
func (s *search) turns(ids []int64) ([]turn, error) {
	list := db.JSONOf(ids)
	turns := make([]turn, 0, len(ids))
	read := `SELECT x.id, coalesce(x.session, 0), ` + sinceX + `, n.key
		FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value JOIN nodes n ON n.id = x.id`
	err := s.conn.Search(s.ctx, read, func(r *db.Row) error {
		turns = append(turns, turn{r.Integer(), r.Integer(), r.Integer(), r.Text()})
		return nil
	}, db.Arg("ids", list))
	return turns, err
}

// mostPromisingTurns are those that promise most among the turns of their sessions, and all that are near. Of those that began together it does not
// ask which comes first.
func (s *search) mostPromisingTurns(matches []match) ([]turn, error) {
	if len(matches) <= s.bounds.Windows {
		return s.turns(matchIDs(matches))
	}
	turns, err := s.places(matchIDs(matches))
	if err != nil {
		return nil, err
	}
	s.guess(memory.KindObservation, matches)
	by := make(map[int64]*match, len(matches))
	for i := range matches {
		by[matches[i].id] = &matches[i]
	}
	slices.SortFunc(turns, compareTurns)
	var alone [2*matching.Beside + 1]float64
	for from, until := 0, 0; from < len(turns); from = until {
		for until = from + 1; turns[from].session != 0 && until < len(turns) && turns[until].session == turns[from].session; until++ {
		}
		session := turns[from:until]
		own := make([]matching.Has, len(session))
		for i, t := range session {
			own[i] = by[t.id].has
		}
		for i, words := range s.asked.Promises(own) {
			m := by[session[i].id]
			alone[matching.Beside] = m.cosine // what stands around adds about as much to each
			near := matching.GuessAround(alone[:], matching.Beside)
			m.promise = s.expected(words, near, time.UnixMilli(session[i].at))
		}
	}
	best, rest := cutAt(matches, s.bounds.Windows)
	ids := matchIDs(best)
	for _, m := range rest {
		if s.near[m.id] {
			ids = append(ids, m.id)
		}
	}
	return s.turns(ids)
}

// places reads where observations stand but for their keys, each of which is in another row.
func (s *search) places(ids []int64) ([]turn, error) {
	list := db.JSONOf(ids)
	turns := make([]turn, 0, len(ids))
	read := `SELECT x.id, coalesce(x.session, 0), ` + sinceX + ` FROM json_each(:ids) w CROSS JOIN observations x ON x.id = w.value`
	err := s.conn.Search(s.ctx, read, func(r *db.Row) error {
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
	found := make(map[int64][]turn, len(middles))
	middles, err := s.besideTogether(middles, found)
	if err != nil {
		return nil, err
	}
	stand := make([][]int64, len(middles))
	for i, t := range middles {
		stand[i] = []int64{t.id, t.session, t.at}
	}
	list := db.JSONOf(stand)
	for _, side := range []string{
		`b.created_at <= x.at AND (b.created_at < x.at OR k.key < n.key) ORDER BY b.created_at DESC, k.key DESC`,
		`b.created_at >= x.at AND (b.created_at > x.at OR k.key > n.key) ORDER BY b.created_at, k.key`,
	} {
		read := `WITH x AS MATERIALIZED (SELECT value ->> 0 AS id, value ->> 1 AS session, value ->> 2 AS at FROM json_each(:turns))
			SELECT x.id, y.id, y.session, ` + since(`y`) + `, m.key FROM x CROSS JOIN nodes n ON n.id = x.id
			CROSS JOIN observations y ON y.id IN (
				SELECT b.id FROM observations b JOIN nodes k ON k.id = b.id WHERE b.session = x.session AND ` + side + ` LIMIT :most)
			CROSS JOIN nodes m ON m.id = y.id`
		err := s.conn.Search(s.ctx, read, func(r *db.Row) error {
			middle := r.Integer()
			found[middle] = append(found[middle], turn{r.Integer(), r.Integer(), r.Integer(), r.Text()})
			return nil
		}, db.Arg("turns", list), db.Arg("most", 2*matching.Reach))
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// besideTogether finds what stands beside turns, which are sorted, where several of them began together, as those of a batch do that says no
// times. These are read once, by their keys: looked up for each of them, ten thousand take seconds. It answers the others.
func (s *search) besideTogether(middles []turn, found map[int64][]turn) (others []turn, err error) {
	for from, until := 0, 0; from < len(middles); from = until {
		first := middles[from]
		for until = from + 1; until < len(middles) && middles[until].session == first.session && middles[until].at == first.at; until++ {
		}
		if first.session == 0 || until-from == 1 {
			others = append(others, middles[from:until]...)
			continue
		}
		together, err := s.together(first)
		if err != nil {
			return nil, err
		}
		for _, middle := range middles[from:until] {
			at, is := slices.BinarySearchFunc(together, middle, compareTurns)
			if is {
				found[middle.id] = slices.Concat(together[max(0, at-2*matching.Reach):at], together[at+1:min(len(together), at+1+2*matching.Reach)])
			}
		}
	}
	return others, nil
}

// together reads the turns of a session that began with one, and as many on either side as stand beside the first and the last of them, in
// their order.
func (s *search) together(with turn) (turns []turn, err error) {
	const every, beside = -1, 2 * matching.Reach
	for _, part := range []struct {
		condition string
		most      int
	}{
		{`x.created_at < :at ORDER BY x.created_at DESC, n.key DESC`, beside},
		{`x.created_at = :at`, every},
		{`x.created_at > :at ORDER BY x.created_at, n.key`, beside},
	} {
		read := `SELECT x.id, x.created_at, n.key FROM observations x JOIN nodes n ON n.id = x.id WHERE x.session = :session AND ` + part.condition + ` LIMIT :most`
		err := s.conn.Search(s.ctx, read, func(r *db.Row) error {
			turns = append(turns, turn{id: r.Integer(), session: with.session, at: r.Integer(), key: r.Text()})
			return nil
		}, db.Arg("session", with.session), db.Arg("at", with.at), db.Arg("most", part.most))
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(turns, compareTurns)
	return turns, nil
}
