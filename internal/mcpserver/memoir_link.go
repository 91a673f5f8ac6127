package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var memoirLinkTool = tool[memoirLinkInput, relationOutput]{
	name: "memoir_link", title: "Relate two concepts", hints: settles,
	about: "Relates two concepts, of whatever memoirs, read from source to target: \"source PART_OF target\". A concept that is superseded or contradicted says so from then on wherever it is shown.",
	run:   memoirLink,
}

// memoirLinkInput describes service.LinkConceptsInput.
type memoirLinkInput struct {
	SourceID string              `json:"sourceId" jsonschema:"The concept it leads from, by id or key; memoir_search finds it."`
	TargetID string              `json:"targetId" jsonschema:"The concept it leads to, by id or key; not the same one."`
	Type     memory.RelationType `json:"type" jsonschema:"How the source relates to the target. SUPERSEDED_BY leads from the old to the new, CONTRADICTS from the one that holds."`
}

type relationOutput struct {
	SourceID string              `json:"sourceId"`
	TargetID string              `json:"targetId"`
	Type     memory.RelationType `json:"type"`
}

func memoirLink(ctx context.Context, tenant *service.Tenant, in memoirLinkInput) (relationOutput, error) {
	relation, err := tenant.Knowledge.LinkConcepts(ctx, service.LinkConceptsInput(in))
	if err != nil {
		return relationOutput{}, err
	}
	return relationOutput{
		SourceID: memory.NodeID(memory.KindConcept, relation.SourceKey),
		TargetID: memory.NodeID(memory.KindConcept, relation.TargetKey), Type: relation.Type,
	}, nil
}
