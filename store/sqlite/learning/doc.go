// Package learning is the learning profiles of agents as they are kept: sums and a window of the latest executions in a
// row each, and behind that an archive. Executions come to them and go, and what is damaged of them is summed up anew.
package learning
