// Package trends adds up episodes and verdicts for a chart over time.
package trends
