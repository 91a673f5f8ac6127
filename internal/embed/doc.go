// Package embed turns texts into vectors through an endpoint that speaks OpenAI's embeddings protocol.
package embed
