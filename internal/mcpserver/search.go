package mcpserver

import (
	"context"
	"strings"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
)

var searchTool = tool[searchInput, hitsOutput[searchHit]]{
	name: "search", title: "Search everything", hints: reads, rule: access.Reads.ForUsers(), core: true,
	about: "Finds records of any kind that have text, best first, as short hits, also within episodes. Use recall to learn from past work; this to find a thing again.",
	run:   search,
}

type searchInput struct {
	Query string   `json:"query" jsonschema:"What to look for, in plain words."`
	Kinds []string `json:"kinds,omitempty" jsonschema:"Only these kinds: episode, concept, observation, correction, memoir, feedback; all by default."`
	boundary.UserFilter
	reading.PageInput
}

type searchHit struct {
	ID      string   `json:"id" jsonschema:"kind:key; the resource mneme://kind/key gives it whole."`
	Label   string   `json:"label"`
	Snippet string   `json:"snippet" jsonschema:"What matches best, matching words between ** and **."`
	Score   float64  `json:"score" jsonschema:"How well it matches, 0 to 1."`
	Reasons []string `json:"reasons,omitempty"`
	Moments []moment `json:"moments,omitempty" jsonschema:"Where an episode matches, the best first."`
	Note    string   `json:"note,omitempty" jsonschema:"Says so where a concept no longer holds."`

	Importance memory.Importance `json:"importance,omitempty"`
	Weight     *float64          `json:"weight,omitempty" jsonschema:"Of an observation now, 0 to 1."`
}

func search(ctx context.Context, tenant *service.Tenant, in searchInput) (hitsOutput[searchHit], error) {
	kinds := memory.Mapped(in.Kinds, strings.ToLower) // in whatever case a model writes them
	page, err := tenant.Retrieval.Search(ctx, in.Query, kinds, in.UserFilter, in.PageInput, heads)
	return hitsOf(ctx, tenant, page, err, func(hit recalling.SearchHit, note string) searchHit {
		shown := searchHit{
			ID: hit.Node.ID(), Label: labelOf(hit.Node), Snippet: hit.Snippet, Score: hit.Score, Reasons: hit.Reasons, Moments: momentsOf(hit.Moments), Note: note,
		}
		if o := hit.Observation(); o != nil {
			shown.Importance, shown.Weight = o.Importance, new(tenant.Knowledge.Weight(o))
		}
		return shown
	})
}

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
