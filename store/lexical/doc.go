// Package lexical analyses text for word search, in one way for every backend: which words a text has,
// which of them carry meaning, what their stems are and which of a long text's words tell most.
//
// Words are those of Unicode's text segmentation (UAX #29) as people read them: STRASSE and Straße are one (NFKC, full
// case folding), and the English possessive goes. Stop words and question words are dropped, because "what did she say
// when" matches everything. Plain English words are compared by their Snowball stem, irregular forms by that of their
// word, all others as they are. An identifier is a word, and so are its parts: getUserById, cancel_reservation. C++ and
// C# are words, emoji are, and the first seven digits of a commit's id.
//
// The stores keep stems, so a change of this analysis needs another version of each store's schema.
package lexical
