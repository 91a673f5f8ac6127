package app

import (
	"net/http"

	"mneme/internal/gqlhttp"
)

// graphQL is the API over the app's memory.
func (a *App) graphQL() http.Handler {
	return gqlhttp.NewHandler(a.Service, gqlhttp.Options{Log: a.log})
}
