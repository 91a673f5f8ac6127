package neo4j

import (
	"context"
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// linkShape is a query for one of the links.
type linkShape struct {
	shape
	Link string
}

var linkNames = map[store.EpisodeLink]string{
	store.LinkCausedBy: "causedBy", store.LinkCauses: "causes", store.LinkPrevious: "previous", store.LinkNext: "next",
}

// Linked reads the episodes that others are linked to; see store.EpisodeReader.
func (s *tenantStore) Linked(ctx context.Context, q store.LinkedQuery) (map[string][]*memory.Episode, error) {
	linked := map[string][]*memory.Episode{}
	if len(q.Episodes) == 0 {
		return linked, nil
	}
	name, known := linkNames[q.Link]
	if !known {
		return nil, fmt.Errorf("%w: link %d", store.ErrInvalid, q.Link)
	}
	text, err := expand("linked", linkShape{shape: shape{AsOf: q.AsOf != nil}, Link: name})
	if err != nil {
		return nil, err
	}
	values := parameters{"keys": setOf(q.Episodes...).sorted()}
	contextParameters(values, q.AsOf)
	rows, err := read(ctx, s.backend, s.query("linked", text, values), decodeLinked)
	for _, row := range rows {
		linked[row.origin] = append(linked[row.origin], row.episode)
	}
	return linked, err
}

// linkedEpisode is an episode that another is linked to.
type linkedEpisode struct {
	origin  string
	episode *memory.Episode
}

func decodeLinked(row *neo4j.Record) (linkedEpisode, error) {
	origin, err := column[string]("origin")(row)
	if err != nil {
		return linkedEpisode{}, err
	}
	episode, err := decodeEpisode(row, 0, nil)
	return linkedEpisode{origin: origin, episode: episode}, err
}
