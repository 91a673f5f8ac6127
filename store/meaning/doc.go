// Package meaning turns English texts into vectors, so that texts can be compared by what they mean: "the car would not
// start" is near to "vehicle failed ignition" although they share no word. It needs no network and no model server: a
// table of 4.2 MB, which is part of the program, holds a vector for each of the 30,522 tokens of BERT's uncased
// vocabulary, and a text's vector is the sum of its tokens' vectors, brought to the length 1. So the order of words
// does not matter, a word means the same in every text, and negations hardly count; words that no piece of the
// vocabulary fits, and languages that it does not know, say nothing.
//
// The table was distilled from the sentence model all-MiniLM-L6-v2 and glosses of WordNet by scripts/meaning, whose
// README says how, and what was measured; NOTICE.txt has the licences of both.
//
// # The files
//
// vocabulary.txt has a token a line. Line i, counted from 0, is token i, and "##" before it says that it goes on with a
// word. table.bin has for the N tokens first N step sizes, unsigned 16-bit numbers, the low byte first; then N rows of
// 128 signed bytes. Number j of the vector of token i is step[i] · row[i][j]; the unit of the steps is the same for
// all, and does not matter, since only directions do. The numbers of tokens that are no words, such as [PAD], are 0.
// Rows are sums of whole numbers up to their length, so a text's vector is the same on every machine, to the last bit.
package meaning
