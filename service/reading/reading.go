// Package reading reads records by key, and lists of them in pages with cursors.
package reading

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"iter"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/service/faults"
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

// PageBytes is how many bytes of texts a page holds at most, but for one record that has more by itself.
const PageBytes = 8 << 20

// PageOf reads a page that ends before its texts are too long, with at least one record.
func PageOf[T any](ctx context.Context, page store.Page, list lister[T]) (items []T, more bool, err error) {
	return halving(ctx, ctx, page, list, func(ctx context.Context) (context.Context, *store.Budget, context.CancelFunc) {
		return store.WithShare(ctx, PageBytes)
	})
}

// lister reads a page of a list.
type lister[T any] = func(context.Context, store.Page) (items []T, more bool, err error)

// halving reads a page of two or more records, or as many of the first as fit into a budget; else one, as alone says.
func halving[T any](
	ctx, alone context.Context, page store.Page, list lister[T], within func(context.Context) (context.Context, *store.Budget, context.CancelFunc),
) (items []T, more bool, err error) {
	for ; page.Limit > 1; page.Limit /= 2 {
		within, budget, done := within(ctx)
		items, more, err = list(within, page)
		done()
		if budget.Err() == nil {
			return items, more, err
		}
	}
	return list(alone, store.Page{After: page.After, Limit: min(page.Limit, 1)})
}

// PartOf reads a page of records of which little is kept, or where they have more texts than may be in the memory at
// once as many of the first of them as have not; one by itself is always read. The request's budget counts none of it,
// so whoever asks bounds how many there are.
func PartOf[T any](ctx context.Context, page store.Page, list lister[T]) (items []T, more bool, err error) {
	return halving(ctx, store.Unmetered(ctx), page, list, func(ctx context.Context) (context.Context, *store.Budget, context.CancelFunc) {
		return store.WithBudget(ctx, store.Limits{ReadBytes: bytesAtOnce})
	})
}

