package graph

import (
	"encoding/binary"
	"fmt"

	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// DecodeVector reads floats of 4 bytes each, little-endian; nothing is no vector.
func DecodeVector(encoded []byte) []float32 {
	if len(encoded) == 0 {
		return nil
	}
	vector := make([]float32, len(encoded)/4)
	_, _ = binary.Decode(encoded, binary.LittleEndian, vector) // it is long enough
	return vector
}

// VectorLength is the length that all vectors have, 0 where there was none so far. It was fixed by the first; where
// that cannot be read, or a vector has another, it is what most vectors have.
func VectorLength(c *db.Conn) (length int, err error) {
	fixed, there := 0, 0
	if _, err := c.One(readVectorLength, func(r *db.Row) { fixed, there = r.Int(), r.Int() }); err != nil {
		return 0, err
	}
	if there == 0 || there == 4*fixed {
		return fixed, nil
	}
	return PrevailingLength(c)
}

// soundLength is the fixed length where it can be one.
var soundLength = `(SELECT value FROM settings WHERE name = '` + schema.SettingVectorLength + `' AND ` + schema.SoundSettings[schema.SettingVectorLength] + `)`

// readVectorLength reads the fixed length, and the bytes of some vector; 0 for none.
var readVectorLength = `SELECT coalesce(` + soundLength + `, 0), coalesce((SELECT length(vector) FROM embeddings LIMIT 1), 0)`

// PrevailingLength is the length that most vectors have, of those that say anything; before others that as many have,
// and where there are none, what was fixed.
func PrevailingLength(c *db.Conn) (length int, err error) {
	_, err = c.One(readPrevailing, func(r *db.Row) { length = r.Int() })
	return length, err
}

var readPrevailing = fmt.Sprintf(`SELECT coalesce((SELECT length(vector) / 4 FROM embeddings
	WHERE length(vector) %% 4 = 0 AND length(vector) BETWEEN 4 AND %d AND vector <> zeroblob(length(vector))
	GROUP BY length(vector) ORDER BY count(*) DESC, length(vector) / 4 IS NOT %[2]s, 1 LIMIT 1), %[2]s, 0)`, 4*store.LongestVector, soundLength)

// CheckVectorLength answers ErrVectorLength where a vector is not as long as all have to be.
func CheckVectorLength(tx *db.Tx, vector []float32) error {
	if len(vector) > 0 {
		if length := db.Ask(tx, VectorLength); length != 0 && length != len(vector) {
			return store.ErrVectorLength
		}
	}
	return nil
}

// SaveEmbedding keeps an episode's vector, of a length that was checked, in place of an earlier one; the
// tenant's first fixes the length. Without a vector it does nothing.
func SaveEmbedding(tx *db.Tx, episode int64, vector []float32) {
	if len(vector) == 0 {
		return
	}
	tx.Fail(schema.SetSetting(tx.Conn, schema.SettingVectorLength, len(vector)))
	const save = `INSERT OR REPLACE INTO embeddings (episode, vector) VALUES (:episode, :vector)`
	tx.Exec(save, db.Arg("episode", episode), db.Arg("vector", EncodeVector(vector)))
}

// EncodeVector writes a vector as vec_distance_cosine reads it: float32, little-endian.
func EncodeVector(vector []float32) []byte {
	encoded, _ := binary.Append([]byte{}, binary.LittleEndian, vector) // floats can be written
	return encoded
}
