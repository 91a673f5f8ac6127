package mcpserver

import (
	"mneme/memory"
	"mneme/service/recalling"
)

// moment is a passage of a hit in short.
type moment struct {
	Where string `json:"where" jsonschema:"Such as step 14 (cancel_reservation)."`
	Says  string `json:"says" jsonschema:"Matching words between ** and **."`
}

// momentsOf are those of an episode; what another record says stands in its snippet already.
func momentsOf(all []recalling.Moment) []moment {
	if len(all) == 0 || all[0].Part == memory.PartContent {
		return nil
	}
	return memory.Mapped(all, func(m recalling.Moment) moment { return moment{Where: m.Where, Says: m.Snippet} })
}
