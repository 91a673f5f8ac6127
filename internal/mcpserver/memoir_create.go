package mcpserver

import (
	"context"

	"mneme/service"
)

var memoirCreateTool = tool[memoirCreateInput, memoirOutput]{
	name: "memoir_create", title: "Create a memoir", hints: settles,
	about: "Makes a memoir: a named graph of concepts, such as what is known about one product. Look at memoir_list first.",
	run:   memoirCreate,
}

// memoirCreateInput describes service.CreateMemoirInput.
type memoirCreateInput struct {
	ID          *string `json:"id,omitempty" jsonschema:"The key to make it under; one is made where it is left out."`
	Name        string  `json:"name" jsonschema:"What it is called, 1 to 512 bytes; no other memoir may be called so."`
	Description *string `json:"description,omitempty" jsonschema:"What belongs into it."`
}

type memoirOutput struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func memoirCreate(ctx context.Context, tenant *service.Tenant, in memoirCreateInput) (memoirOutput, error) {
	memoir, err := tenant.Knowledge.CreateMemoir(ctx, service.CreateMemoirInput(in))
	if err != nil {
		return memoirOutput{}, err
	}
	return memoirOutput{ID: memoir.ID(), Name: memoir.Name}, nil
}
