package lexical

// Matcher answers whether a word as it stands in a text is one that a query asks for, by its stem. One goroutine asks
// it at a time.
func Matcher(query string) func(word string) bool {
	asked, words := map[string]bool{}, NewReader()
	for _, term := range Terms(query) {
		asked[term.Stem] = true
	}
	return func(word string) bool {
		for term := range words.each(word) {
			if asked[term.Stem] {
				return true
			}
		}
		return false
	}
}
