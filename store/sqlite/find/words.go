package find

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/words"
)

// hit is a record that has words of a query.
type hit struct {
	id  int64
	has matching.Has
}

// hits finds the records of a kind that have one of the words that are looked for, by id. Of a word that too many
// have it finds the latest recorded, and says that these are some.
func hits(ctx context.Context, c *db.Conn, asked *words.Asked, kind memory.Kind, entries int) (found []hit, some bool, err error) {
	for word := range asked.Looked {
		ids, cut, err := asked.Having(ctx, c, kind, word, entries)
		if err != nil {
			return nil, false, err
		}
		found, some = merged(found, ids, matching.Has(1)<<word), some || cut
	}
	return found, some, addOthers(ctx, c, asked, kind, found)
}

// addOthers adds which have the other words of the query: thousands that have a common word are told apart only by these.
func addOthers(ctx context.Context, c *db.Conn, asked *words.Asked, kind memory.Kind, found []hit) error {
	for word := asked.Looked; word < len(asked.Stems) && len(found) > 0; word++ {
		ids, err := asked.HavingToo(ctx, c, kind, word, found[0].id)
		if err != nil {
			return err
		}
		rest := found
		for _, id := range ids {
			at, is := slices.BinarySearchFunc(rest, id, func(h hit, id int64) int { return cmp.Compare(h.id, id) })
			if is {
				rest[at].has |= matching.Has(1) << word
			}
			rest = rest[at:]
		}
	}
	return nil
}

// merged adds those that have a word. Both are sorted by id.
func merged(found []hit, ids []int64, word matching.Has) []hit {
	all := make([]hit, 0, len(found)+len(ids))
	for _, id := range ids {
		for len(found) > 0 && found[0].id < id {
			all, found = append(all, found[0]), found[1:]
		}
		h := hit{id: id}
		if len(found) > 0 && found[0].id == id {
			h, found = found[0], found[1:]
		}
		h.has |= word
		all = append(all, h)
	}
	return append(all, found...)
}

// documents reads what a query needs of the words of records of a kind.
func documents(ctx context.Context, c *db.Conn, asked *words.Asked, kind memory.Kind, ids []int64) (map[int64]matching.Document, error) {
	list := db.JSONOf(ids)
	read := make(map[int64]matching.Document, len(ids))
	err := c.Search(ctx, `SELECT b.id, b.bag FROM json_each(:ids) w CROSS JOIN bags b ON b.id = w.value`, func(r *db.Row) error {
		read[r.Integer()] = asked.Document(r.Text(), kind)
		return nil
	}, db.Arg("ids", list))
	return read, err
}
