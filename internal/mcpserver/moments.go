package mcpserver

import (
	"mneme/memory"
	"mneme/service"
)

// moment is a passage of a hit in short.
type moment struct {
	Part     memory.Part `json:"part" jsonschema:"What of the record it is: ACTION is a step, EVENT an entry of the log."`
	Position int         `json:"position" jsonschema:"Which thought or action, from 0, or the sequence of the entry in the log."`
	Step     string      `json:"step,omitempty" jsonschema:"The step's name."`
	Says     string      `json:"says" jsonschema:"What it says, matching words between ** and **."`
}

func momentOf(m service.Moment) moment {
	return moment{Part: m.Part, Position: m.Position, Step: m.Step, Says: m.Snippet}
}

// momentsOf are those of an episode; what another record says stands in its snippet already.
func momentsOf(all []service.Moment) []moment {
	if len(all) == 0 || all[0].Part == memory.PartContent {
		return nil
	}
	return mapped(all, momentOf)
}
