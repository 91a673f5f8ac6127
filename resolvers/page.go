package resolvers

import (
	"mneme/service/boundary"
	"mneme/service/reading"
)

// page gathers the arguments of a page.
func page(first *int, after *string) reading.PageInput {
	return reading.PageInput{First: first, After: after}
}

// users gathers the arguments that say whose records are wanted.
func users(userID *string, includeShared *bool) boundary.UserFilter {
	return boundary.UserFilter{UserID: userID, IncludeShared: includeShared != nil && *includeShared}
}
