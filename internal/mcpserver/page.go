package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
)

// pageOutput says how the list goes on.
type pageOutput struct {
	Next string `json:"next,omitempty" jsonschema:"Send it as after for the next page."`
}

func nextOf[T any](page *reading.Page[T]) pageOutput {
	return pageOutput{Next: orEmpty(page.Next())}
}

// hitsOutput is what a search answers.
type hitsOutput[H any] struct {
	Hits  []H `json:"hits"`
	Found int `json:"found" jsonschema:"How many were found, at most some 200."`
	pageOutput
}

func hitsOf[H any](ctx context.Context, page *reading.Page[recalling.SearchHit], tell func(recalling.SearchHit) H) (hitsOutput[H], error) {
	found, err := page.Total(ctx)
	return hitsOutput[H]{memory.Mapped(page.Items, tell), found, nextOf(page)}, err
}

func nodeOf(hit recalling.SearchHit) memory.Node { return hit.Node }

func optionalID(kind memory.Kind, key *string) string {
	if key == nil {
		return ""
	}
	return memory.NodeID(kind, *key)
}

func orEmpty(text *string) string {
	return boundary.ValueOr(text, "")
}

func orNone[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
