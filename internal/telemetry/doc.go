// Package telemetry tells those who run a server how it does: metrics, read by Prometheus and sent out by OTLP, and
// traces, sent out by OTLP. There is one set of instruments. No signal holds a text, a key or a tenant's name, and what
// a label can say is of a closed set, whatever clients send.
package telemetry
