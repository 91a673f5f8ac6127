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

// Target is a record that arrived, to which others wait to be linked: those of its user and, unless it came ByUserKey,
// those that are nobody's.
type Target struct {
	Key, User string // the user is "" for nobody
	ByUserKey bool
	canvas    *CanvasState // where it is one
}

func (t Target) accepts(user string) bool {
	return t.User == "" || user == t.User || user == "" && !t.ByUserKey
}

// EpisodesArrived links what has been waiting for new episodes by their keys and their executions, and what of their
// sessions the rule gives to another episode now that they are there: in the intervals that they affect, by episode.
func EpisodesArrived(tx Tx, records []*store.EpisodeRecord, affected map[string]Interval) error {
	targets := map[PendingRef]Target{} // the first of those that are awaited alike
	intervals, users := map[string][]Interval{}, map[string][]string{}
	for _, record := range records {
		e := &record.Episode
		target := Target{e.Key, memory.OrZero(e.UserID), record.ByUserKey, nil}
		refs := []PendingRef{{memory.KindEpisode, e.Key}, {Informed, e.Key}, RecordRef(memory.KindAgent, e.AgentKey)}
		for _, id := range e.ExecutionIDs {
			refs = append(refs, PendingRef{Execution, id})
		}
		if e.SessionKey != nil {
			refs = append(refs, RecordRef(memory.KindSession, *e.SessionKey))
			if s := affected[e.Key]; s.From.Before(s.Until) {
				intervals[*e.SessionKey] = append(intervals[*e.SessionKey], s)
			}
			if !target.ByUserKey && target.User != "" {
				users[*e.SessionKey] = append(users[*e.SessionKey], target.User)
			}
		}
		for _, ref := range refs {
			if _, known := targets[ref]; !known {
				targets[ref] = target
			}
		}
	}
	return Arrived(tx, targets, intervals, users)
}

