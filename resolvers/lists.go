package resolvers

import (
	"slices"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// present are those of a list that there are: what is gone, or cannot be read and is told of, is left out.
func present[T comparable](list []T, err error) ([]T, error) {
	var none T
	return slices.DeleteFunc(list, func(item T) bool { return item == none }), err
}

// pointers is a list in the form that the generated code takes, or passes the error of reading it on.
func pointers[T any](list []T, err error) ([]*T, error) {
	if err != nil {
		return nil, err
	}
	return memory.Mapped(list, func(item T) *T { return &item }), nil
}

// page gathers the arguments of a page.
func page(first *int, after *string) reading.PageInput {
	return reading.PageInput{First: first, After: after}
}

// users gathers the arguments that say whose records are wanted.
func users(userID *string, includeShared *bool) boundary.UserFilter {
	return boundary.UserFilter{UserID: userID, IncludeShared: includeShared != nil && *includeShared}
}
