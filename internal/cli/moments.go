package cli

import (
	"mneme/memory"
	"mneme/service/recalling"
)

// moment is a passage of a hit; the names are the API's.
type moment struct {
	Part     memory.Part `json:"part"`
	Position int         `json:"position"`
	Step     *string     `json:"step"`
	Snippet  string      `json:"snippet"`
	Score    float64     `json:"score"`

	where  string // for people
	inside bool
}

func momentsOf(all []recalling.Moment) []moment {
	return memory.Mapped(all, func(m recalling.Moment) moment {
		return moment{Part: m.Part, Position: m.Position, Step: m.StepName(), Snippet: m.Snippet, Score: m.Score, where: m.Where, inside: m.Inside()}
	})
}
