package service

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/memory/ranking"
	"mneme/store"
)

// The size of a page: what is read where the caller does not say, and the most.
const (
	DefaultPage = 20
	MaxPage     = 100
)

// readAll is the page size of the service's own walks over a whole list.
const readAll = 1000

// bytesAtOnce is how many bytes of texts may be in the memory at once of records of which little is kept.
const bytesAtOnce = 16 << 20

// pageBytes is how many bytes of texts a page holds at most, but for one record that has more by itself.
const pageBytes = 8 << 20

// pageOf reads a page that ends before its texts are too long, with at least one record.
func pageOf[T any](ctx context.Context, page store.Page, list lister[T]) (items []T, more bool, err error) {
	share := func(ctx context.Context) (context.Context, *store.Budget, context.CancelFunc) {
		return store.WithShare(ctx, pageBytes)
	}
	items, more, fits, err := halving(ctx, page, list, share)
	if !fits {
		return list(ctx, store.Page{After: page.After, Limit: min(page.Limit, 1)})
	}
	return items, more, err
}

// lister reads a page of a list.
type lister[T any] = func(context.Context, store.Page) (items []T, more bool, err error)

// halving reads a page of two or more records, or as many of the first as fit into a budget; else none does.
func halving[T any](
	ctx context.Context, page store.Page, list lister[T], within func(context.Context) (context.Context, *store.Budget, context.CancelFunc),
) (items []T, more, fits bool, err error) {
	for ; page.Limit > 1; page.Limit /= 2 {
		within, budget, done := within(ctx)
		items, more, err = list(within, page)
		done()
		if budget.Err() == nil {
			return items, more, true, err
		}
	}
	return nil, false, false, nil
}

// partOf reads a page of records of which little is kept, or where they have more texts than may be in the memory at once as
// many of the first of them as have not; one by itself is always read. The request's budget counts none of it, so whoever
// asks bounds how many there are.
func partOf[T any](ctx context.Context, page store.Page, list lister[T]) (items []T, more bool, err error) {
	apart := func(ctx context.Context) (context.Context, *store.Budget, context.CancelFunc) {
		return store.WithBudget(ctx, store.Limits{ReadBytes: bytesAtOnce})
	}
	items, more, fits, err := halving(ctx, page, list, apart)
	if !fits {
		return list(store.Unmetered(ctx), store.Page{After: page.After, Limit: min(page.Limit, 1)})
	}
	return items, more, err
}

// eachPart hands over records of which little is kept, in the order of their keys and with their places there.
func eachPart[T any](
	ctx context.Context, keys []string, read func(context.Context, []string) ([]T, error), each func(place int, record T),
) error {
	for place, atOnce := 0, len(keys); place < len(keys); {
		page := store.Page{Limit: min(atOnce, len(keys)-place)}
		records, _, err := partOf(ctx, page, func(ctx context.Context, page store.Page) ([]T, bool, error) {
			records, err := read(ctx, keys[place:place+page.Limit])
			return records, false, err
		})
		if err != nil {
			return err
		}
		for i, record := range records {
			each(place+i, record)
		}
		place, atOnce = place+len(records), 2*len(records) // others may be shorter
	}
	return nil
}

// cursor is what an opaque cursor holds: which query it belongs to, and where its page ended.
type cursor struct {
	Query    string   `json:"q"`
	At       int64    `json:"a,omitempty"` // Unix milliseconds
	Value    *float64 `json:"v,omitempty"`
	Key      string   `json:"k,omitempty"`
	Sequence int      `json:"s,omitempty"`
	// Policy and WeighedAt, in Unix milliseconds, are of lists of observations; see weighedAt.
	Policy    decay.Policy `json:"p,omitempty"`
	WeighedAt int64        `json:"w,omitempty"`
}

// weighedAt is how the observations of a list are weighed. Weights change with time, and so does the order by
// them: all pages of a list go by the policy and the instant of its first.
type weighedAt struct {
	policy decay.Policy
	at     time.Time
}

// What a cursor can hold, so that a forged one asks nothing a store cannot answer: a place in a log, Unix
// milliseconds in the years 1 to 9999 (what is kept may be older than what is taken in now), and a key or a name.
const (
	maxSequence  = 1 << 31
	earliest     = -62135596800000
	latest       = 253402300799999
	maxCursorKey = 1 << 12
)

// request is a page asked for, checked.
type request struct {
	query string
	page  store.Page
	first bool
	weighedAt
}

