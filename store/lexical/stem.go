package lexical

import (
	"hash/fnv"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// stemOf gives the stem (Snowball, English) of a plain English word, or of the word that it is an irregular form of.
// Any other character than a–z (numbers, mia_li_3668, another script) makes it no English word, and it stays whole.
func stemOf(word string) string {
	if len(word) < 3 || !isLowerLatin(word) {
		return word
	}
	if base, known := irregular[word]; known {
		word = base
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

func isASCII(word string) bool {
	for i := range len(word) {
		if word[i] >= 0x80 {
			return false
		}
	}
	return true
}

func isLowerLatin(word string) bool { return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" }

// Hash is what is kept of a stem where many are.
func Hash(stem string) uint32 {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(stem))
	return hash.Sum32()
}

// Hashes are those of stems as Stems joins them.
func Hashes(stems string) (hashes []uint32) {
	for stem := range strings.FieldsSeq(stems) {
		hashes = append(hashes, Hash(stem))
	}
	return hashes
}
