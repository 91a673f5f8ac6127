package sqlite

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"mneme/store"
)

// VectorLength is what the first vector fixed.
func (t *Tenant) VectorLength(ctx context.Context) (length int, err error) {
	err = t.read(ctx, func(c *conn) (err error) {
		length, err = vectorLength(c)
		return err
	})
	return length, err
}

// vectorLength is the length that all vectors have, 0 where there was none so far. It was fixed by the first; where
// that cannot be read, or a vector has another, it is what most vectors have.
func vectorLength(c *conn) (length int, err error) {
	fixed, there := 0, 0
	if _, err := c.one(readVectorLength, func(r *row) { fixed, there = r.int(), r.int() }); err != nil {
		return 0, err
	}
	if there == 0 || there == 4*fixed {
		return fixed, nil
	}
	return prevailingLength(c)
}

// soundLength is the fixed length where it can be one.
var soundLength = `(SELECT value FROM settings WHERE name = '` + settingVectorLength + `' AND ` + soundSettings[settingVectorLength] + `)`

// readVectorLength reads the fixed length, and the bytes of some vector; 0 for none.
var readVectorLength = `SELECT coalesce(` + soundLength + `, 0), coalesce((SELECT length(vector) FROM embeddings LIMIT 1), 0)`

// prevailingLength is the length that most vectors have, of those that say anything; before others that as many have,
// and where there are none, what was fixed.
func prevailingLength(c *conn) (length int, err error) {
	_, err = c.one(readPrevailing, func(r *row) { length = r.int() })
	return length, err
}

var readPrevailing = fmt.Sprintf(`SELECT coalesce((SELECT length(vector) / 4 FROM embeddings
	WHERE length(vector) %% 4 = 0 AND length(vector) BETWEEN 4 AND %d AND vector <> zeroblob(length(vector))
	GROUP BY length(vector) ORDER BY count(*) DESC, length(vector) / 4 IS NOT %[2]s, 1 LIMIT 1), %[2]s, 0)`, 4*store.LongestVector, soundLength)

// checkVectorLength answers ErrVectorLength where a vector is not as long as all have to be.
func checkVectorLength(c *conn, vector []float32) error {
	if len(vector) == 0 {
		return nil
	}
	length, err := vectorLength(c)
	if err == nil && length != 0 && length != len(vector) {
		err = store.ErrVectorLength
	}
	return err
}

// saveEmbedding keeps an episode's vector, of a length that was checked, in place of an earlier one; the
// tenant's first fixes the length. Without a vector it does nothing.
func saveEmbedding(c *conn, episode int64, vector []float32) error {
	if len(vector) == 0 {
		return nil
	}
	if err := setSetting(c, settingVectorLength, len(vector)); err != nil {
		return err
	}
	const save = `INSERT INTO embeddings (episode, vector) VALUES (:episode, :vector) ON CONFLICT DO UPDATE SET vector = excluded.vector`
	return c.exec(save, arg("episode", episode), arg("vector", encodeVector(vector)))
}

// encodeVector writes a vector as vec_distance_cosine reads it: float32, little-endian.
func encodeVector(vector []float32) []byte {
	encoded := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		encoded = binary.LittleEndian.AppendUint32(encoded, math.Float32bits(x))
	}
	return encoded
}
