// Package openai has texts embedded and written by endpoints that speak OpenAI's protocol: OpenAI itself, or a local
// server such as Ollama, vLLM or llama.cpp. Neither its errors nor its logs hold a key or a text.
//
// It is a client of its own because each call is a single POST: the official SDK brings a package
// of some hundred generated files and a cloud vendor's modules, and would still need the limits on
// response size, concurrency and time that are the substance here.
package openai
