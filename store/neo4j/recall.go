package neo4j

import (
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/lexical"
)

const (
	// mostCompared is the number of episodes up to which vectors are compared one by one.
	mostCompared = 50_000
	// leastWindow is how many of the newest episodes are looked at, at least, for the newest matches.
	leastWindow = 500
	// multitude is the number of matches up to which all are looked at where the window held too few.
	// Beyond it the stream of the newest ends with the window.
	multitude = 20_000
	// bite is how many episodes one search of the text index is asked about; Lucene takes 1,024 clauses.
	bite = 500
)

// Candidates reads the best of every stream; see store.Recaller. It takes one round trip, and another
// the first time that there are too many episodes to compare their vectors one by one.
func (s *tenantStore) Candidates(ctx context.Context, q store.RecallQuery) (store.Candidates, error) {
	terms := lexical.Terms(q.Text)
	text := textQuery(s.token, terms)
	form := shape{AsOf: q.AsOf != nil, Lexical: text != "", Vector: checkVector(q.Embedding) == nil}
	form.filter(q.Filter)
	form.Approximate = form.Vector && s.large.Load()
	found, err := s.streams(ctx, q, form, text)
	if err == nil && form.Vector && !form.Approximate && found.scanned > s.backend.exactLimit {
		s.large.Store(true)
		form.Approximate = true
		found, err = s.streams(ctx, q, form, text)
	}
	if err != nil {
		return store.Candidates{}, err
	}
	return found.candidates(terms), nil
}

func (s *tenantStore) streams(ctx context.Context, q store.RecallQuery, form shape, text string) (streams, error) {
	statement, err := form.text("recall")
	if err != nil {
		return streams{}, err
	}
	found, err := one(ctx, s.backend, s.query("recall", statement, s.recallParameters(q, form, text)), decodeStreams)
	if err == nil && form.Vector && found.vectorLength > 0 && found.vectorLength != len(q.Embedding) {
		err = store.ErrVectorLength
	}
	return found, err
}

func (s *tenantStore) recallParameters(q store.RecallQuery, form shape, text string) parameters {
	values := filterParameters(q.Filter)
	values["limit"], values["window"] = q.Limit, max(leastWindow, 2*q.Limit)
	values["bite"], values["multitude"] = bite, multitude
	values["text"], values["textOptions"], values["scan"] = text, parameters{}, values["window"]
	if q.Filter == (store.EpisodeFilter{}) && q.AsOf == nil {
		values["textOptions"] = parameters{"limit": q.Limit} // nothing is filtered out, so the index may stop there
	}
	if form.Vector {
		length := len(q.Embedding)
		values["embedding"], values["vectorLength"] = q.Embedding, length
		values["exactLimit"], values["scan"] = s.backend.exactLimit, s.backend.exactLimit+1
		values["vectorProperty"], values["vectorIndex"] = vectorProperty(length), vectorIndex(length)
	}
	if q.AsOf != nil {
		values["asOf"] = instant(*q.AsOf)
	}
	return values
}

// streams is what a recall's query answers.
type streams struct {
	vectorLength int
	scanned      int // episodes that pass the filter, up to the limit of looking
	bestScore    float64
	bestTexts    []string
	items        []memory.Candidate // Lexical still the index's own score
	more         bool               // some stream goes on
}

func decodeStreams(row *neo4j.Record) (streams, error) {
	f := fieldsOf(row.AsMap())
	s := streams{items: f.candidates(), scanned: f.integer("scanned"), more: required[bool](f, "more")}
	if length := optional[int64](f, "vectorLength"); length != nil {
		s.vectorLength = int(*length)
	}
	best, _, err := neo4j.GetRecordValue[map[string]any](row, "best") // null where nothing matches
	if err != nil {
		return s, err
	}
	if best != nil {
		b := fieldsOf(best)
		s.bestScore, s.bestTexts = required[float64](b, "score"), list[string](b, "texts")
		if b.err != nil {
			return s, b.err
		}
	}
	return s, f.err
}

func (f *fields) candidates() []memory.Candidate {
	keys := list[string](f, "keys")
	times := parallel[time.Time](f, "times", len(keys))
	scores := parallel[float64](f, "scores", len(keys))
	similarities := parallel[float64](f, "similarities", len(keys))
	actions := parallel[int64](f, "actions", len(keys))
	sums := parallel[float64](f, "sums", len(keys))
	counts := parallel[int64](f, "counts", len(keys))
	items := make([]memory.Candidate, len(keys))
	for i, key := range keys {
		items[i] = memory.Candidate{
			Key: key, StartedAt: times[i].UTC(), Lexical: scores[i], Cosine: cosine(similarities[i]),
			CanvasActionCount: int(actions[i]), FeedbackSum: sums[i], FeedbackCount: int(counts[i]),
		}
	}
	return items
}

// cosine undoes what Neo4j makes of it to have no number below 0.
func cosine(similarity float64) float64 { return 2*similarity - 1 }

// candidates normalises the scores.
func (s streams) candidates(terms []lexical.Term) store.Candidates {
	share := lexical.Share(terms, s.bestTexts...)
	answer := store.Candidates{Items: s.items, Approximate: s.more}
	for i := range answer.Items {
		answer.Items[i].Lexical = memory.LexicalScore(answer.Items[i].Lexical, s.bestScore, share)
	}
	return answer
}
