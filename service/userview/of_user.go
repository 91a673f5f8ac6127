// Package userview is a store as the holder of a key sees it that is bound to a user: what is another's is not there.
package userview

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/service/reading"
	"mneme/store"
)

// KindsOfUser are the kinds of records that the holder of a key may read by id that is bound to a user.
var KindsOfUser = []memory.Kind{
	memory.KindEpisode, memory.KindCanvas, memory.KindFeedback, memory.KindObservation, memory.KindSession,
	memory.KindMemoir, memory.KindConcept, memory.KindCorrection,
}

// ofUser is a store as the holder of a key sees it that is bound to a user: what is another's is not there.
type ofUser struct {
	behind
	store.EpisodeWriter // each service reads first what it writes to, or its hash holds the user
	store.ConceptLinks
	all  store.Store
	user string
	// alone says that what is of nobody may not be seen, either.
	alone bool
}

// behind has the methods that ofUser does not have itself, and refuses them.
type behind struct{ refusing }

// errBound refuses what tells of all users.
var errBound = &memory.Error{Code: memory.CodeForbidden, Message: "this tells of all users, and the key is bound to one"}

// New narrows a store to what its user may see, and write.
func New(all store.Store, user string) store.Store {
	return &ofUser{EpisodeWriter: all, ConceptLinks: all, all: all, user: user}
}

// Whole is the store that one was narrowed from, or itself.
func Whole(s store.Store) store.Store {
	if narrowed, ok := s.(*ofUser); ok {
		return narrowed.all
	}
	return s
}

// only narrows a filter to what may be seen.
func (s *ofUser) only(filter store.UserFilter) store.UserFilter {
	if filter.User == nil {
		filter.Shared = true
	}
	return store.UserFilter{User: &s.user, Shared: filter.Shared && (filter.User == nil || *filter.User == s.user)}
}

func (s *ofUser) isOthers(user *string) bool {
	return user == nil && s.alone || user != nil && *user != s.user
}

// blank leaves out, in place, what may not be seen.
func blank[T any](records []*T, others func(*T) bool) []*T {
	for i, record := range records {
		if record != nil && others(record) {
			records[i] = nil
		}
	}
	return records
}

func some[T any](records []*T, others func(*T) bool) []*T {
	if records == nil {
		return nil
	}
	kept := make([]*T, 0, len(records))
	for _, record := range records {
		if !others(record) {
			kept = append(kept, record)
		}
	}
	return kept
}

func (s *ofUser) episode(e *memory.Episode) (others bool) {
	if with := e.Context; with != nil {
		with.Canvases = some(with.Canvases, func(c *memory.Canvas) bool { return s.isOthers(c.UserID) })
		with.Feedback = some(with.Feedback, func(f *memory.Feedback) bool { return s.isOthers(f.UserID) })
	}
	return s.isOthers(e.UserID)
}

func (s *ofUser) InputKey(ctx context.Context) ([]byte, error)  { return s.all.InputKey(ctx) }
func (s *ofUser) VectorLength(ctx context.Context) (int, error) { return s.all.VectorLength(ctx) }

// Get reads what may be seen of the kinds that a user may read.
func (s *ofUser) Get(ctx context.Context, of any, keys []string) (any, error) {
	switch of.(type) {
	case *memory.Agent, *memory.Session, *memory.Canvas, *memory.Feedback, *memory.Memoir, *memory.Concept, *memory.Observation, *memory.Correction:
	case *store.WholeEpisode:
		return s.wholeEpisodes(ctx, keys)
	default:
		return nil, errBound
	}
	found, err := s.all.Get(ctx, of, keys)
	if err != nil {
		return nil, err
	}
	switch found := found.(type) {
	case []*memory.Canvas:
		err = inSight(ctx, s, found, func(c *memory.Canvas) (user, episode *string) { return c.UserID, c.EpisodeKey })
	case []*memory.Feedback:
		if err = inSight(ctx, s, found, func(f *memory.Feedback) (user, episode *string) { return f.UserID, f.EpisodeKey }); err == nil {
			err = s.hideCanvases(ctx, found)
		}
	case []*memory.Observation:
		blank(found, s.observation)
		err = aboutSeen(ctx, s, found, func(o *memory.Observation) *[]string { return &o.About })
	case []*memory.Correction:
		err = aboutSeen(ctx, s, found, func(c *memory.Correction) *[]string { return &c.About })
	case []*memory.Session:
		err = s.sessions(ctx, found)
	}
	if err != nil {
		return nil, err // what may not be seen may still be among those found
	}
	return found, nil
}

