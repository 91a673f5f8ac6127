package sqlite

import (
	"context"
	"encoding/binary"
	"math"

	"mneme/store"
)

// VectorLength is the length of any of the vectors, because all have the same.
func (t *Tenant) VectorLength(ctx context.Context) (length int, err error) {
	err = t.read(ctx, func(c *conn) (err error) {
		length, err = vectorLength(c, 0)
		return err
	})
	return length, err
}

// vectorLength is the length of the vectors of all episodes but one, 0 where there are none.
func vectorLength(c *conn, except int64) (length int, err error) {
	const read = `SELECT length(vector) / 4 FROM embeddings WHERE episode <> :except LIMIT 1`
	_, err = c.one(read, func(r *row) { length = r.int() }, arg("except", except))
	return length, err
}

// checkVectorLength answers ErrVectorLength where an episode's vector is not as long as the others'.
func checkVectorLength(c *conn, episode int64, vector []float32) error {
	if len(vector) == 0 {
		return nil
	}
	length, err := vectorLength(c, episode)
	if err == nil && length != 0 && length != len(vector) {
		err = store.ErrVectorLength
	}
	return err
}

// saveEmbedding keeps an episode's vector in place of an earlier one; without one it does nothing.
func saveEmbedding(c *conn, episode int64, vector []float32) error {
	if len(vector) == 0 {
		return nil
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
