// Package prose puts texts into the room there is for them: on one line, cut between words, the part of a text that
// matches a query, as many items as a budget of tokens holds.
package prose
