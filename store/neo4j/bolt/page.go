package bolt

import (
	"context"
	"slices"
	"strings"

	"mneme/store"
)

// Page cuts a list that was read one longer than its limit, and says whether it was.
func Page[T any](records []T, limit int, err error) ([]T, bool, error) {
	if err != nil || len(records) <= limit {
		return records, false, err
	}
	return records[:limit], true, nil
}

// WholePage reads a page by a list that reads one record more than a limit. Where some cannot be read it reads
// further, so that a page is full as long as there are others.
func WholePage[T any](ctx context.Context, limit int, list func(context.Context, int) ([]T, error)) ([]T, bool, error) {
	for most := limit; ; most = 2*most + 1 {
		within, left := countLeft(ctx)
		records, err := list(within, most)
		if err != nil || *left == 0 || len(records) > limit || len(records)+*left <= most {
			return Page(records, limit, err)
		}
	}
}

// ComparablePart is the beginning of a text up to which Neo4j compares it, as a parameter, in the order of
// bytes: from U+E000 on it goes by UTF-16, which puts the characters beyond U+FFFF first. Its indexes are
// in the order of bytes throughout.
func ComparablePart(text string) string {
	if end := strings.IndexFunc(text, func(c rune) bool { return c >= 0xE000 }); end >= 0 {
		return text[:end]
	}
	return text
}

// PageInBytes reads a page of a list whose equals come in the order of the bytes of their keys. Where Neo4j
// compares the key of the page before otherwise, it is asked for what follows the comparable part, and for
// more of it until what lies between the two is behind. list reads one more than a page's limit.
func PageInBytes[T any](
	ctx context.Context, p store.Page, list func(context.Context, store.Page) ([]T, error), position func(T) store.Position,
) ([]T, bool, error) {
	if p.After == nil || ComparablePart(p.After.Key) == p.After.Key {
		return WholePage(ctx, p.Limit, func(ctx context.Context, limit int) ([]T, error) {
			return list(ctx, store.Page{After: p.After, Limit: limit})
		})
	}
	from := *p.After
	from.Key = ComparablePart(from.Key)
	for limit := p.Limit; ; limit = 2*limit + 1 {
		within, left := countLeft(ctx)
		records, err := list(within, store.Page{After: &from, Limit: limit})
		if err != nil {
			return nil, false, err
		}
		all := len(records)+*left <= limit
		records = slices.DeleteFunc(records, func(record T) bool { return !follows(position(record), *p.After) })
		if all || len(records) > p.Limit {
			return Page(records, p.Limit, nil)
		}
	}
}

// follows says whether what does not come before a position comes after it.
func follows(at, position store.Position) bool {
	return !at.At.Equal(position.At) || !Equal(at.Value, position.Value) || at.Key > position.Key
}

// Equal says whether two optional values are the same.
func Equal[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}
