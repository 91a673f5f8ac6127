package lexical

// Matcher answers whether a word as it stands in a text is one that a query asks for, by its stem. It keeps what it
// answered, since a text says its words again and again; one goroutine asks it at a time.
func Matcher(query string) func(word string) bool {
	asked := map[string]bool{}
	for _, term := range Terms(query) {
		asked[term.Stem] = true
	}
	has := func(word string) bool {
		for _, term := range Terms(word) {
			if asked[term.Stem] {
				return true
			}
		}
		return false
	}
	answered := map[string]bool{}
	return func(word string) bool {
		is, known := answered[word]
		if !known {
			is = has(word)
			answered[word] = is
		}
		return is
	}
}
