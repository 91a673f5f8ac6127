package meanings

import (
	"database/sql/driver"
	"strings"
	"sync"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/meaning"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// Save keeps what the texts of a record say, in place of what it said before; within a write of many records, Write does.
// Where no vectors are made (db.Conn.Vectors) it takes away what is there and says that something is due.
func Save(c *db.Conn, kind memory.Kind, id int64, texts []string) error {
	if !c.Vectors {
		if err := c.Exec(`DELETE FROM meanings WHERE node = :node`, db.Arg("node", id)); err != nil {
			return err
		}
		return markDue(c)
	}
	record := &said{kind: kind, id: id, texts: texts}
	if later := db.Part[waiting](c); later != nil {
		later.add(record)
		return nil
	}
	record.encode()
	return record.write(c)
}

// said is what a record says.
type said struct {
	kind  memory.Kind
	id    int64
	texts []string
	codes []byte
}

func (s *said) encode() {
	parts := 1
	if s.kind == memory.KindEpisode {
		parts = matching.MostParts
	}
	codes := meaning.Codes(parts, s.texts...)
	s.codes = make([]byte, 0, len(codes)*meaning.Dimensions)
	for i := range codes {
		s.codes = append(s.codes, codes[i].Bytes()...)
	}
}

// write keeps a row also of a record that says nothing, so that it is not due again and again.
func (s *said) write(c *db.Conn) error {
	const save = `INSERT OR REPLACE INTO meanings (node, kind, codes) VALUES (:node, :kind, :codes)`
	return c.Exec(save, db.Arg("node", s.id), db.Arg("kind", string(s.kind)), db.Arg("codes", s.codes))
}

// saveTogether is for so many records as stand together.
var saveTogether = `INSERT OR REPLACE INTO meanings (node, kind, codes) VALUES ` + strings.TrimSuffix(strings.Repeat(`(?, ?, ?), `, together), `, `)

func writeTogether(c *db.Conn, records []*said) error {
	args := make([]driver.NamedValue, 0, 3*len(records))
	for _, s := range records {
		for _, value := range []driver.Value{s.id, string(s.kind), s.codes} {
			args = append(args, driver.NamedValue{Ordinal: len(args) + 1, Value: value})
		}
	}
	return c.Exec(saveTogether, args...)
}

// together is how many records are encoded at a time beside a write of many.
const together = 16

// waiting are the records of a write of many, which are encoded beside it.
type waiting struct {
	records []*said // all
	begun   int     // how many of them
	encoded sync.WaitGroup
}

func (w *waiting) add(record *said) {
	w.records = append(w.records, record)
	if len(w.records)-w.begun == together {
		w.begin()
	}
}

// begin encodes what was added since the last time.
func (w *waiting) begin() {
	part := w.records[w.begun:]
	w.begun = len(w.records)
	w.encoded.Go(func() {
		for _, record := range part {
			record.encode()
		}
	})
}

// Write keeps what was saved so far in a write of many records.
func Write(c *db.Conn) error {
	w := db.Part[waiting](c)
	if w == nil {
		return nil
	}
	w.begin()
	w.encoded.Wait()
	for len(w.records) >= together { // in one statement, since each looks up the last revision and keeps its own
		if err := writeTogether(c, w.records[:together]); err != nil {
			return err
		}
		w.records = w.records[together:]
	}
	for _, record := range w.records {
		if err := record.write(c); err != nil {
			return err
		}
	}
	w.records, w.begun = nil, 0
	return nil
}

// markDue says that records may have no vectors. The mark is another each time, so that what is written while others are
// made stays due.
func markDue(c *db.Conn) error {
	return schema.SetSetting(c, schema.SettingMeanings, schema.NewMark())
}
