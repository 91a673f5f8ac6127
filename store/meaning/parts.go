package meaning

import "strings"

// Codes are what texts mean together, joined by newlines, and then each of their first lines by itself, in their order and
// at most so many in all: of much that is said a line may be what is asked for, and the whole be about something else. Lines
// that say nothing are passed over, and one that is all there is is not said twice. There are none where Encode says
// nothing of the whole.
func Codes(most int, texts ...string) []Code {
	if most <= 0 {
		return nil
	}
	var whole sum
	codes := make([]Code, 1, most)
	lines := 0
	for line := range strings.Lines(cut(joined(texts))) {
		var own sum
		own.add(line)
		v, ok := own.vector()
		if !ok {
			continue
		}
		lines++
		if len(codes) < most {
			codes = append(codes, v.Code())
		}
		for j := range whole {
			whole[j] += own[j]
		}
	}
	v, ok := whole.vector()
	if !ok {
		return nil
	}
	codes[0] = v.Code()
	if lines == 1 {
		return codes[:1]
	}
	return codes
}

// joined are the texts that are not empty, each on lines of its own.
func joined(texts []string) string {
	said := make([]string, 0, len(texts))
	for _, text := range texts {
		if text != "" {
			said = append(said, text)
		}
	}
	return strings.Join(said, "\n")
}
