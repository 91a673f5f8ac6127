// Package otlp lets in what OpenTelemetry's SDKs and collectors send: POST /v1/traces of OTLP/HTTP, as
// protobuf or JSON. It reads from spans what an episode can be made of, by the semantic conventions for
// generative AI and by those of OpenInference, OpenLLMetry and the frameworks that have their own.
package otlp
