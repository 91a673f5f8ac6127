// Package selection chooses agents for tasks: expertise from the latest executions (expertise.go), ranking by expertise
// and confidence (selection.go), what a situation changes (situation.go, an empirical Bayes estimate: Robinson 1991,
// Efron & Morris 1975), and choosing so that something is learnt (explore.go, UCB1: Auer, Cesa-Bianchi & Fischer 2002).
package selection
