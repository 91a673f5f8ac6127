// Package compaction takes out of prose what carries no meaning, before it is kept: by rule and by a list of English
// phrases, the same for the same text, and never anything technical. A text becomes chunks (chunks.go), of which some
// are protected (protect.go); the phrases (phrases.go) are applied to each sentence (sentence.go).
package compaction
