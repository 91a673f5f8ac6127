package app

import (
	"context"
	"net/http"

	"mneme/internal/gqlhttp"
	"mneme/service"
)

// graphQL is the API over the app's memory.
func (a *App) graphQL() http.Handler {
	closing, closes := context.WithCancel(context.Background())
	a.server.RegisterOnShutdown(closes)
	return gqlhttp.NewHandler(a.Service, gqlhttp.Options{
		Log: a.log, Budget: service.Limits{AnswerBytes: a.config.MaxAnswer}, Room: a.room, Closing: closing,
	})
}
