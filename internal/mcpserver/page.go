package mcpserver

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/service"
	"mneme/service/reading"
	"mneme/service/recalling"
)

// pageOutput says how the list goes on.
type pageOutput struct {
	Next string `json:"next,omitempty" jsonschema:"Send it as after to go on."`
}

func nextOf[T any](page *reading.Page[T]) pageOutput {
	return pageOutput{Next: memory.OrZero(page.Next())}
}

// hitsOutput is what a search answers.
type hitsOutput[H any] struct {
	Hits  []H `json:"hits"`
	Found int `json:"found" jsonschema:"How many were found by the best passages."`
	pageOutput
}

// hitsOf tells of each hit of a search, with a note where it is a concept that no longer holds.
func hitsOf[H any](
	ctx context.Context, tenant *service.Tenant, page *reading.Page[recalling.SearchHit], err error, tell func(hit recalling.SearchHit, note string) H,
) (hitsOutput[H], error) {
	if err != nil {
		return hitsOutput[H]{}, err
	}
	notes, err := notesOf(ctx, tenant, memory.Mapped(page.Items, func(hit recalling.SearchHit) memory.Node { return hit.Node })...)
	if err != nil {
		return hitsOutput[H]{}, err
	}
	found, err := page.Total(ctx)
	hits := memory.Mapped(page.Items, func(hit recalling.SearchHit) H { return tell(hit, notes[hit.Node.ID()]) })
	return hitsOutput[H]{hits, found, nextOf(page)}, err
}

// renamed is an error whose field is called otherwise here.
func renamed(err error, as func(field string) string) error {
	known, ok := errors.AsType[*memory.Error](err)
	if !ok {
		return err
	}
	here := *known
	here.Field = as(known.Field)
	return &here
}