// Arrived links what waits for records with those that arrived, and gives what of sessions came in some intervals to
// the episodes that the rule picks now: what is nobody's to those of nobody, or of the given users, by session.
func Arrived(tx Tx, targets map[PendingRef]Target, intervals map[string][]Interval, users map[string][]string) error {
	waiting, err := tx.Waiting(sortedRefs(targets), intervals)
	if err != nil {
		return err
	}
	// Feedback before the canvases that it waits for, which take it along.
	slices.SortStableFunc(waiting, func(a, b Waiter) int { return cmp.Compare(b.Kind, a.Kind) })
	for some := range slices.Chunk(waiting, LinkedTogether) {
		picked, err := pickWaiting(tx, some, func(session string) []string { return append([]string{}, users[session]...) }, Pick)
		if err != nil {
			return err
		}
		c := NewChanges()
		err = c.linkWaiters(tx, some, targets, picked)
		if err == nil {
			err = tx.Apply(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Reassign changes an episode, and where its start or its end becomes another gives it what of its session Pick says is
// its own then, and others what that says is theirs.
func Reassign(tx Tx, episode string, change func() error) error {
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
	if affected := AffectedByChange(&was.Span, &is.Span, was.Around, is.Around); len(affected) > 0 {
		return Arrived(tx, nil, map[string][]Interval{was.Session: affected}, nil)
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
		users[record.Episode.Key] = memory.OrZero(record.Episode.UserID)
	}
	c := NewChanges()
	for _, record := range records {
		near := func(key string) bool { return there.Has(key) && Fits(memory.OrZero(record.Episode.UserID), users[key]) }
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
	picked, err := pickWaiting(tx, waiting, func(string) []string { return nil }, PickLate)
	if err != nil {
		return nil, err
	}
	if err := c.linkWaiters(tx, waiting, nil, picked); err != nil {
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
	targets := map[PendingRef]Target{}
	for a, record := range found {
		targets[a] = Target{record, known.Users[record], true, nil}
		if canvas := known.Canvases[record]; a.Kind == memory.KindCanvas && canvas != nil {
			targets[a] = Target{record, memory.OrZero(canvas.UserID), true, canvas}
		}
	}
	return Arrived(tx, targets, nil, nil)
}

// LinkNamed links waiters with what they name and wait for.
func (c *Changes) LinkNamed(waiting ...Waiter) {
	for _, w := range waiting {
		c.Link(w.Kind, w.Key, w.link(), w.Awaited)
		c.Arrived[w.Awaited] = struct{}{}
	}
}

// candidate is an episode that was found for a record, by its session or by what it waited for.
type candidate struct {
	episode, user string
	bySession     bool
}

// linkWaiters links waiters with the targets that they name, unless those are another's, or gives them an episode:
// the one that they waited for, or for those of sessions the one that was picked. Feedback on canvases goes where
// those are.
func (c *Changes) linkWaiters(tx Tx, waiting []Waiter, targets map[PendingRef]Target, picked map[string]*Span) error {
	found := map[memory.Kind]map[string]candidate{memory.KindCanvas: {}, memory.KindFeedback: {}}
	canvases := map[string]*CanvasState{} // that feedback waited for
	for i := range waiting {
		w := &waiting[i]
		link := w.link()
		target, known := targets[w.Awaited]
		switch {
		case w.Awaited.Kind == Session:
			if episode := picked[w.id()]; episode != nil && episode.Key != w.Episode {
				found[w.Kind][w.Key] = candidate{episode.Key, episode.User, true}
				c.Arrived[w.Awaited] = struct{}{}
			}
		case link != "ABOUT" && !target.accepts(w.User):
		case link != "":
			c.LinkNamed(*w)
			if w.Kind == memory.KindFeedback {
				canvases[w.Key] = target.canvas
			}
		case known:
			found[w.Kind][w.Key] = candidate{target.Key, target.User, false}
			c.Arrived[w.Awaited] = struct{}{}
		}
	}
	moved, err := c.linkCanvases(tx, found[memory.KindCanvas])
	if err != nil {
		return err
	}
	return c.linkFeedback(tx, found[memory.KindFeedback], canvases, moved)
}

// linkFeedback gives feedback the episodes found for it, or those of the canvases that it waited for, as these are now.
func (c *Changes) linkFeedback(tx Tx, found map[string]candidate, canvases, moved map[string]*CanvasState) error {
	keys := SetOf(slices.Concat(sortedKeys(found), sortedKeys(canvases))...).Sorted()
	if len(keys) == 0 {
		return nil
	}
	links, err := tx.FeedbackLinks(keys)
	for _, r := range links {
		if one, ok := found[r.Key]; ok && (one.bySession || r.Episode == nil) {
			c.LinkFeedback(r, &one.episode)
		} else if canvas := canvases[r.Key]; r.By == memory.KindCanvas && canvas != nil {
			c.LinkFeedback(r, cmp.Or(moved[canvas.Key], canvas).episodeFor(r.User))
		}
	}
	return err
}

// linkCanvases gives canvases the episodes found for them, once they are locked and still have none, or one by their
// session, and takes the feedback on them along. It gives those that moved.
func (c *Changes) linkCanvases(tx Tx, found map[string]candidate) (moved map[string]*CanvasState, err error) {
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
		c.Moves.Canvas(memory.OrZero(last.EpisodeKey), last.Count, found.episode, last.Count)
		if c.relinkCanvas(last, &linked) {
			moved[key] = &linked
		}
	}
	return moved, c.follow(tx, moved)
}

// pickWaiting is pickAll for those that wait in sessions, by their ids; what is nobody's goes to one of some users.
func pickWaiting(tx Tx, waiting []Waiter, nobodys func(session string) []string, rule pickRule) (map[string]*Span, error) {
	times := map[string]SessionTime{}
	for i := range waiting {
		if w := &waiting[i]; w.Awaited.Kind == Session {
			users := UsersFor(w.User)
			if w.User == "" {
				users = nobodys(w.Awaited.Key)
			}
			times[w.id()] = SessionTime{Session: w.Awaited.Key, Kind: w.Kind, At: w.At, Users: users}
		}
	}
	return pickAll(tx, times, rule)
}

type pickRule = func(memory.Kind, time.Time, []Span) *Span

// pickAll gives records one of the episodes near them, by a rule; those that get none are missing from the answer.
func pickAll(tx Tx, times map[string]SessionTime, rule pickRule) (map[string]*Span, error) {
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
