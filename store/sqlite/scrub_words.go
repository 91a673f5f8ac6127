package sqlite

// markWords has the word indexes only mark what is deleted, until mergeWords.
func markWords(c *conn) error {
	return c.script(`INSERT INTO words (words, rank) VALUES ('secure-delete', 0); INSERT INTO notes (notes, rank) VALUES ('secure-delete', 0)`)
}

// wordsMarked says whether the word indexes hold what is only marked as deleted.
func wordsMarked(c *conn) (marked bool, err error) {
	const read = `SELECT 1 FROM words_config WHERE k = 'secure-delete' AND v = 0`
	return c.one(read, func(*row) {})
}

// mergeWords writes the word indexes anew without what is only marked as deleted, in one transaction.
func (s *scrubbing) mergeWords(c *conn) error {
	marked, err := wordsMarked(c)
	if err != nil {
		return err
	}
	if marked {
		const merge = `BEGIN IMMEDIATE; INSERT INTO words (words) VALUES ('optimize'); INSERT INTO notes (notes) VALUES ('optimize');
			INSERT INTO words (words, rank) VALUES ('secure-delete', 1); INSERT INTO notes (notes, rank) VALUES ('secure-delete', 1); COMMIT`
		if err := c.script(merge); err != nil {
			_ = c.exec(`ROLLBACK`)
			return err
		}
	}
	s.merge = false
	return nil
}
