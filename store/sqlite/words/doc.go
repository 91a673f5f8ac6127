// Package words is the word index: two full-text tables (episodes, and all other records) that are fed with the stems of
// package lexical, and beside them a count of the records that have a stem, by which searches weigh it.
package words