// fingerprint tells one query from another, so that a cursor of one is refused by the others.
func fingerprint(query ...any) string {
	text, err := json.Marshal(query)
	if err != nil {
		panic("service: a query that cannot be encoded: " + err.Error()) // queries are plain structs
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// pageRequest checks a page input. start is where the first page begins; nil is the beginning.
func pageRequest(input PageInput, query string, start *store.Position) (request, error) {
	return pageUpTo(MaxPage, input, query, start)
}

// pageUpTo checks a page input of which a page may be so large.
func pageUpTo(most int, input PageInput, query string, start *store.Position) (request, error) {
	r := request{query: query, page: store.Page{After: start, Limit: DefaultPage}, first: input.After == nil}
	if input.First != nil {
		if *input.First < 0 || *input.First > most {
			return r, memory.Invalid("first", "is %d; it must be in 0…%d", *input.First, most)
		}
		r.page.Limit = *input.First
	}
	if input.After == nil {
		return r, nil
	}
	var c cursor
	text, err := base64.RawURLEncoding.DecodeString(*input.After)
	if err != nil || json.Unmarshal(text, &c) != nil {
		return r, memory.Invalid("after", "is not a cursor")
	}
	if c.Query != query {
		return r, memory.Invalid("after", "is a cursor of another query")
	}
	if !c.given() {
		return r, memory.Invalid("after", "is not a cursor that was given out")
	}
	if c.Policy != "" {
		r.weighedAt = weighedAt{policy: c.Policy, at: time.UnixMilli(c.WeighedAt).UTC()}
	}
	r.page.After = &store.Position{At: time.UnixMilli(c.At).UTC(), Value: c.Value, Key: c.Key, Sequence: c.Sequence}
	return r, nil
}

// given says whether a cursor may have been given out.
func (c *cursor) given() bool {
	inRange := c.Sequence >= 0 && c.Sequence <= maxSequence && c.At >= earliest && c.At <= latest &&
		c.WeighedAt >= earliest && c.WeighedAt <= latest && len(c.Key) <= maxCursorKey
	return inRange && (c.Policy == "" || slices.Contains(decay.Policies, c.Policy))
}

func (r request) cursor(p store.Position) string {
	c := cursor{Query: r.query, At: p.At.UnixMilli(), Value: p.Value, Key: p.Key, Sequence: p.Sequence}
	if r.policy != "" {
		c.Policy, c.WeighedAt = r.policy, r.at.UnixMilli()
	}
	text, err := json.Marshal(c)
	if err != nil {
		panic("service: a position that cannot be encoded: " + err.Error()) // scores are finite
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// list is a list of the store, of which a page is read.
type list[T any] struct {
	subject string // in the words of the API, such as "the episode"
	read    func(context.Context, store.Page) (items []T, more bool, err error)
	count   func(context.Context) (int, error)
	place   func(T) store.Position
}

// listOf is the list of a query.
func listOf[T any](s store.Records, subject string, query store.Query[T]) list[*T] {
	return list[*T]{
		subject: subject,
		read:    func(ctx context.Context, page store.Page) ([]*T, bool, error) { return store.List(ctx, s, query, page) },
		count:   func(ctx context.Context) (int, error) { return store.Count(ctx, s, query) },
		place:   query.Place,
	}
}

// page reads the page that a caller asks for. query is the fingerprint of the list.
func (l list[T]) page(ctx context.Context, input PageInput, query string) (*Page[T], error) {
	r, err := pageRequest(input, query, nil)
	if err != nil {
		return nil, err
	}
	return l.requested(ctx, r)
}

// requested reads the page of a request that was checked.
func (l list[T]) requested(ctx context.Context, r request) (*Page[T], error) {
	items, more, err := pageOf(ctx, r.page, l.read)
	if err != nil {
		return nil, fault(l.subject, err)
	}
	return newPage(r, items, more, counted(l.subject, l.count), l.place), nil
}

// each hands over a whole list page by page, from a position on, and ends with the first error.
func (l list[T]) each(ctx context.Context, after *store.Position, hand func([]T) error) error {
	for page := (store.Page{After: after, Limit: readAll}); ; {
		items, more, err := l.read(ctx, page)
		if err != nil {
			return err
		}
		if err := hand(items); err != nil || !more {
			return err
		}
		page.After = new(l.place(items[len(items)-1]))
	}
}

// summed hands over a whole list, one by one, and counts it for a sum.
func (l list[T]) summed(ctx context.Context, sum store.Sum, hand func(T)) error {
	return l.each(ctx, nil, func(items []T) error {
		for _, item := range items {
			hand(item)
		}
		return sum.Add(len(items))
	})
}

// all reads a whole list from a position on.
func (l list[T]) all(ctx context.Context, after *store.Position) (all []T, err error) {
	err = l.each(ctx, after, func(items []T) error {
		all = append(all, items...)
		return nil
	})
	return all, err
}

// counted turns a count of the store into the total of a page.
func counted(subject string, count func(context.Context) (int, error)) func(context.Context) (int, error) {
	return func(ctx context.Context) (int, error) {
		n, err := count(ctx)
		return n, fault(subject, err)
	}
}

func newPage[T any](r request, items []T, more bool, total func(context.Context) (int, error), position func(T) store.Position) *Page[T] {
	cursors := make([]string, len(items))
	for i, item := range items {
		cursors[i] = r.cursor(position(item))
	}
	return &Page[T]{Items: items, Cursors: cursors, HasNext: more, HasPrev: !r.first, Total: total}
}

// untilInstant is the position in a list from newest to oldest after which everything was known at an
// instant: no key is empty, so those of the instant itself follow it too.
func untilInstant(asOf *time.Time) *store.Position {
	if asOf == nil {
		return nil
	}
	return &store.Position{At: *asOf}
}

// asOfOf is the instant an episode is an answer for; nil means now.
func asOfOf(episode *memory.Episode) *time.Time {
	if episode.Context == nil {
		return nil
	}
	return episode.Context.AsOf
}

// Page is a page of a list that can grow, with a cursor for each item.
type Page[T any] struct {
	Items   []T
	Cursors []string // one per item; opaque, and valid only for the same query
	HasNext bool
	HasPrev bool // a cursor was given, so something precedes it
	// Total counts the whole list. It costs a query of its own and is called only when asked for.
	Total func(ctx context.Context) (int, error)
}

// Next is the cursor after which the list goes on; nil where it ends.
func (p *Page[T]) Next() *string {
	if !p.HasNext || len(p.Cursors) == 0 {
		return nil
	}
	return &p.Cursors[len(p.Cursors)-1]
}

// Recall is the ranked and explained answer to a situation.
type Recall struct {
	Hits []RecallHit
	// Cautions went wrong in such situations, the best match first (see ranking.Cautions); nil where they were not asked for.
	Cautions []RecallHit
	// Corrections are what people put right that matches, at most MaxCorrections; nil where they were not asked for.
	Corrections []SearchHit
	// Patterns are observations that sum up what recurs in such episodes (see package consolidation), at most MaxPatterns; nil where they were
	// not asked for.
	Patterns []SearchHit
	// Note says why there are no hits; nil where there are some.
	Note *string
	// Approximate says that so much matched that one that ranks higher may be missing.
	Approximate bool
	// At is the instant the answer holds for: asOf, else the time of the call.
	At time.Time

	others      []*memory.Episode // what succeeded where cautions went wrong
	canvasRules *memory.CanvasRules
}

// RecallHit is one experience, with why it is here.
type RecallHit struct {
	Episode *memory.Episode
	Rank    int // from 1
	Score   ranking.Score
	Reasons []string
	Moments []Moment // at most three, the best first; none without a situation
	// Likeness says how like the situation it is at all.
	Likeness ranking.Likeness
	// LeftOut says in words what of its episode is not here, as it is too long; nil where all is.
	LeftOut *string
	// WentWrong says that it is none to copy (see ranking.Weights.WentWrong).
	WentWrong bool
	// Turned says how often it was done, with its near-identical episodes, of which SiblingKeys are the keys of the best MaxSiblings.
	ranking.Turned
	SiblingKeys []string
	// siblings are the first of them, with their contexts, where those were asked for.
	siblings []*memory.Episode
	// Contrast is the first step in which those of them that succeeded differ from those that failed; nil where there is none.
	Contrast *string
}

// SiblingIDs are the global ids of its siblings.
func (h RecallHit) SiblingIDs() []string {
	return memory.Mapped(h.SiblingKeys, func(key string) string { return memory.NodeID(memory.KindEpisode, key) })
}

// FeedbackReceipt is a feedback as recorded, and its episode's aggregate score including it; nil where
// its episode is not known yet.
type FeedbackReceipt struct {
	Feedback               *memory.Feedback
	AggregateFeedbackScore *float64
}

// BackfillResult counts what a backfill linked.
type BackfillResult struct {
	LinkedCanvases int `json:"linkedCanvases"`
	LinkedFeedback int `json:"linkedFeedback"`
	Episodes       int `json:"episodes"`
}
