package linking

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// link is the type of link to what a record waits for, where it names that; else it is led to an episode.
func (w *Waiter) link() string {
	switch w.Kind {
	case memory.KindObservation, memory.KindCorrection:
		return "ABOUT"
	case memory.KindEpisode:
		return map[memory.Kind]string{memory.KindConcept: "MENTIONS", memory.KindEpisode: "CAUSED_BY", Informed: "INFORMED_BY"}[w.Awaited.Kind]
	case memory.KindFeedback:
		return map[memory.Kind]string{memory.KindCanvas: "ON"}[w.Awaited.Kind]
	}
	return ""
}

// Taker is a record that arrived. It takes what waits for it and is of its user; unless Bound, also what is nobody's.
type Taker struct {
	Key, User string // the user is "" for nobody
	Bound     bool
}

func (t Taker) takes(user string) bool {
	return t.User == "" || user == t.User || user == "" && !t.Bound
}

// EpisodesArrived links what has been waiting for new episodes by their keys and their executions, and what of their
// sessions the rule gives to another episode now that they are there. decided is where in their sessions, by episode.
func EpisodesArrived(tx Tx, records []*store.EpisodeRecord, decided map[string]Interval) error {
	arrived := map[PendingRef]Taker{} // the first of those that are awaited alike
	intervals, takers := map[string][]Interval{}, map[string][]string{}
	for _, record := range records {
		e := &record.Episode
		taker := Taker{e.Key, OrNone(e.UserID), record.Bound}
		refs := append(Episode(e), RecordRef(memory.KindAgent, e.AgentKey))
		if e.SessionKey != nil {
			refs = append(refs, RecordRef(memory.KindSession, *e.SessionKey))
			if s := decided[e.Key]; s.From.Before(s.Until) {
				intervals[*e.SessionKey] = append(intervals[*e.SessionKey], s)
			}
			if !taker.Bound && taker.User != "" {
				takers[*e.SessionKey] = append(takers[*e.SessionKey], taker.User)
			}
		}
		for _, a := range refs {
			if _, taken := arrived[a]; !taken && a.Kind != Session {
				arrived[a] = taker
			}
		}
	}
	return Arrived(tx, arrived, intervals, takers)
}

