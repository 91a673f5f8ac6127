// Package judging learns from verdicts, in three tiers: what the next iteration of a section is told (refinement.go),
// what a run's other sections warn of (guidance.go), and what history says works (history.go). It also says how a judge
// tends to decide (judge.go) and agrees with people (agreement.go: Cohen's κ).
package judging
