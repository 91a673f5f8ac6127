package sqlite

import (
	"context"
	"encoding/binary"
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

// vectorLength is the length that all vectors have, 0 where there was none so far.
func vectorLength(c *conn) (length int, err error) {
	const read = `SELECT value FROM settings WHERE name = 'vector_length'`
	_, err = c.one(read, func(r *row) { length = r.int() })
	return length, err
}

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
	if err := fixVectorLength(c, len(vector)); err != nil {
		return err
	}
	const save = `INSERT INTO embeddings (episode, vector) VALUES (:episode, :vector) ON CONFLICT DO UPDATE SET vector = excluded.vector`
	return c.exec(save, arg("episode", episode), arg("vector", encodeVector(vector)))
}

// fixVectorLength fixes the length of all vectors, unless it is fixed.
func fixVectorLength(c *conn, length int) error {
	const fix = `INSERT INTO settings (name, value) VALUES ('vector_length', :length) ON CONFLICT DO NOTHING`
	return c.exec(fix, arg("length", length))
}

// encodeVector writes a vector as vec_distance_cosine reads it: float32, little-endian.
func encodeVector(vector []float32) []byte {
	encoded := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		encoded = binary.LittleEndian.AppendUint32(encoded, math.Float32bits(x))
	}
	return encoded
}
