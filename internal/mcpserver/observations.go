package mcpserver

import (
	"context"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
)

var recordObservationTool = tool[boundary.RecordObservationInput, observationOutput]{
	name: "record_observation", title: "Record an observation", hints: adds, rule: access.Records.ForUsers(), core: true,
	about: "Keeps one thing worth remembering: a fact, a preference, a decision. Critical and high ones stay; medium and low ones lose weight and may be pruned.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.RecordObservationInput) (observationOutput, error) {
		o, err := tenant.Knowledge.RecordObservation(ctx, in)
		if err != nil {
			return observationOutput{}, err
		}
		return observationOutput{ID: o.ID(), Importance: o.Importance, Weight: tenant.Knowledge.Weight(o), Redactions: o.Receipt.Redactions}, nil
	},
}

type observationOutput struct {
	ID         string             `json:"id"`
	Importance memory.Importance  `json:"importance"`
	Weight     float64            `json:"weight" jsonschema:"What it weighs now, 0 to 1."`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"What was private, and taken out."`
}

var searchObservationsTool = tool[searchObservationsInput, hitsOutput[observationHit]]{
	name: "search_observations", title: "Search observations", hints: reads, rule: access.Reads.ForUsers(),
	about: "Finds observations by their words and what they mean, best first, as short hits; get_observations gives them whole.",
	run: func(ctx context.Context, tenant *service.Tenant, in searchObservationsInput) (hitsOutput[observationHit], error) {
		page, err := tenant.Retrieval.SearchObservations(ctx, in.ObservationSearch, in.PageInput)
		return hitsOf(ctx, tenant, page, err, func(hit recalling.SearchHit, _ string) observationHit {
			o := hit.Observation()
			return observationHit{
				ID: o.ID(), Snippet: hit.Snippet, Score: hit.Score, Reasons: hit.Reasons, Importance: o.Importance, Weight: tenant.Knowledge.Weight(o), CreatedAt: o.CreatedAt,
			}
		})
	},
}

type searchObservationsInput struct {
	boundary.ObservationSearch
	reading.PageInput
}

type observationHit struct {
	ID         string            `json:"id"`
	Snippet    string            `json:"snippet" jsonschema:"What matches best, matching words between ** and **."`
	Score      float64           `json:"score"`
	Reasons    []string          `json:"reasons,omitempty"`
	Importance memory.Importance `json:"importance"`
	Weight     float64           `json:"weight"`
	CreatedAt  time.Time         `json:"createdAt"`
}

var getObservationsTool = tool[getObservationsInput, getObservationsOutput]{
	name: "get_observations", title: "Read observations", hints: reads, rule: access.Reads.ForUsers(),
	about: "Gives observations whole, in the order of their ids.",
	run:   getObservations,
}

type getObservationsInput struct {
	IDs []string `json:"ids" jsonschema:"The observations, by id or key, 1 to 100; search_observations finds them."`
}

type getObservationsOutput struct {
	Observations []observationBody `json:"observations"`
	Missing      []string          `json:"missing,omitempty" jsonschema:"The ids of which there is no observation."`
}

func getObservations(ctx context.Context, tenant *service.Tenant, in getObservationsInput) (getObservationsOutput, error) {
	if len(in.IDs) < 1 || len(in.IDs) > reading.MaxPage {
		return getObservationsOutput{}, memory.Invalid("ids", "has %d ids; it must have 1 to %d", len(in.IDs), reading.MaxPage)
	}
	for i, id := range in.IDs {
		if kind, _, ok := memory.SplitID(id); ok && kind != memory.KindObservation {
			return getObservationsOutput{}, memory.Invalid(fmt.Sprint("ids.", i), "is the id of a record of kind %s, which is no observation; where that is a key, give it as observation:KEY", kind)
		}
	}
	ids := memory.Mapped(in.IDs, func(id string) string {
		return memory.NodeID(memory.KindObservation, memory.KeyOf(memory.KindObservation, id))
	})
	nodes, err := tenant.Retrieval.Nodes(ctx, ids, boundary.Include{})
	if err != nil {
		return getObservationsOutput{}, err
	}
	out := getObservationsOutput{Observations: []observationBody{}}
	for i, node := range nodes {
		if observation, ok := node.(*memory.Observation); ok {
			out.Observations = append(out.Observations, bodyOfObservation(tenant, observation))
		} else {
			out.Missing = append(out.Missing, ids[i])
		}
	}
	return out, nil
}

type observationBody struct {
	ID             string            `json:"id"`
	SessionID      string            `json:"sessionId,omitempty"`
	UserID         string            `json:"userId,omitempty"`
	Content        string            `json:"content"`
	Importance     memory.Importance `json:"importance"`
	Weight         float64           `json:"weight" jsonschema:"What it weighs now, 0 to 1."`
	AccessCount    int               `json:"accessCount"`
	LastAccessedAt *time.Time        `json:"lastAccessedAt,omitempty"`
	About          []string          `json:"about,omitempty"`
	CreatedAt      time.Time         `json:"createdAt"`
}

func bodyOfObservation(tenant *service.Tenant, o *memory.Observation) observationBody {
	return observationBody{
		ID: o.ID(), SessionID: memory.OrZero(o.SessionID()), UserID: memory.OrZero(o.UserID), Content: o.Content, Importance: o.Importance, Weight: tenant.Knowledge.Weight(o),
		AccessCount: o.AccessCount, LastAccessedAt: o.LastAccessedAt, About: o.About, CreatedAt: o.CreatedAt,
	}
}