// EachPart hands over records of which little is kept, in the order of their keys and with their places there.
func EachPart[T any](
	ctx context.Context, keys []string, read func(context.Context, []string) ([]T, error), each func(place int, record T),
) error {
	for place, atOnce := 0, len(keys); place < len(keys); {
		page := store.Page{Limit: min(atOnce, len(keys)-place)}
		records, _, err := PartOf(ctx, page, func(ctx context.Context, page store.Page) ([]T, bool, error) {
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
	// Policy and WeighedAt, in Unix milliseconds, are of lists of observations; see WeighedAt.
	Policy    decay.Policy `json:"p,omitempty"`
	WeighedAt int64        `json:"w,omitempty"`
}

// WeighedAt is how the observations of a list are weighed. Weights change with time, and so does the order by
// them: all pages of a list go by the policy and the instant of its first.
type WeighedAt struct {
	Policy decay.Policy
	At     time.Time
}

// What a cursor can hold, so that a forged one asks nothing a store cannot answer: a place in a log, Unix
// milliseconds in the years 1 to 9999 (what is kept may be older than what is taken in now), and a key or a name.
const (
	maxSequence  = 1 << 31
	earliest     = -62135596800000
	latest       = 253402300799999
	maxCursorKey = 1 << 12
)

// Request is a page asked for, checked.
type Request struct {
	query string
	Page  store.Page
	First bool
	WeighedAt
}

// Fingerprint tells one query from another, so that a cursor of one is refused by the others.
func Fingerprint(query ...any) string {
	text, err := json.Marshal(query)
	if err != nil {
		panic("service: a query that cannot be encoded: " + err.Error()) // queries are plain structs
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}

// PageRequest checks a page input. start is where the first page begins; nil is the beginning.
func PageRequest(input PageInput, query string, start *store.Position) (Request, error) {
	return PageUpTo(MaxPage, input, query, start)
}

// PageUpTo checks a page input of which a page may be so large.
func PageUpTo(most int, input PageInput, query string, start *store.Position) (Request, error) {
	r := Request{query: query, Page: store.Page{After: start, Limit: DefaultPage}, First: input.After == nil}
	if input.First != nil {
		if *input.First < 0 || *input.First > most {
			return r, memory.Invalid("first", "is %d; it must be in 0…%d", *input.First, most)
		}
		r.Page.Limit = *input.First
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
		r.WeighedAt = WeighedAt{Policy: c.Policy, At: time.UnixMilli(c.WeighedAt).UTC()}
	}
	r.Page.After = &store.Position{At: time.UnixMilli(c.At).UTC(), Value: c.Value, Key: c.Key, Sequence: c.Sequence}
	return r, nil
}

// given says whether a cursor may have been given out.
func (c *cursor) given() bool {
	inRange := c.Sequence >= 0 && c.Sequence <= maxSequence && c.At >= earliest && c.At <= latest &&
		c.WeighedAt >= earliest && c.WeighedAt <= latest && len(c.Key) <= maxCursorKey
	return inRange && (c.Policy == "" || slices.Contains(decay.Policies, c.Policy))
}

func (r Request) cursor(p store.Position) string {
	c := cursor{Query: r.query, At: p.At.UnixMilli(), Value: p.Value, Key: p.Key, Sequence: p.Sequence}
	if r.Policy != "" {
		c.Policy, c.WeighedAt = r.Policy, r.At.UnixMilli()
	}
	text, err := json.Marshal(c)
	if err != nil {
		panic("service: a position that cannot be encoded: " + err.Error()) // scores are finite
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// List is a list of the store, of which a page is read.
type List[T any] struct {
	subject string // in the words of the API, such as "the episode"
	Read    func(context.Context, store.Page) (items []T, more bool, err error)
	Count   func(context.Context) (int, error)
	place   func(T) store.Position
}

// ListOf is the list of a query.
func ListOf[T any](s store.Records, subject string, query store.Query[T]) List[*T] {
	return List[*T]{
		subject: subject,
		Read:    func(ctx context.Context, page store.Page) ([]*T, bool, error) { return store.List(ctx, s, query, page) },
		Count:   func(ctx context.Context) (int, error) { return store.Count(ctx, s, query) },
		place:   query.Place,
	}
}

// Page reads the page that a caller asks for. query is the fingerprint of the list.
func (l List[T]) Page(ctx context.Context, input PageInput, query string) (*Page[T], error) {
	r, err := PageRequest(input, query, nil)
	if err != nil {
		return nil, err
	}
	return l.Requested(ctx, r)
}

// Requested reads the page of a request that was checked.
func (l List[T]) Requested(ctx context.Context, r Request) (*Page[T], error) {
	items, more, err := PageOf(ctx, r.Page, l.Read)
	if err != nil {
		return nil, faults.Of(l.subject, err)
	}
	total := func(ctx context.Context) (int, error) {
		n, err := l.Count(ctx)
		return n, faults.Of(l.subject, err)
	}
	return NewPage(r, items, more, total, func(i int) store.Position { return l.place(items[i]) }), nil
}

// Each hands over a whole list page by page, from a position on, and ends with the first error.
func (l List[T]) Each(ctx context.Context, after *store.Position, hand func([]T) error) error {
	for page := (store.Page{After: after, Limit: readAll}); ; {
		items, more, err := l.Read(ctx, page)
		if err != nil {
			return err
		}
		if err := hand(items); err != nil || !more {
			return err
		}
		page.After = new(l.place(items[len(items)-1]))
	}
}

// Parts are those of a whole list of which little is kept, from a position on, with at most so many records each; see
// PartOf.
func (l List[T]) Parts(ctx context.Context, after *store.Position, most int) iter.Seq2[[]T, error] {
	return func(yield func([]T, error) bool) {
		for page := (store.Page{After: after, Limit: most}); ; {
			items, more, err := PartOf(ctx, page, l.Read)
			if !yield(items, err) || !more || len(items) == 0 {
				return
			}
			page = store.Page{After: new(l.place(items[len(items)-1])), Limit: min(2*len(items), most)} // others may be shorter
		}
	}
}

// Summed hands over a whole list, one by one, and counts it for a sum.
func (l List[T]) Summed(ctx context.Context, sum store.Sum, hand func(T)) error {
	return l.Each(ctx, nil, func(items []T) error {
		for _, item := range items {
			hand(item)
		}
		return sum.Add(len(items))
	})
}

// All reads a whole list from a position on.
func (l List[T]) All(ctx context.Context, after *store.Position) (all []T, err error) {
	err = l.Each(ctx, after, func(items []T) error {
		all = append(all, items...)
		return nil
	})
	return all, err
}

// NewPage is the page that a request gets: its items with a cursor each, by where each of them is.
func NewPage[T any](r Request, items []T, more bool, total func(context.Context) (int, error), position func(i int) store.Position) *Page[T] {
	cursors := make([]string, len(items))
	for i := range items {
		cursors[i] = r.cursor(position(i))
	}
	return &Page[T]{Items: items, Cursors: cursors, HasNext: more, HasPrev: !r.First, Total: total}
}

// UntilInstant is the position in a list from newest to oldest after which everything was known at an
// instant: no key is empty, so those of the instant itself follow it too.
func UntilInstant(asOf *time.Time) *store.Position {
	if asOf == nil {
		return nil
	}
	return &store.Position{At: *asOf}
}

// AsOf is the instant an episode is an answer for; nil means now.
func AsOf(episode *memory.Episode) *time.Time {
	if episode == nil || episode.Context == nil {
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

// PageInput asks for a page: First records (default 20, at most 100) after a cursor.
type PageInput struct {
	First *int    `json:"first,omitempty" jsonschema:"Page size, 1 to 100; 20 by default."`
	After *string `json:"after,omitempty" jsonschema:"next of the page before."`
}

// ByKey reads records of a type by their keys.
func ByKey[T any](s store.Records) func(context.Context, []string) ([]*T, error) {
	return func(ctx context.Context, keys []string) ([]*T, error) { return store.Get[T](ctx, s, keys) }
}

// AsNodes reads records as nodes. A missing record is a nil interface.
func AsNodes[T any, N interface {
	*T
	memory.Node
}](read func(context.Context, []string) ([]N, error)) func(context.Context, []string) ([]memory.Node, error) {
	return func(ctx context.Context, keys []string) ([]memory.Node, error) {
		records, err := read(ctx, keys)
		nodes := make([]memory.Node, len(records))
		for i, record := range records {
			if record != nil {
				nodes[i] = record
			}
		}
		return nodes, err
	}
}

// MustRead reads a record that has to be there.
func MustRead[T any](ctx context.Context, subject, key string, read func(context.Context, []string) ([]*T, error)) (*T, error) {
	records, err := read(ctx, []string{key})
	if err == nil && records[0] == nil {
		err = store.ErrNotFound
	}
	if err != nil {
		return nil, faults.Of(subject, err)
	}
	return records[0], nil
}

// MarkAsOf marks an episode as an answer for an instant.
func MarkAsOf(episode *memory.Episode, asOf *time.Time) {
	if episode.Context == nil {
		episode.Context = &memory.EpisodeContext{}
	}
	episode.Context.AsOf = asOf
}
