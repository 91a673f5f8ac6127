package app

import (
	"net/http"

	"mneme/internal/gqlhttp"
	"mneme/service"
)

// graphQL is the API over the app's memory.
func (a *App) graphQL() http.Handler {
	return gqlhttp.NewHandler(a.Service, gqlhttp.Options{
		Log: a.log, Budget: service.Limits{AnswerBytes: a.config.MaxAnswer}, Room: a.room,
	})
}
