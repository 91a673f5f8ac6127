package meaning

import "strings"

// Codes are what a text means as a whole, and then each of its first lines by itself, in their order and most together:
// in a long text a line may be what is asked for, and the whole be about something else. Lines that say nothing are
// passed over, and one that is all of the text is not said twice. There are none where Encode says nothing.
func Codes(text string, most int) []Code {
	if most <= 0 {
		return nil
	}
	var whole sum
	codes := make([]Code, 1, most)
	lines := 0
	for line := range strings.Lines(cut(text)) {
		if len(codes) == most {
			whole.add(line)
			continue
		}
		var own sum
		own.add(line)
		v, ok := own.vector()
		if !ok {
			continue
		}
		lines++
		codes = append(codes, v.Code())
		for j := range whole {
			whole[j] += own[j]
		}
	}
	v, ok := whole.vector()
	if !ok {
		return nil
	}
	codes[0] = v.Code()
	if lines == 1 && codes[0] == codes[1] {
		return codes[:1]
	}
	return codes
}
