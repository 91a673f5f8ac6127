package neo4j

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc64"
	"math"
	"strconv"

	"mneme/memory"
)

// Neo4j reads a node property by property while others write it. So a profile carries checksums of its
// properties, by which a reader knows that those it has are of one write: countersSeal, seal for what a
// ranking reads, and wholeSeal for the columns that it does without, each of which covers the one before.

var sealTable = crc64.MakeTable(crc64.ECMA)

// errTorn says that what was read is not of one write.
var errTorn = errors.New("a profile changed while it was read")

func countersSealOf(p *memory.LearningProfile) int64 {
	return checksum(appendCounters(nil, p))
}

func appendCounters(data []byte, p *memory.LearningProfile) []byte {
	for _, n := range []int64{int64(p.Total), int64(p.Successful), p.QualityBillionths, p.LatencyMicros, int64(p.Timed)} {
		data = binary.LittleEndian.AppendUint64(data, uint64(n))
	}
	return data
}

func sealOf(p *memory.LearningProfile) int64 {
	data := appendCounters(make([]byte, 0, 16*memory.WindowSize+40), p)
	for _, at := range p.Window.At {
		data = binary.LittleEndian.AppendUint64(data, uint64(at))
	}
	return checksum(appendNumbers(data, p.Window.Quality))
}

func wholeSealOf(p *memory.LearningProfile) int64 {
	data := binary.LittleEndian.AppendUint64(nil, uint64(sealOf(p)))
	for _, key := range p.Window.Keys {
		data = append(append(data, key...), 0)
	}
	for _, success := range p.Window.Success {
		data = strconv.AppendBool(data, success)
	}
	return checksum(appendNumbers(data, p.Window.LatencyMs))
}

func appendNumbers(data []byte, numbers []float64) []byte {
	for _, x := range numbers {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
	}
	return data
}

func checksum(data []byte) int64 {
	return int64(crc64.Checksum(data, sealTable))
}

// whole reads again while what it reads is torn by writes. What it finds torn in the same way again and again
// is damaged.
func whole[T any](ctx context.Context, read func(context.Context) (T, error)) (T, error) {
	ctx = withSightings(ctx)
	for attempt := 0; ; attempt++ {
		value, err := read(ctx)
		var race *raced
		if !errors.As(err, &race) || attempt == maxRaces {
			return value, err
		}
		if err := pause(ctx, attempt); err != nil {
			return value, err
		}
	}
}
