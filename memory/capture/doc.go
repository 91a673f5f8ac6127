// Package capture reads an episode from what a program recorded of a run: from the events of a workflow's log, or from
// the spans of a trace. The log is split into segments at long pauses and where tasks are completed.
package capture