func (s *ofUser) observation(o *memory.Observation) (others bool) { return s.isOthers(o.UserID) }

// sessions leaves out, in place, those without an episode that may be seen.
func (s *ofUser) sessions(ctx context.Context, found []*memory.Session) error {
	for i, session := range found {
		if session != nil {
			episodes, err := s.Count(ctx, store.EpisodeQuery{Filter: store.EpisodeFilter{Session: &session.Key}})
			if err != nil {
				return err
			}
			if episodes == 0 {
				found[i] = nil
			}
		}
	}
	return nil
}

// aboutSeen leaves out, in place, what records are about and may not be seen.
func aboutSeen[T any](ctx context.Context, s *ofUser, records []*T, about func(*T) *[]string) error {
	var ids []string
	for _, record := range records {
		if record != nil {
			ids = append(ids, *about(record)...)
		}
	}
	exist, err := s.Exist(ctx, ids)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i, id := range ids {
		seen[id] = exist[i]
	}
	for _, record := range records {
		if record != nil {
			*about(record) = slices.DeleteFunc(*about(record), func(id string) bool { return !seen[id] })
		}
	}
	return nil
}

// HoldSpans leaves out those of a trace that is the episode of another, or of nobody.
func (s *ofUser) HoldSpans(ctx context.Context, spans []store.HeldSpan, at time.Time, room store.TraceRoom) ([]int, error) {
	ids := memory.Mapped(spans, func(span store.HeldSpan) string { return memory.NodeID(memory.KindEpisode, span.Trace) })
	there, err := s.all.Exist(ctx, ids)
	if err != nil {
		return nil, err
	}
	own, err := s.own().Exist(ctx, ids)
	if err != nil {
		return nil, err
	}
	var left, places []int
	var kept []store.HeldSpan
	for i := range spans {
		if there[i] && !own[i] {
			left = append(left, i)
		} else {
			kept, places = append(kept, spans[i]), append(places, i)
		}
	}
	full, err := s.all.HoldSpans(ctx, kept, at, room)
	for _, i := range full {
		left = append(left, places[i])
	}
	return left, err
}

// Backfill links what is of all users.
func (s *ofUser) Backfill(context.Context, *string) (store.Backfilled, error) {
	return store.Backfilled{}, errBound
}

// Record renames no agent, which is everybody's, adds to no canvas but the user's, and replaces no other feedback.
func (s *ofUser) Record(ctx context.Context, records any) ([]store.Recorded, error) {
	switch records := records.(type) {
	case []store.EpisodeRecord:
		known, err := store.Get[memory.Agent](ctx, s.all, memory.Mapped(records, func(r store.EpisodeRecord) string { return r.AgentKey }))
		if err != nil {
			return nil, err
		}
		for i, agent := range known {
			records[i].ByUserKey = true
			if agent != nil {
				records[i].AgentName = nil
			}
		}
	case []store.CanvasActionRecord:
		for i := range records {
			records[i].ByUserKey = true
		}
	case []store.FeedbackRecord:
		for i := range records {
			records[i].ByUserKey = true
		}
	case []store.ObservationRecord:
	default:
		return nil, errBound
	}
	return s.all.Record(ctx, records)
}

// ConcludeEpisode concludes what is the user's.
func (s *ofUser) ConcludeEpisode(ctx context.Context, conclusion store.EpisodeConclusion) error {
	if err := s.mustOwn(ctx, conclusion.Key); err != nil {
		return err
	}
	return s.all.ConcludeEpisode(ctx, conclusion)
}

// AmendEpisode amends what is the user's.
func (s *ofUser) AmendEpisode(ctx context.Context, amendment store.EpisodeAmendment) error {
	if err := s.mustOwn(ctx, amendment.Episode.Key); err != nil {
		return err
	}
	return s.all.AmendEpisode(ctx, amendment)
}

func (s *ofUser) mustOwn(ctx context.Context, episode string) error {
	own, err := s.own().Exist(ctx, []string{memory.NodeID(memory.KindEpisode, episode)})
	if err == nil && !own[0] {
		err = store.ErrNotFound
	}
	return err
}

