package resolvers

import "mneme/service"

// page gathers the arguments of a page.
func page(first *int, after *string) service.PageInput {
	return service.PageInput{First: first, After: after}
}

// users gathers the arguments that say whose records are wanted.
func users(userID *string, includeShared *bool) service.UserFilter {
	return service.UserFilter{UserID: userID, IncludeShared: includeShared != nil && *includeShared}
}

// filterOr is the filter, or the one that keeps all.
func filterOr(filter *service.EpisodeFilter) service.EpisodeFilter {
	if filter == nil {
		return service.EpisodeFilter{}
	}
	return *filter
}
