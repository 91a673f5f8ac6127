package bolt

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"mneme/store"
)

// ComparablePart is the beginning of a text up to which Neo4j compares it, as a parameter, in the order of
// bytes: from U+E000 on it goes by UTF-16, which puts the characters beyond U+FFFF first. Its indexes are
// in the order of bytes throughout.
func ComparablePart(text string) string {
	if end := strings.IndexFunc(text, func(c rune) bool { return c >= 0xE000 }); end >= 0 {
		return text[:end]
	}
	return text
}

// ReadPage reads a page of records, and says whether others follow. A query asks for one more than a page's limit;
// where some cannot be read it is asked for more, so that a page is full as long as there are others.
//
// Records that a position tells apart come, among equals, in the order of the bytes of their keys. Where Neo4j compares
// the key of the page before otherwise, it is asked for what follows the comparable part.
func ReadPage[T any](
	ctx context.Context, b *Connection, p store.Page, ask func(store.Page) Query, decode Decoder[T], position func(T) store.Position,
) ([]T, bool, error) {
	from, between := p, position != nil && p.After != nil && ComparablePart(p.After.Key) != p.After.Key
	if between {
		from.After = new(*p.After)
		from.After.Key = ComparablePart(p.After.Key)
	}
	for ; ; from.Limit = 2*from.Limit + 1 {
		rows, err := Rows(ctx, b, ask(from), decode)
		if err != nil {
			return nil, false, err
		}
		records := readable(ctx, rows)
		if between {
			records = slices.DeleteFunc(records, func(record T) bool { return !follows(position(record), *p.After) })
		}
		if len(rows) <= from.Limit || len(records) > p.Limit {
			records, more := store.Cut(records, p.Limit)
			return records, more, nil
		}
	}
}

// follows says whether what does not come before a position comes after it.
func follows(at, position store.Position) bool {
	return !at.At.Equal(position.At) || !reflect.DeepEqual(at.Value, position.Value) || at.Key > position.Key
}