// own is what is of the user alone.
func (s *ofUser) own() *ofUser {
	own := *s
	own.alone = true
	return &own
}

func (s *ofUser) Episodes(ctx context.Context, query store.EpisodesByKey) ([]*memory.Episode, error) {
	found, err := s.all.Episodes(ctx, query)
	if err != nil {
		return nil, err
	}
	var feedback []*memory.Feedback
	for _, e := range blank(found, s.episode) {
		if e != nil && e.Context != nil {
			feedback = append(feedback, e.Context.Feedback...)
		}
	}
	if err := s.hideCanvases(ctx, feedback); err != nil {
		return nil, err
	}
	return found, nil
}

// hideCanvases takes out, in place, which canvases feedback of nobody is on that may not be seen.
func (s *ofUser) hideCanvases(ctx context.Context, feedback []*memory.Feedback) error {
	on := slices.DeleteFunc(slices.Clone(feedback), func(f *memory.Feedback) bool { return f == nil || f.UserID != nil || f.CanvasKey == nil })
	if len(on) == 0 {
		return nil
	}
	canvases, err := store.Get[memory.Canvas](ctx, s, memory.Mapped(on, func(f *memory.Feedback) string { return *f.CanvasKey }))
	for i, canvas := range canvases {
		if canvas == nil {
			on[i].CanvasKey = nil
		}
	}
	return err
}

// narrowed is a query of what may be seen.
func (s *ofUser) narrowed(ctx context.Context, query any) (any, error) {
	switch q := query.(type) {
	case store.EventsOf:
		seen, err := s.sees(ctx, q.Episode)
		if !seen {
			q.Episode = "" // which none has
		}
		return q, err
	case store.EpisodeQuery:
		q.Filter.UserFilter = s.only(q.Filter.UserFilter)
		return q, nil
	case store.CanvasesOf:
		q.UserFilter = s.only(q.UserFilter)
		return q, nil
	case store.FeedbackOf:
		q.UserFilter = s.only(q.UserFilter)
		return q, nil
	case store.ObservationQuery:
		q.UserFilter = s.only(q.UserFilter)
		return q, nil
	case store.MemoirsOf, store.ConceptsOf, store.TrajectoriesOf: // the last of episodes that were found
		return q, nil
	}
	return nil, errBound
}

// List lists what may be seen.
func (s *ofUser) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	query, err := s.narrowed(ctx, query)
	if err != nil {
		return nil, false, err
	}
	found, more, err := s.all.List(ctx, query, page)
	if episodes, ok := found.([]*memory.Episode); ok {
		found = some(episodes, s.episode)
	}
	return found, more, err
}

// Count counts what may be seen.
func (s *ofUser) Count(ctx context.Context, query any) (int, error) {
	query, err := s.narrowed(ctx, query)
	if err != nil {
		return 0, err
	}
	return s.all.Count(ctx, query)
}

