package neo4j

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
)

// What a tenant's node keeps. The length of vectors follows from them, so that where it cannot be read, mneme goes on
// without it.
const (
	settingInputKey     = "inputKey"
	settingVectorLength = "vectorLength"
)

// anyColumn decodes a row to one of its values as it is.
func anyColumn(name string) decoder[any] {
	return func(row *neo4j.Record) (any, error) {
		value, _ := row.Get(name)
		return value, nil
	}
}

// soundKey is the input key that a value is, nil where it is none.
func soundKey(value any) []byte {
	if key, is := value.([]byte); is && len(key) == store.InputKeyBytes {
		return key
	}
	return nil
}

// soundLength is the length of vectors that a value is, 0 where it is none.
func soundLength(value any) int {
	if length, is := value.(int64); is && length > 0 && length <= longestVector {
		return int(length)
	}
	return 0
}

// tenantKey makes the tenant's node and its input key where nothing was hashed with one so far, and gives what is there.
func (t *transaction) tenantKey() ([]byte, error) {
	made := store.NewInputKey() // a proposal: the first wins
	value, err := t.keyOfNode(named("tenant"), parameters{settingInputKey: made})
	if err != nil {
		return nil, err
	}
	key := soundKey(value)
	if key != nil && !bytes.Equal(key, made) {
		return key, nil
	}
	switch hashed, err := t.anyHashed(); {
	case err != nil:
		return nil, err
	case hashed:
		cause := errors.New("its value is none")
		if key != nil || value == nil {
			cause = errors.New("it is gone")
		}
		return nil, &store.Damaged{Kind: store.KindSetting, Key: settingInputKey, Cause: cause}
	case key == nil:
		return t.makeInputKey()
	}
	return key, nil
}

// keyOfNode runs a statement that gives the input key as the tenant's node has it. Where a constraint was taken away there
// may be several, and none of their keys is known to be the one.
func (t *transaction) keyOfNode(asking statement, values parameters) (any, error) {
	keys, err := rowsOf(t, asking, values, anyColumn(settingInputKey))
	if err != nil {
		return nil, err
	}
	if len(keys) != 1 {
		return nil, errors.New("neo4j: " + severalNodes(len(keys)))
	}
	return keys[0], nil
}

func severalNodes(count int) string {
	return fmt.Sprintf("there are %d nodes of one tenant, and it is not known whose input key is right", count)
}

// anyHashed says whether the tenant has anything that was hashed with an input key.
func (t *transaction) anyHashed() (bool, error) {
	has, err := rowsOf(t, hasRecords, nil, column[bool]("has"))
	return slices.Contains(has, true), err
}

// hasRecords asks whether a tenant has anything that was hashed.
var hasRecords = rendered("has_records", recordLabels)

// recordLabels are those of records, and of what was deleted for good.
var recordLabels = append(slices.Sorted(maps.Values(labels)), labelTombstone)

// makeInputKey makes a key in the place of one that is gone or cannot be read, and gives what is there then.
func (t *transaction) makeInputKey() ([]byte, error) {
	value, err := t.keyOfNode(named("lock_tenant"), nil)
	if err != nil {
		return nil, err
	}
	if key := soundKey(value); key != nil { // made meanwhile
		return key, nil
	}
	key := store.NewInputKey()
	return key, t.set(settingInputKey, key)
}

// set writes a setting.
func (t *transaction) set(name string, value any) error {
	return t.run(named("set_setting"), parameters{"setting": parameters{name: value}}, nil)
}

// prevailingLength is the length that most vectors of a tenant have; before others that as many have, and where there
// are none, the one that was fixed, which may be 0.
func prevailingLength(vectors map[int]int64, fixed int) int {
	best := fixed
	for _, length := range slices.Sorted(maps.Keys(vectors)) {
		if vectors[length] > vectors[best] {
			best = length
		}
	}
	return best
}

func decodeVectorLengths(into map[int]int64) decoder[struct{}] {
	return func(row *neo4j.Record) (struct{}, error) {
		length, err := column[int64]("length")(row)
		if err != nil {
			return struct{}{}, err
		}
		into[int(length)], err = column[int64]("vectors")(row)
		return struct{}{}, err
	}
}

// vectorLengths counts the vectors of each length.
func (s *tenantStore) vectorLengths(ctx context.Context) (map[int]int64, error) {
	lengths := map[int]int64{}
	q := s.query(named("vector_lengths"), nil)
	q.within = 0 // it looks at all episodes
	_, err := read(ctx, s.backend, q, decodeVectorLengths(lengths))
	return lengths, err
}

// lengthOfMost is the length that most vectors have, else the one that was fixed.
func (s *tenantStore) lengthOfMost(ctx context.Context) (int, error) {
	q := s.query(named("vector_length"), nil)
	fixed, err := one(ctx, s.backend, q, anyColumn("length"))
	if err != nil {
		return 0, err
	}
	vectors, err := s.vectorLengths(ctx)
	return prevailingLength(vectors, soundLength(fixed)), err
}

// lengthAnew fixes the length of vectors in the place of one that cannot be read: that of most, else the given one.
func (t *transaction) lengthAnew(length int) (int, error) {
	vectors := map[int]int64{}
	if _, err := rowsOf(t, named("vector_lengths"), nil, decodeVectorLengths(vectors)); err != nil {
		return 0, err
	}
	if most := prevailingLength(vectors, 0); most > 0 {
		length = most
	}
	if _, ready := t.backend.indexed.Load(length); !ready {
		return 0, &missingIndex{length: length}
	}
	return length, t.set(settingVectorLength, length)
}