// Arrived links what waits for records with those that arrived, and gives what of sessions came in some intervals to
// the episodes that the rule picks now: what is nobody's to those of nobody, or of the users who take it, by session.
func Arrived(tx Tx, arrived map[PendingRef]Taker, intervals map[string][]Interval, takers map[string][]string) error {
	waiting, err := tx.Waiting(sortedRefs(arrived), intervals)
	if err != nil {
		return err
	}
	for some := range slices.Chunk(waiting, LinkedTogether) {
		picked, err := pickAll(tx, timesOf(some, func(session string) []string { return append([]string{}, takers[session]...) }), Pick)
		if err != nil {
			return err
		}
		c := NewChanges()
		err = c.linkWaiters(tx, some, arrived, picked, nil)
		if err == nil {
			err = tx.Apply(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Redecide changes an episode, and where its start or its end becomes another gives it what of its session Pick says is
// its own then, and others what that says is theirs.
func Redecide(tx Tx, episode string, change func() error) error {
	was, err := tx.Place(episode)
	if err != nil {
		return err
	}
	if err := change(); err != nil || was == nil {
		return err
	}
	is, err := tx.Place(episode)
	if err != nil || is == nil {
		return err
	}
	if changed := Changed(&was.Span, &is.Span, was.Around, is.Around); len(changed) > 0 {
		return Arrived(tx, nil, map[string][]Interval{was.Session: changed}, nil)
	}
	return nil
}

// LinkEpisodes ties new episodes to their causes and to the concepts they mention, or lets them wait for those that are
// not there, or are another's.
func LinkEpisodes(tx Tx, records []*store.EpisodeRecord, known *Known, concepts func(key string) bool) error {
	there := maps.Clone(known.Episodes)
	users := maps.Clone(known.Users)
	for _, record := range records {
		there.Add(record.Episode.Key)
		users[record.Episode.Key] = OrNone(record.Episode.UserID)
	}
	c := NewChanges()
	for _, record := range records {
		near := func(key string) bool { return there.Has(key) && Fits(OrNone(record.Episode.UserID), users[key]) }
		for _, named := range []struct {
			link  string
			kind  memory.Kind
			keys  []string
			there func(string) bool
		}{
			{"CAUSED_BY", memory.KindEpisode, record.CausedBy, near}, {"INFORMED_BY", Informed, record.InformedBy, near},
			{"MENTIONS", memory.KindConcept, record.Mentions, concepts},
		} {
			for _, key := range SetOf(named.keys...).Sorted() {
				c.LinkOrWait(memory.KindEpisode, record.Episode.Key, named.link, PendingRef{named.kind, key}, named.there(key))
			}
		}
	}
	return tx.Apply(c)
}

// Backfilling links what waits in sessions, in parts, each by a write of its own.
func Backfilling(session *string, write func(part func(tx Tx) error) error) (store.Backfilled, error) {
	var sum store.Backfilled
	var part []Waiter
	episodes := KeySet{}
	for after, more := (Waiter{}), true; more; more = len(part) == LinkedTogether {
		c := NewChanges()
		err := write(func(tx Tx) (err error) {
			c = NewChanges()
			part, err = c.backfill(tx, session, after)
			return err
		})
		if err != nil {
			return sum, err
		}
		sum.Canvases, sum.Feedback = sum.Canvases+gained(c.Canvases, episodes), sum.Feedback+gained(c.Feedback, episodes)
		sum.Episodes = len(episodes)
		if len(part) > 0 {
			after = part[len(part)-1]
		}
	}
	return sum, nil
}

// gained counts those that got their first episode, and adds the episodes that got any to a set.
func gained(all []Assignment, episodes KeySet) (first int) {
	for _, a := range all {
		episodes.AddOptional(a.Episode)
		if !a.Had && a.Episode != nil {
			first++
		}
	}
	return first
}

// backfill links the part of what waits in sessions that comes after one of it, and gives that part.
func (c *Changes) backfill(tx Tx, session *string, after Waiter) ([]Waiter, error) {
	waiting, err := tx.WaitingInSessions(session, after)
	if err != nil || len(waiting) == 0 {
		return nil, err
	}
	waited := NewScope()
	for i := range waiting {
		waited.Sessions.Add(waiting[i].Awaited.Key)
	}
	if _, err := tx.Lock(waited); err != nil {
		return nil, err
	}
	picked, err := pickAll(tx, timesOf(waiting, func(string) []string { return nil }), PickLate)
	if err != nil {
		return nil, err
	}
	if err := c.linkWaiters(tx, waiting, nil, picked, nil); err != nil {
		return nil, err
	}
	return waiting, tx.Apply(c)
}

// EndWaits links what waits for records that are there, found under the names that they are awaited by.
func EndWaits(tx Tx, found map[PendingRef]string) error {
	wanted := NewScope()
	for a, record := range found {
		switch a.Kind {
		case memory.KindEpisode, Informed, Execution:
			wanted.Episodes.Add(record)
		case memory.KindCanvas:
			wanted.Canvases.Add(record)
		}
	}
	known, err := tx.Lock(wanted)
	if err != nil {
		return err
	}
	waiting, err := tx.Waiting(sortedRefs(found), nil)
	if err != nil {
		return err
	}
	takers := map[PendingRef]Taker{}
	for a, record := range found {
		takers[a] = Taker{record, known.Users[record], true}
		if canvas := known.Canvases[record]; a.Kind == memory.KindCanvas && canvas != nil {
			takers[a] = Taker{record, OrNone(canvas.UserID), true}
		}
	}
	c := NewChanges()
	if err := c.linkWaiters(tx, waiting, takers, nil, known.Canvases); err != nil {
		return err
	}
	return tx.Apply(c)
}

// LinkNamed links those of waiters that name what they wait for, which is nobody's.
func (c *Changes) LinkNamed(waiting []Waiter) { c.linkNamed(waiting, nil, map[string]string{}) }

// linkNamed links those that name what they wait for, unless that is another's, notes feedback on canvases, gives the
// rest.
func (c *Changes) linkNamed(waiting []Waiter, takers map[PendingRef]Taker, onCanvas map[string]string) (led []*Waiter) {
	for i := range waiting {
		w := &waiting[i]
		link := w.link()
		if link == "" {
			led = append(led, w)
			continue
		}
		if link != "ABOUT" && !takers[w.Awaited].takes(w.User) {
			continue
		}
		if w.Kind == memory.KindFeedback {
			onCanvas[w.Key] = w.Awaited.Key
		}
		c.Link(w.Kind, w.Key, link, w.Awaited)
		c.Arrived[w.Awaited] = struct{}{}
	}
	return led
}

// linkWaiters links waiters with what they wait for and takes them: those that name it and those that it leads to an
// episode, which was picked for those of sessions. Feedback on canvases goes where those are shown.
func (c *Changes) linkWaiters(tx Tx, waiting []Waiter, takers map[PendingRef]Taker, picked map[string]*Span, shown map[string]*CanvasState) error {
	placed, onCanvas := map[memory.Kind]map[string]placing{memory.KindCanvas: {}, memory.KindFeedback: {}}, map[string]string{}
	for _, w := range c.linkNamed(waiting, takers, onCanvas) {
		if found := w.placing(takers, picked); found.episode != "" {
			placed[w.Kind][w.Key] = found
			c.Arrived[w.Awaited] = struct{}{}
		}
	}
	moved, err := c.linkCanvases(tx, placed[memory.KindCanvas])
	if err != nil {
		return err
	}
	feedback := placed[memory.KindFeedback]
	keys := SetOf(slices.Concat(sortedKeys(feedback), sortedKeys(onCanvas))...).Sorted()
	if len(keys) == 0 {
		return nil
	}
	links, err := tx.FeedbackLinks(keys)
	for _, r := range links {
		if found, ok := feedback[r.Key]; ok && (found.bySession || r.Episode == nil) {
			c.LinkFeedback(r, &found.episode)
		} else if canvas := cmp.Or(moved[onCanvas[r.Key]], shown[onCanvas[r.Key]]); r.By == memory.KindCanvas && canvas != nil {
			c.LinkFeedback(r, canvas.leadTo(r.User))
		}
	}
	return err
}

// placing is an episode that was found for a record, by its session or by what it waited for.
type placing struct {
	episode, user string
	bySession     bool
}

// placing is that of a waiter, the zero value where it stays as it is.
func (w *Waiter) placing(takers map[PendingRef]Taker, picked map[string]*Span) placing {
	if w.Awaited.Kind == Session {
		if episode := picked[w.id()]; episode != nil && episode.Key != w.Episode {
			return placing{episode.Key, episode.User, true}
		}
	} else if taker := takers[w.Awaited]; taker.takes(w.User) {
		return placing{taker.Key, taker.User, false}
	}
	return placing{}
}

// linkCanvases gives canvases the episodes found for them, once they are locked and still have none, or one by their
// session, and takes the feedback on them along. It gives those that moved.
func (c *Changes) linkCanvases(tx Tx, found map[string]placing) (moved map[string]*CanvasState, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	wanted := NewScope()
	wanted.Canvases.Add(sortedKeys(found)...)
	known, err := tx.Lock(wanted)
	if err != nil {
		return nil, err
	}
	moved = map[string]*CanvasState{}
	for _, key := range sortedKeys(known.Canvases) {
		last, found := known.Canvases[key], found[key]
		if found.bySession && last.Named != nil || !found.bySession && last.EpisodeKey != nil {
			continue // it was told another since we read of it
		}
		linked := *last
		linked.EpisodeKey, linked.EpisodeUser = &found.episode, found.user
		c.Moves.Canvas(OrNone(last.EpisodeKey), last.Count, found.episode, last.Count)
		if c.relinkCanvas(last, &linked) {
			moved[key] = &linked
		}
	}
	return moved, c.follow(tx, moved)
}

// timesOf are the times of those that wait in sessions, by their ids; takers are the users who take what is nobody's.
func timesOf(waiting []Waiter, takers func(session string) []string) map[string]SessionTime {
	times := map[string]SessionTime{}
	for i := range waiting {
		if w := &waiting[i]; w.Awaited.Kind == Session {
			users := UsersFor(w.User)
			if w.User == "" {
				users = takers(w.Awaited.Key)
			}
			times[w.id()] = SessionTime{Session: w.Awaited.Key, Kind: w.Kind, At: w.At, Users: users}
		}
	}
	return times
}

// pickAll gives records one of the episodes near them, by a rule; those that get none are missing from the answer.
func pickAll(tx Tx, times map[string]SessionTime, rule func(memory.Kind, time.Time, []Span) *Span) (map[string]*Span, error) {
	picked := map[string]*Span{}
	if len(times) == 0 {
		return picked, nil
	}
	near, err := tx.Near(times)
	for record, at := range times {
		if episode := rule(at.Kind, at.At, near[record]); episode != nil {
			picked[record] = episode
		}
	}
	return picked, err
}

func sortedKeys[T any](values map[string]T) []string { return slices.Sorted(maps.Keys(values)) }

func sortedRefs[T any](refs map[PendingRef]T) []PendingRef {
	return slices.SortedFunc(maps.Keys(refs), PendingRef.compare)
}
