// Package words is the word index: of each record the bag of stems by which package matching scores it, two full-text tables
// (of episodes, and of all other records) that say who has a stem, and a count of the records that have each.
package words
