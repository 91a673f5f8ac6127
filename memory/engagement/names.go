package engagement

import (
	"strings"
	"unicode"

	"mneme/memory"
	"mneme/memory/prose"
)

// canvasName is what a sort of canvas is called: the words of its component, and a noun.
type canvasName struct{ words, noun string }

// nouns are what canvases of a type are, in the singular, all of which get an s in the plural. Others are canvases.
var nouns = map[string]string{
	memory.CanvasDocs: "document", memory.CanvasEmail: "email", memory.CanvasSheets: "sheet",
	memory.CanvasTerminal: "terminal", memory.CanvasCharts: "chart", memory.CanvasForms: "form",
}

const (
	anyNoun     = "canvas"
	nounPlural  = "canvases"
	nameInRunes = 60
)

// nameOf names a canvas by its component, else its type: charts with line, line_chart and LineChart are line charts.
func nameOf(c *memory.Canvas) canvasName {
	noun, known := nouns[c.CanvasType]
	if !known {
		noun = anyNoun
	}
	words := wordsOf(memory.OrZero(c.ComponentType))
	if words == "" && !known && c.CanvasType != memory.CanvasGeneric {
		words = wordsOf(c.CanvasType)
	}
	name := canvasName{noun: noun}
	for _, last := range []string{noun, name.many()} {
		if words == last || strings.HasSuffix(words, " "+last) {
			words = strings.TrimSpace(strings.TrimSuffix(words, last))
		}
	}
	name.words = prose.Shorten(words, nameInRunes)
	return name
}

func (n canvasName) one() string { return strings.TrimSpace(n.words + " " + n.noun) }

func (n canvasName) many() string {
	plural := n.noun + "s"
	if n.noun == anyNoun {
		plural = nounPlural
	}
	return strings.TrimSpace(n.words + " " + plural)
}

// wordsOf takes an identifier apart: tax_form, tax-form and TaxForm are "tax form", and HTTPForm is "http form".
func wordsOf(identifier string) string {
	var words strings.Builder
	letters := []rune(identifier)
	for i, r := range letters {
		if i > 0 && unicode.IsUpper(r) {
			ends := i+1 < len(letters) && unicode.IsLower(letters[i+1]) // a run of capitals, before this one
			if before := letters[i-1]; unicode.IsLower(before) || unicode.IsUpper(before) && ends {
				words.WriteRune(' ')
			}
		}
		if r == '_' || r == '-' {
			r = ' '
		}
		words.WriteRune(unicode.ToLower(r))
	}
	return prose.OneLine(words.String())
}
