// Package engagement says how people took what an agent showed them: canvases as observations of a person's state (a
// POMDP's, whose state is never seen), summed up by sort of canvas with a half-life of 30 days, and the reward of an
// episode. The states of one canvas and their rewards are methods of memory.Canvas.
package engagement
