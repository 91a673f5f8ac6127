package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var getObservationsTool = tool[getObservationsInput, getObservationsOutput]{
	name: "get_observations", title: "Read observations", hints: reads,
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
	if len(in.IDs) < 1 || len(in.IDs) > service.MaxPage {
		return getObservationsOutput{}, memory.Invalid("ids", "has %d ids; it must have 1 to %d", len(in.IDs), service.MaxPage)
	}
	ids := mapped(in.IDs, func(id string) string {
		return memory.NodeID(memory.KindObservation, memory.KeyOf(memory.KindObservation, id))
	})
	nodes, err := tenant.Retrieval.Nodes(ctx, ids)
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
