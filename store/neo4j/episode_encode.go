package neo4j

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// noStepID stands for the null of a step without an id, because lists hold no null.
const noStepID = "\x00"

// Feedback ranks: the mean score, or unratedRank, which sorts an episode without feedback after the worst, which is rated −1.
const (
	bestRank    = 1.0
	unratedRank = -2.0
)

// cartesian3D is the system of coordinates of a point of three numbers.
const cartesian3D = 9157

// episodeProperties are what an episode's node holds from the start.
func episodeProperties(s *tenantStore, record *store.EpisodeRecord) (parameters, error) {
	e := &record.Episode
	segments, err := memory.JSONOf(e.Segments)
	if err != nil {
		return nil, err
	}
	properties := parameters{
		"tenant": s.tenant, "key": e.Key, "title": e.Title, "agent": e.AgentKey, "session": e.SessionKey,
		"taskType": e.TaskType, "observation": e.Observation, "thoughts": orNothing(e.Thoughts),
		"result": e.Result, "outcome": string(e.Outcome), "insight": e.Insight,
		"executionIds": orNothing(e.ExecutionIDs), "quality": e.Quality, "concluded": e.Concluded,
		"startedAt": instant(e.StartedAt), "endedAt": optionalInstant(e.EndedAt), "knownAt": instant(e.KnownAt()),
		"createdAt": instant(e.CreatedAt), "inputHash": hashText(record.InputHash),
		"feedbackSum": 0.0, "feedbackCount": 0, "feedbackRank": unratedRank,
		"canvasCount": 0, "canvasActionCount": 0, "aggregates": neo4j.Point3D{SpatialRefId: cartesian3D},
	}
	if len(e.Segments) > 0 {
		properties["segments"] = string(segments)
	}
	encodeActions(properties, e.Actions)
	encodeMetadata(properties, e.Metadata)
	encodeReceipt(properties, e.Receipt)
	encodeEvents(properties, record.Events)
	giveWords(memory.KindEpisode, properties)
	return properties, nil
}

func encodeActions(properties parameters, actions []memory.Action) {
	if len(actions) == 0 {
		return
	}
	properties["actionNames"] = texts(actions, func(a memory.Action) string { return a.StepName })
	properties["actionResults"] = texts(actions, func(a memory.Action) string { return string(a.Result) })
	ids := texts(actions, func(a memory.Action) string {
		if a.StepID == nil {
			return noStepID
		}
		return *a.StepID
	})
	if strings.Join(ids, "") != strings.Repeat(noStepID, len(ids)) {
		properties["actionIds"] = ids
	}
}

// encodeMetadata leaves null out; JSON text is never empty.
func encodeMetadata(properties parameters, metadata memory.JSON) {
	if len(metadata) > 0 {
		properties["metadata"] = string(metadata)
	}
}

func encodeReceipt(properties parameters, receipt memory.Receipt) {
	properties["tokensBefore"], properties["tokensAfter"] = receipt.TokensBefore, receipt.TokensAfter
	kinds := texts(receipt.Redactions, func(r memory.Redaction) string { return r.Kind })
	counts := make([]int, len(receipt.Redactions))
	for i, redaction := range receipt.Redactions {
		counts[i] = redaction.Count
	}
	properties["redactionKinds"], properties["redactionCounts"] = orNothing(kinds), orNothing(counts)
}

// encodeEvents keeps the log as parallel lists, which only those who ask for the log read.
func encodeEvents(properties parameters, events []memory.Event) {
	if len(events) == 0 {
		return
	}
	properties["eventTypes"] = texts(events, func(e memory.Event) string { return e.Type })
	properties["eventData"] = texts(events, func(e memory.Event) string { return string(e.Data) })
	properties["eventTimes"] = instants(events, eventTime)
}

// longestVector is the most numbers that Neo4j's index takes.
const longestVector = store.LongestVector

// checkVector says what is wrong with a vector that the index cannot take: one with too many numbers,
// or one whose length in space leaves it no direction.
func checkVector(vector []float32) error {
	if len(vector) > longestVector {
		return fmt.Errorf("%w: an embedding of %d numbers; the most is %d", store.ErrInvalid, len(vector), longestVector)
	}
	square := 0.0
	for _, x := range vector {
		square += float64(x) * float64(x)
	}
	if !(square > 1e-30 && square < 1e30) {
		return fmt.Errorf("%w: an embedding whose square is %g has no direction", store.ErrInvalid, square)
	}
	return nil
}

func hashText(hash []byte) string { return base64.RawStdEncoding.EncodeToString(hash) }
