package lexical

import (
	_ "embed" // the forms
	"strings"
)

//go:embed irregular.txt
var forms string

// irregular has, of forms that no rule makes, the word that they are forms of: "broke" and "broken" are "break". Forms
// that are other words more often ("left", "lives") are missing.
var irregular = func() map[string]string {
	wordOf := map[string]string{}
	for family := range strings.Lines(forms) {
		words := strings.Fields(family)
		for _, form := range words[1:] {
			wordOf[form] = words[0]
		}
	}
	return wordOf
}()
