package gqlhttp

import (
	"context"
	"reflect"

	"github.com/99designs/gqlgen/graphql"

	"mneme/memory"
	"mneme/service"
)

const (
	// usualLength is that of numbers, times and the like in an answer, in bytes.
	usualLength = 8
	// elementLength is what an element of a list counts for, beside its fields. It is more than its braces, since it has a
	// goroutine and a place in the memory until the answer is written: 80,000 are as many as an answer may hold.
	elementLength = 200
)

// counted counts the answer of a field before its value is written, so that an answer stops growing at its limit.
func counted(ctx context.Context, next graphql.Resolver) (any, error) {
	budget := service.BudgetOf(ctx)
	value, err := next(ctx)
	if err != nil || budget == nil {
		return value, err
	}
	name := len(graphql.GetFieldContext(ctx).Field.Alias) + len(`"":,`)
	return value, budget.Answer(int64(name) + answerLength(value))
}

// answerLength is about how many bytes a value takes in an answer, but for the fields of objects, which are counted by
// themselves.
func answerLength(value any) int64 {
	switch v := value.(type) {
	case string:
		return memory.AnswerLength(v)
	case *string:
		if v != nil {
			return memory.AnswerLength(*v)
		}
	case []string:
		var length int64
		for _, text := range v {
			length += 1 + memory.AnswerLength(text)
		}
		return length
	case memory.JSON:
		return int64(len(v))
	default:
		if of := reflect.ValueOf(value); of.Kind() == reflect.Slice {
			return int64(of.Len()) * elementLength
		}
	}
	return usualLength
}
