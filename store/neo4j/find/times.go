package find

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/neo4j/words"
)

// timed is a stretch of time that counts so much beside words of which a record of average length that has all counts 1.
type timed struct {
	stretch
	worth float64
}

const (
	// dateWorth is what it counts to be of a time that is named: as much beside the words as in matching.Parts.
	dateWorth = 0.26
	// withinWeek is how much of that counts what is less than a week away.
	withinWeek = 0.7
	// mostTimed is how many records the times of a question may be of: the index goes through all.
	mostTimed = 100_000
	// mostYears is in how many of the last years a date without a year is looked for.
	mostYears = 10
	// mostSpans is how many stretches of time are asked for, of as many dates as a text may name: the index takes a thousand clauses.
	mostSpans = 64
)

// nameTimes has the index asked for the times that the question names, too: the best by words are few beside all that match, and may be of any other.
func (s *Recaller) nameTimes(ctx context.Context, q *question, kind memory.Kind) error {
	if len(q.dates) == 0 || q.looked == 0 {
		return nil
	}
	v := words.VocabularyOf(s.TenantID, kind)
	const week = 7 * 24 * time.Hour
	var times []timed
	spans := matching.Spans(q.dates, time.Now().Year()-mostYears+1, time.Now().Year()+1)
	for _, span := range spans[:min(len(spans), mostSpans)] {
		from, until := span.From, span.Until.Add(-time.Second)
		times = append(times, timed{stretch{v.Second(from), v.Second(until)}, (1 - withinWeek) * dateWorth},
			timed{stretch{v.Second(from.Add(-week)), v.Second(until.Add(week))}, withinWeek * dateWorth})
	}
	if q.records[kind] > mostTimed {
		known, err := s.sampled(ctx, kind)
		if err != nil {
			return err
		}
		of := 0.0
		for i := 1; i < len(times) && known.share > 0; i += 2 {
			seen, _ := known.passing(times[i].stretch, nil)
			of += float64(seen) / known.share
		}
		if of > mostTimed {
			return nil
		}
	}
	if q.times == nil {
		q.times = map[memory.Kind][]timed{}
	}
	q.times[kind] = times
	return nil
}
