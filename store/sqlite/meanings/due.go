package meanings

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// whose are the records that can have vectors: of the kinds that have texts.
var whose = func() string {
	var kinds []string
	for _, kind := range memory.Kinds {
		if len(matching.Texts(kind)) > 0 {
			kinds = append(kinds, "'"+string(kind)+"'")
		}
	}
	return strings.Join(kinds, ", ")
}()

// due are those that have none. The sign keeps SQLite from going by kind.
var due = fmt.Sprintf(` FROM nodes n WHERE +n.kind IN (%s) AND NOT EXISTS (SELECT 1 FROM meanings m WHERE m.node = n.id)`, whose)

// Due counts the records whose vectors are missing, up to most; all where that is below 0.
func Due(ctx context.Context, c *db.Conn, most int) (count int, err error) {
	err = c.Search(ctx, `SELECT count(*) FROM (SELECT 1`+due+` LIMIT :most)`, func(r *db.Row) error {
		count = r.Int()
		return nil
	}, db.Arg("most", most))
	return count, err
}

// Complete says whether all records are known to have vectors, so that nobody need look.
func Complete(c *db.Conn) (bool, error) {
	state, err := mark(c)
	return state == schema.AllMeant, err
}

// mark says whether vectors may be due: schema.AllMeant, or what markDue wrote; nil where none was ever made, or it cannot be
// read.
func mark(c *db.Conn) (value any, err error) {
	_, err = schema.Setting(c, schema.SettingMeanings, func(r *db.Row) { value = r.Values[0] })
	return value, err
}

// File is a tenant's file.
type File interface {
	Snapshot(ctx context.Context, do func(*db.Conn) error) error
	Write(ctx context.Context, do func(*db.Conn) error) error
}

// inPart is how many records get their vectors in one transaction.
const inPart = 256

// Texts reads what a record is found by.
type Texts func(c *db.Conn, kind memory.Kind, id int64) ([]string, error)

// Make makes the vectors that are due, in parts, and tells how far it is after each.
func Make(ctx context.Context, f File, texts Texts, tell func(store.ReindexStep)) (made int, err error) {
	m := maker{file: f, texts: texts}
	step := store.ReindexStep{}
	err = f.Snapshot(ctx, func(c *db.Conn) (err error) {
		if m.mark, err = mark(c); err == nil {
			step.Due, err = Due(ctx, c, -1)
		}
		return err
	})
	for err == nil {
		var part []*said
		if part, err = m.next(ctx); err != nil || len(part) == 0 {
			break
		}
		for _, record := range part {
			if ctx.Err() != nil {
				return step.Made, ctx.Err()
			}
			record.encode()
		}
		made, failed := m.write(ctx, part)
		if step.Made, err = step.Made+made, failed; err == nil && tell != nil {
			tell(step)
		}
	}
	if err == nil {
		err = m.complete(ctx)
	}
	return step.Made, err
}

// maker goes through the records that are due, by their ids.
type maker struct {
	file  File
	texts Texts
	last  int64 // that was looked at
	mark  any   // as it was at the beginning
}

func (m *maker) next(ctx context.Context) (part []*said, err error) {
	err = m.file.Snapshot(ctx, func(c *db.Conn) error {
		part = nil
		find := `SELECT n.id, n.kind` + due + ` AND n.id > :last ORDER BY n.id LIMIT :most`
		err := c.Search(ctx, find, func(r *db.Row) error {
			part = append(part, &said{id: r.Integer(), kind: memory.Kind(r.Text())})
			return nil
		}, db.Arg("last", m.last), db.Arg("most", inPart))
		for i := 0; err == nil && i < len(part); i++ {
			part[i].texts, err = m.texts(c, part[i].kind, part[i].id)
		}
		return err
	})
	if len(part) > 0 {
		m.last = part[len(part)-1].id
	}
	return part, err
}

// write keeps what is still due: a record that was written anew or deleted meanwhile is not, or says something else.
func (m *maker) write(ctx context.Context, part []*said) (made int, err error) {
	err = m.file.Write(ctx, func(c *db.Conn) error {
		made = 0
		for _, record := range part {
			still, err := c.One(`SELECT 1`+due+` AND n.id = :id AND n.kind = :kind`, func(*db.Row) {}, db.Arg("id", record.id), db.Arg("kind", string(record.kind)))
			if err != nil || !still {
				if err != nil {
					return err
				}
				continue
			}
			texts, err := m.texts(c, record.kind, record.id)
			if err != nil {
				return err
			}
			if !slices.Equal(texts, record.texts) {
				record.texts = texts
				record.encode()
			}
			if err := record.write(c); err != nil {
				return err
			}
			made++
		}
		return nil
	})
	return made, err
}

// complete says that nobody need look any more, unless something became due since the beginning.
func (m *maker) complete(ctx context.Context) error {
	if m.mark == any(schema.AllMeant) {
		return nil
	}
	return m.file.Write(ctx, func(c *db.Conn) error {
		if now, err := mark(c); err != nil || now != m.mark {
			return err
		}
		return schema.SetSetting(c, schema.SettingMeanings, schema.AllMeant)
	})
}
