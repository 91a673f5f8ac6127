// Package consolidation finds what recurs in the episodes of an agent: outcomes, failing steps, reactions to canvases,
// corrections. Each becomes one observation with links to its evidence.
package consolidation
