package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var guidanceTool = tool[guidanceInput, guidanceOutput]{
	name: "guidance", title: "Get guidance for a section", hints: reads,
	about: "Call this before making a section of a run, or making it better. Answers what its verdicts said, what went wrong and well in the run so far, and what to do and not to do by earlier runs, ready for a prompt.",
	run:   guidance,
}

type guidanceInput struct {
	RunID       *string     `json:"runId,omitempty" jsonschema:"The run, by id or key; nothing is said of a run where it is left out."`
	SectionID   *string     `json:"sectionId,omitempty" jsonschema:"What the run calls the section, with the runId, or its global id; left out where it has no name yet."`
	SectionType string      `json:"sectionType" jsonschema:"What kind of section it is, exactly as record_verdict names it."`
	Context     memory.JSON `json:"context,omitempty" jsonschema:"Under what it is made, as JSON; approaches are those of an equal context, or of any where it is left out."`
	MaxTokens   *int        `json:"maxTokens,omitempty" jsonschema:"How long the promptBlock may be, in tokens of four bytes; 1,000 where it is left out."`
}

type guidanceOutput struct {
	PromptBlock string   `json:"promptBlock" jsonschema:"All of it as text for a prompt, with the section's own feedback; empty where there is nothing to say."`
	Warnings    []string `json:"warnings" jsonschema:"From the run: what other sections ended with, then successes in an equal context."`
	Dos         []string `json:"dos" jsonschema:"From history: approaches that worked, the best first."`
	Donts       []string `json:"donts" jsonschema:"From history: what to avoid, the most frequent first."`
	PatternIDs  []string `json:"patternIds" jsonschema:"The patterns behind dos and donts, in their order."`
}

func guidance(ctx context.Context, tenant *service.Tenant, in guidanceInput) (guidanceOutput, error) {
	found, err := tenant.Judging.Guidance(ctx, service.GuidanceInput{
		RunID: in.RunID, SectionID: in.SectionID, SectionType: in.SectionType, Context: in.Context,
	})
	if err != nil {
		return guidanceOutput{}, err
	}
	maxTokens := promptTokens
	if in.MaxTokens != nil {
		maxTokens = *in.MaxTokens
	}
	block, err := found.PromptBlock(maxTokens)
	return guidanceOutput{
		PromptBlock: block, Warnings: orNone(found.Warnings), Dos: orNone(found.Dos), Donts: orNone(found.Donts),
		PatternIDs: mapped(found.Patterns, func(p *memory.Pattern) string { return p.ID() }),
	}, err
}
