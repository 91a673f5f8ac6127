package answering

import (
	"bytes"
	"context"
	"io"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"mneme/service"
)

// List answers the elements of a list. Where they read something they do it at the same time, so that
// the loaders can gather what they ask for, and each is kept as text once it is complete, which takes less
// than the objects; where they do not, goroutines would only cost, and a panic is for the field that the list
// belongs to.
func List(ctx context.Context, length int, reads bool, element func(ctx context.Context, index int) graphql.Marshaler) graphql.Array {
	list := make(graphql.Array, length)
	budget := service.BudgetOf(ctx)
	put := func(i int) {
		if budget.Err() != nil {
			list[i] = graphql.Null // the request is over
			return
		}
		ctx := graphql.WithFieldContext(ctx, &graphql.FieldContext{Index: &i})
		if reads {
			defer func() {
				if panicked := recover(); panicked != nil {
					graphql.AddError(ctx, graphql.Recover(ctx, panicked))
					list[i] = graphql.Null
				}
			}()
			list[i] = flattened(element(ctx, i))
			return
		}
		list[i] = element(ctx, i)
	}
	if reads {
		together(ctx, length, put)
		return list
	}
	for i := range list {
		put(i)
	}
	return list
}

// flat is a part of the answer as text.
type flat []byte

// MarshalGQL writes the text.
func (f flat) MarshalGQL(w io.Writer) { _, _ = w.Write(f) }

// scratch are buffers in which objects become text. One that had to grow far is not kept.
var scratch = sync.Pool{New: func() any { return new(bytes.Buffer) }}

const longestScratch = 1 << 20

// flattened writes an object; null stays as it is.
func flattened(value graphql.Marshaler) graphql.Marshaler {
	set, ok := value.(*Set)
	if !ok {
		return value
	}
	buffer, _ := scratch.Get().(*bytes.Buffer)
	buffer.Reset()
	set.MarshalGQL(buffer)
	if buffer.Cap() > longestScratch {
		return flat(buffer.Bytes())
	}
	defer scratch.Put(buffer)
	return flat(bytes.Clone(buffer.Bytes()))
}
