package sqlite

import "encoding/binary"

// SQLite overwrites what is deleted, but not the copies that it leaves where it distributes the cells of full or
// empty pages anew: those stay in the gap of a page, between the list of its cells and the cells themselves.

// Of a page of a tree: where in its header things stand, and how long that is.
const (
	cellCount    = 3
	contentStart = 5
	leafHeader   = 8
	innerHeader  = 12
)

// mostPages is up to where the first byte tells the pages of trees from others: those begin with a page's
// number or with zeros. With pages of 4 KiB it is 64 GiB.
const mostPages = 1 << 24

// gap is the part of a page where nothing is kept; empty for a page that is not a tree's.
func gap(page []byte) []byte {
	if len(page) < innerHeader {
		return nil
	}
	header := 0
	switch page[0] {
	case 0x0a, 0x0d:
		header = leafHeader
	case 0x02, 0x05:
		header = innerHeader
	default:
		return nil
	}
	from := header + 2*int(binary.BigEndian.Uint16(page[cellCount:]))
	to := int(binary.BigEndian.Uint16(page[contentStart:]))
	if from > to || to > len(page) {
		return nil
	}
	return page[from:to]
}

// blank overwrites a page's gap and says whether there was anything in it.
func blank(page []byte) (dirty bool) {
	unused := gap(page)
	for _, b := range unused {
		dirty = dirty || b != 0
	}
	clear(unused)
	return dirty
}

// Page 1 is left out: it holds the schema, and begins with the file's header.
const (
	// A file that vacuums itself, as one that another program recovered may be, has further kinds of pages,
	// which the first byte does not tell from those of trees: none of it is touched.
	countPages = `SELECT CASE auto_vacuum WHEN 0 THEN page_count ELSE 0 END FROM pragma_page_count, pragma_auto_vacuum`
	readPages  = `WITH RECURSIVE numbers (n) AS (VALUES (:first) UNION ALL SELECT n + 1 FROM numbers WHERE n < :last)
		SELECT n, data FROM numbers CROSS JOIN sqlite_dbpage WHERE pgno = n AND n > 1`
	writePage = `UPDATE sqlite_dbpage SET data = :data WHERE pgno = :page`
)

func pageCount(c *conn) (pages int, err error) {
	_, err = c.one(countPages, func(r *row) { pages = r.int() })
	return min(pages, mostPages), err
}

// blankPages overwrites the gaps of some pages. Where none needs it, it does not keep others from writing.
func blankPages(c *conn, first, last int) error {
	dirty, err := dirtyPages(c, first, last)
	if err != nil || len(dirty) == 0 {
		return err
	}
	if err := c.exec(`BEGIN IMMEDIATE`); err != nil {
		return err
	}
	if err := writeBlanked(c, first, last); err != nil {
		_ = c.exec(`ROLLBACK`)
		return err
	}
	return c.exec(`COMMIT`)
}

// writeBlanked looks again, now that nobody else can write.
func writeBlanked(c *conn, first, last int) error {
	dirty, err := dirtyPages(c, first, last)
	if err != nil {
		return err
	}
	for page, data := range dirty {
		if err := c.exec(writePage, arg("data", data), arg("page", page)); err != nil {
			return err
		}
	}
	return nil
}

// dirtyPages are the pages that have anything in their gaps, without it, by number.
func dirtyPages(c *conn, first, last int) (map[int64][]byte, error) {
	dirty := map[int64][]byte{}
	err := c.query(readPages, func(r *row) error {
		number, page := r.integer(), r.blob()
		if blank(page) {
			dirty[number] = page
		}
		return nil
	}, arg("first", first), arg("last", last))
	return dirty, err
}