// wholeEpisodes reads those that may be seen. Of others nothing is read, nor is it told where they are damaged.
func (s *ofUser) wholeEpisodes(ctx context.Context, keys []string) ([]*store.WholeEpisode, error) {
	found := make([]*store.WholeEpisode, len(keys))
	for i, key := range keys {
		seen, err := s.sees(ctx, key)
		if seen {
			found[i], err = store.GetOne[store.WholeEpisode](ctx, s.all, key)
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (s *ofUser) sees(ctx context.Context, episode string) (bool, error) {
	found, err := s.Episodes(ctx, store.EpisodesByKey{Keys: []string{episode}, Parts: store.HeadOnly})
	return err == nil && found[0] != nil, err
}

func (s *ofUser) Linked(ctx context.Context, query store.LinkedQuery) (map[string]store.LinkedPage, error) {
	query.UserFilter = s.only(query.UserFilter)
	linked, err := s.all.Linked(ctx, query)
	for _, page := range linked {
		some(page.Episodes, s.episode) // for what comes along
	}
	return linked, err
}

func (s *ofUser) CountLinked(ctx context.Context, query store.LinkedQuery) (map[string]int, error) {
	query.UserFilter = s.only(query.UserFilter)
	return s.all.CountLinked(ctx, query)
}

// inSight keeps, in place, what is of the user or of nobody; where nobody said, the episode says whose it is, and
// nothing while it is waited for.
func inSight[T any](ctx context.Context, s *ofUser, records []*T, of func(*T) (user, episode *string)) error {
	var keys []string
	for _, record := range records {
		if record != nil {
			if user, episode := of(record); user == nil && episode != nil {
				keys = append(keys, *episode)
			}
		}
	}
	seen := map[string]bool{}
	if len(keys) > 0 {
		episodes, err := s.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: store.HeadOnly})
		if err != nil {
			return err
		}
		for i, episode := range episodes {
			seen[keys[i]] = episode != nil
		}
	}
	blank(records, func(record *T) bool {
		user, episode := of(record)
		if user == nil {
			return episode == nil || !seen[*episode]
		}
		return s.isOthers(user)
	})
	return nil
}

func (s *ofUser) among(among store.Among) store.Among {
	among.Filter.UserFilter = s.only(among.Filter.UserFilter)
	return among
}

func (s *ofUser) Rarities(ctx context.Context, stems []string) ([]float64, error) {
	return s.all.Rarities(ctx, stems)
}

func (s *ofUser) PassagesByWords(ctx context.Context, stems []string, among store.Among) ([]store.FoundPassage, bool, error) {
	return s.all.PassagesByWords(ctx, stems, s.among(among))
}

func (s *ofUser) PassagesByMeaning(ctx context.Context, question store.Question, among store.Among) ([]store.FoundPassage, bool, error) {
	return s.all.PassagesByMeaning(ctx, question, s.among(among))
}

func (s *ofUser) PassagesBeside(ctx context.Context, of []store.FoundPassage, reach int, users store.UserFilter) ([]store.FoundPassage, error) {
	return s.all.PassagesBeside(ctx, of, reach, s.only(users))
}

func (s *ofUser) NewestAndBoosted(ctx context.Context, among store.Among) ([]ranking.Candidate, bool, error) {
	return s.all.NewestAndBoosted(ctx, s.among(among))
}

// Exist says which records may be seen.
func (s *ofUser) Exist(ctx context.Context, ids []string) ([]bool, error) {
	exist := make([]bool, len(ids))
	reads := map[memory.Kind]func(context.Context, []string) ([]memory.Node, error){
		memory.KindEpisode: reading.AsNodes(func(ctx context.Context, keys []string) ([]*memory.Episode, error) {
			return s.Episodes(ctx, store.EpisodesByKey{Keys: keys, Parts: store.HeadOnly})
		}),
		memory.KindCanvas: reading.AsNodes(reading.ByKey[memory.Canvas](s)), memory.KindFeedback: reading.AsNodes(reading.ByKey[memory.Feedback](s)), memory.KindObservation: reading.AsNodes(func(ctx context.Context, keys []string) ([]*memory.Observation, error) {
			found, err := store.Get[memory.Observation](ctx, s.all, keys)
			return blank(found, s.observation), err
		}),
		memory.KindSession: reading.AsNodes(reading.ByKey[memory.Session](s)), memory.KindMemoir: reading.AsNodes(reading.ByKey[memory.Memoir](s)), memory.KindConcept: reading.AsNodes(reading.ByKey[memory.Concept](s)),
	}
	keys, places := map[memory.Kind][]string{}, map[memory.Kind][]int{}
	for i, id := range ids {
		if kind, key, _ := memory.SplitID(id); reads[kind] != nil {
			keys[kind], places[kind] = append(keys[kind], key), append(places[kind], i)
		}
	}
	for kind, some := range keys {
		found, err := reads[kind](ctx, some)
		if err != nil {
			return nil, err
		}
		for i, place := range places[kind] {
			exist[place] = found[i] != nil
		}
	}
	return exist, nil
}

// Delete deletes what is of the user alone.
func (s *ofUser) Delete(ctx context.Context, kind memory.Kind, keys []string) (int, error) {
	if !kind.OfUsers() {
		return 0, errBound
	}
	own := []string{}
	for _, key := range keys {
		exist, err := s.own().Exist(ctx, []string{memory.NodeID(kind, key)})
		if err != nil {
			return 0, err
		}
		if exist[0] {
			own = append(own, key)
		}
	}
	return s.all.Delete(ctx, kind, own)
}
