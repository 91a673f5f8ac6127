package linking

import (
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// Tx is a write under way, as a store offers it. Each method is for many records at once and costs a server one round
// trip, or few, so that a batch costs as many as one record.
type Tx interface {
	// Lock locks what a write decides on, there or not, until the write ends, and tells what is known of it.
	Lock(scope Scope) (*Known, error)
	// Near are the episodes from which Pick chooses, for each of some records of sessions.
	Near(times map[string]SessionTime) (map[string][]Span, error)
	// Place is an episode of a session with what lies around it there, and locks the session; nil where it is in none.
	Place(episode string) (*Place, error)
	// Waiting finds what waits for refs, and what names only a session and came within intervals: at most MaxReassigned
	// each.
	Waiting(refs []PendingRef, intervals map[string][]Interval) ([]Waiter, error)
	// WaitingInSessions finds what waits for an episode of any session, or of the given one, and comes after one of
	// them: at most LinkedTogether, by session.
	WaitingInSessions(session *string, after Waiter) ([]Waiter, error)
	// Followers is the feedback that goes where its canvas goes, of some canvases.
	Followers(canvases []string) ([]FeedbackLink, error)
	// FeedbackLinks locks feedback and reads its links. The keys are distinct and sorted.
	FeedbackLinks(keys []string) ([]FeedbackLink, error)
	// FeedbackItem locks one feedback and reads it with what it named; nil where there is none.
	FeedbackItem(key string) (*store.FeedbackItem, error)
	// WriteCanvases writes canvases, new and changed, except their links to episodes. It answers the intervals of sessions
	// where feedback may belong to another episode, because a canvas is first shown at another time than it Was.
	WriteCanvases(changes []*CanvasChange) (map[string][]Interval, error)
	// CreateFeedback writes feedback without links to episodes and canvases, and finds what waits for what arrived.
	CreateFeedback(records []*store.FeedbackRecord, arrived []PendingRef) ([]Waiter, error)
	// EndFeedback lets feedback count until an instant only, by key. It answers those that were not replaced before.
	EndFeedback(ends map[string]time.Time) ([]FeedbackLink, error)
	// Apply writes links, waits and sums.
	Apply(changes *Changes) error
}

// KeySet is a set of keys of one kind, of records that are there or are not.
type KeySet map[string]struct{}

// SetOf is the set of some keys.
func SetOf(keys ...string) KeySet {
	set := KeySet{}
	set.Add(keys...)
	return set
}

// Add puts keys into the set.
func (s KeySet) Add(keys ...string) {
	for _, key := range keys {
		s[key] = struct{}{}
	}
}

// AddOptional puts a key into the set where there is one.
func (s KeySet) AddOptional(key *string) {
	if key != nil {
		s.Add(*key)
	}
}

// Has says whether a key is in the set.
func (s KeySet) Has(key string) bool {
	_, found := s[key]
	return found
}

// Sorted gives the keys in the order in which every writer locks them.
func (s KeySet) Sorted() []string {
	if len(s) == 0 {
		return []string{}
	}
	return slices.Sorted(maps.Keys(s))
}

// Scope is what a write decides on, by kind.
type Scope struct {
	Sessions, People, Executions, Canvases, Episodes KeySet
	// NewEpisodes and NewFeedback are the keys of what it would create.
	NewEpisodes, NewFeedback []string
	// Actions are the ids of the actions that it would add, by canvas.
	Actions map[string][]string
}

// NewScope is a scope with nothing in it.
func NewScope() Scope {
	return Scope{Sessions: KeySet{}, People: KeySet{}, Executions: KeySet{}, Canvases: KeySet{}, Episodes: KeySet{}, Actions: map[string][]string{}}
}

// Known is what is known of a scope.
type Known struct {
	Executions map[string]string       // the episode that covers an execution; the first where several do
	Canvases   map[string]*CanvasState // those that are there
	Episodes   KeySet                  // those that are there
	Starts     map[string]time.Time    // when those began
	Users      map[string]string       // of episodes and of those that cover executions, by key; without those of nobody
	Hashes     Hashes                  // of those that have the key of a new record
}

// EpisodeFor is the episode that a user's record finds by what it names, nil where that is not there or another's.
func (k *Known) EpisodeFor(by PendingRef, user *string) (episode *string) {
	switch by.Kind {
	case memory.KindEpisode:
		if k.Episodes.Has(by.Key) {
			episode = &by.Key
		}
	case Execution:
		if key, found := k.Executions[by.Key]; found {
			episode = &key
		}
	case memory.KindCanvas:
		if canvas := k.Canvases[by.Key]; canvas != nil && Fits(memory.OrZero(user), memory.OrZero(canvas.UserID)) {
			return canvas.episodeFor(memory.OrZero(user))
		}
	}
	if episode == nil || !Fits(memory.OrZero(user), k.Users[*episode]) {
		return nil
	}
	return episode
}

// Fits says whether records of two users may be linked, "" for nobody.
func Fits(a, b string) bool { return a == "" || b == "" || a == b }

// Hashes are those of the inputs of records that are there, by key.
type Hashes map[string][]byte

// Admit says what becomes of a record with a key, and notes its hash where it is new.
func (h Hashes) Admit(key string, inputHash []byte) store.Recorded {
	switch known, found := h[key]; {
	case !found:
		h[key] = inputHash
		return store.Recorded{Key: key, Created: true}
	case string(known) != string(inputHash):
		return store.Recorded{Key: key, Err: store.ErrConflict}
	}
	return store.Recorded{Key: key}
}

// Fresh admits records by their keys and the hashes of their inputs, and gives those that are new.
func Fresh[R any](hashes Hashes, records []R, input func(*R) (key string, hash []byte)) (recorded []store.Recorded, created []*R) {
	recorded = make([]store.Recorded, len(records))
	for i := range records {
		if recorded[i] = hashes.Admit(input(&records[i])); recorded[i].Created {
			created = append(created, &records[i])
		}
	}
	return recorded, created
}

// FeedbackLink is what the links of a feedback depend on.
type FeedbackLink struct {
	Key, Canvas string
	User        string // "" for nobody
	Episode     *string
	Score       float64
	Ended       bool        // it was replaced, and counts no more
	By          memory.Kind // of what leads it to its episode
}

// Waiter is a record that waits, or that names a session only.
type Waiter struct {
	Kind    memory.Kind
	Key     string
	Awaited PendingRef
	At      time.Time
	Episode string // that it has by its session, "" for none
	User    string // or else that of its Episode; "" for nobody
}

// id tells a waiter from those of other kinds.
func (w *Waiter) id() string { return memory.NodeID(w.Kind, w.Key) }

// SessionTime is the time of a record in a session, for which an episode is to be picked.
type SessionTime struct {
	Session string
	Kind    memory.Kind
	At      time.Time
	// Users are those whose episodes it may belong to, beside those of nobody; nil for anyone.
	Users []string
}

// UsersFor are those whose episodes a record of a user may belong to.
func UsersFor(user string) []string {
	if user == "" {
		return nil
	}
	return []string{user}
}

// Place is an episode of a session with what lies around it there.
type Place struct {
	Session string
	Span
	Around Neighbours
}
