// Package matching says how well a record matches a query, in one way for all stores and kinds: by the words that they
// share (words.go, session.go), by what they mean (meaning.go), by a time that the query names (dates.go, dates_read.go)
// and by whom it names (speaker.go); and adds these up (score.go), with the reasons in words (reasons.go).
//
// Words. Of a query's words a dozen count, those that the fewest records have, and a few that none has (Choose). Each is
// worth its rarity:
//
//	idf = ln(1 + (N − n + ½) / (n + ½))
//
// of N records, of which n have the word. A record has of it
//
//	bm25 = idf · count·(k1 + 1) / (count + k1·(1 − b + b·length/average)), k1 = 0.3, b = 0.75
//
// where counts and lengths are those of its texts with their weights (Texts). In a session an answer often stands next to
// the words that were asked for, so each word counts where it is best in the neighbourhood, less by 0.7 with every step:
//
//	W(d) = max over |e| ≤ 4 of 0.7^|e| · bm25(d + e)
//	C(d) = Σ W(d) / Σ 1.3·idf
//
// C is the share in 0…1 of the most that is possible, and can be compared across queries, kinds and stores. A record of
// average length that has every word once has 1/1.3.
//
// How a store uses it: it counts per kind how many records have words, how long they are (Collection) and in how many
// each stem occurs; of each record it keeps the stems with their counts (Bag). It asks Choose for the words of a query,
// finds by its index who has them, brings forward who promises most (Query.Promises), reads the bags of the best and those of
// up to 2·Reach records on either side of each, scores these runs (Query.Run), or each record by itself (Query.Alone), and
// answers what lies within Reach of the best. So records without any of the words enter with their neighbours, and all that
// is answered has its whole neighbourhood: smooth first, then cut.
//
// Sums are made in one order and nothing is fused (see ranking's total), so that stores which count the same agree.
package matching
