package passages

import (
	"bytes"
	"time"

	"mneme/memory"
	"mneme/store/lexical"
)

// Same says whether a record has the passages that it should have, as they were read. Of a log it may have more: what
// a later part or the end of the episode says again was not known yet.
func Same(kind memory.Kind, r Record, has []map[string]any, log bool) bool {
	should, owned, last := map[string]memory.Passage{}, owner(kind, r.Properties), int64(-1)
	next := func(number any, place int) bool { // those of a log may have a gap
		was := last
		last, _ = number.(int64)
		return last == int64(place) || log && last > was
	}
	for _, p := range r.Said {
		should[p.Text] = p
	}
	for i, p := range has {
		text, _ := p["text"].(string)
		want, said := should[text]
		delete(should, text)
		switch {
		case !next(p["number"], i), p["owner"] != owned, p["words"] != lexical.Stems(text), !rightCode(p, text):
			return false
		case said && samePassage(&want, p):
		case !log || p["part"] != string(memory.PartEvent):
			return false
		}
	}
	leftOut, _ := r.Properties["leftOut"].(int64)
	return len(should) == 0 && (log || int(leftOut) == r.LeftOut) || log && leftOut > 0
}

func rightCode(p map[string]any, text string) bool {
	code, made := p["code"].([]byte)
	return p["due"] == true || made && bytes.Equal(code, CodeOf(text))
}

func samePassage(want *memory.Passage, p map[string]any) bool {
	step, _ := p["step"].(string)
	at, _ := p["at"].(time.Time)
	return p["part"] == string(want.Part) && p["position"] == int64(want.Position) && step == want.Step && at.Equal(want.At)
}
