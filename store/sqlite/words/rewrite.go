package words

import (
	"context"

	"mneme/store/sqlite/db"
)

// MarkDeleted has the word indexes only mark what is deleted, until Merge.
func MarkDeleted(c *db.Conn) error {
	return c.Script(`INSERT INTO words (words, rank) VALUES ('secure-delete', 0); INSERT INTO notes (notes, rank) VALUES ('secure-delete', 0)`)
}

// Merge writes the word indexes anew where they hold what is only marked as deleted, in one transaction.
func Merge(ctx context.Context, c *db.Conn) error {
	const read = `SELECT 1 FROM words_config WHERE k = 'secure-delete' AND v = 0`
	if marked, err := c.One(read, func(*db.Row) {}); err != nil || !marked {
		return err
	}
	const merge = `BEGIN IMMEDIATE; INSERT INTO words (words) VALUES ('optimize'); INSERT INTO notes (notes) VALUES ('optimize');
		INSERT INTO words (words, rank) VALUES ('secure-delete', 1); INSERT INTO notes (notes, rank) VALUES ('secure-delete', 1); COMMIT`
	err := c.Run(ctx, merge)
	if err != nil {
		_ = c.Exec(`ROLLBACK`)
	}
	return err
}
