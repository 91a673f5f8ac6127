package lexical

// Matcher answers whether a word as it stands in a text is one that a query asks for, by its stem.
func Matcher(query string) func(word string) bool {
	asked := map[string]bool{}
	for _, term := range Terms(query) {
		asked[term.Stem] = true
	}
	return func(word string) bool {
		for _, term := range Terms(word) {
			if asked[term.Stem] {
				return true
			}
		}
		return false
	}
}
