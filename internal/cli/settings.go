package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Settings in JSON are changed where they stand, so that all else in a file stays as it was, to the last space.

// jsonSpan is where a value stands in a text, from its key on where it has one.
type jsonSpan struct {
	key             string // in an array its place
	from, value, to int
}

const jsonSpace = " \t\r\n"

// jsonKids are what a value of a text holds.
func jsonKids(text []byte, within jsonSpan) (kids []jsonSpan) {
	d := json.NewDecoder(bytes.NewReader(text[within.value:within.to]))
	open, _ := d.Token() // as all that follows it is JSON
	for d.More() {
		rest := text[within.value+int(d.InputOffset()):]
		kid := jsonSpan{key: strconv.Itoa(len(kids)), from: len(text) - len(bytes.TrimLeft(rest, jsonSpace+","))}
		if open == json.Delim('{') {
			key, _ := d.Token()
			kid.key = fmt.Sprint(key)
		}
		var value json.RawMessage
		_ = d.Decode(&value)
		kid.to = within.value + int(d.InputOffset())
		kid.value = kid.to - len(value)
		kids = append(kids, kid)
	}
	return kids
}

// jsonFind finds the values on a path, the whole first, as far as they are there; an empty text is an empty object. "-"
// is the first value of an array that contains a mark.
func jsonFind(text []byte, mark string, path []string) ([]byte, []jsonSpan, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	if !json.Valid(text) {
		return nil, nil, errors.New("it is no JSON, and is left as it is: mend it first")
	}
	found := []jsonSpan{{value: len(text) - len(bytes.TrimLeft(text, jsonSpace)), to: len(bytes.TrimRight(text, jsonSpace))}}
	for i, key := range path {
		kids := jsonKids(text, found[i])
		at := slices.IndexFunc(kids, func(kid jsonSpan) bool {
			return kid.key == key || key == "-" && mark != "" && bytes.Contains(text[kid.value:kid.to], []byte(mark))
		})
		if at < 0 {
			break
		}
		found = append(found, kids[at])
	}
	return text, found, nil
}

var firstIndent = regexp.MustCompile(`\n([ \t]+)\S`)

// jsonWith sets a value at a path where nothing is. It makes missing parents; "-" is behind the last of an array.
func jsonWith(text []byte, value any, path ...string) ([]byte, error) {
	text, found, err := jsonFind(text, "", path)
	if err != nil {
		return nil, err
	}
	within, key := found[len(found)-1], path[len(found)-1]
	if open := map[bool]byte{true: '[', false: '{'}[key == "-"]; text[within.value] != open {
		return nil, fmt.Errorf("what it has in the place of %q is of another kind", key)
	}
	if missing := path[len(found):]; len(missing) > 0 {
		holder := any(struct{}{})
		if missing[0] == "-" {
			holder = []any{}
		}
		if text, err = jsonWith(text, holder, path[:len(found)]...); err != nil {
			return nil, err
		}
		return jsonWith(text, value, path...)
	}
	written, err := json.Marshal(value)
	if key != "-" {
		name, _ := json.Marshal(key) // a text
		written = slices.Concat(name, []byte(": "), written)
	}
	if kids := jsonKids(text, within); len(kids) > 0 {
		at, space := kids[len(kids)-1].to, text[within.value+1:kids[0].from]
		return slices.Concat(text[:at], []byte(","), space, written, text[at:]), err
	}
	unit := "  "
	if first := firstIndent.FindSubmatch(text); first != nil {
		unit = string(first[1])
	}
	line := text[bytes.LastIndexByte(text[:within.value], '\n')+1 : within.value]
	line = slices.Concat([]byte("\n"), line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	return slices.Concat(text[:within.value+1], line, []byte(unit), written, line, text[within.value+1:]), err
}

// jsonWithout is a text without what is at a path, and without what held nothing else.
func jsonWithout(text []byte, mark string, path ...string) ([]byte, error) {
	whole, found, err := jsonFind(text, mark, path)
	if err != nil || len(found) <= len(path) {
		return text, err
	}
	i := len(path) - 1
	for i > 0 && len(jsonKids(whole, found[i])) == 1 {
		i--
	}
	kids := jsonKids(whole, found[i])
	from, to := found[i].value+1, found[i].to-1
	switch at := slices.Index(kids, found[i+1]); {
	case at > 0:
		from, to = kids[at-1].to, kids[at].to
	case len(kids) > 1:
		to = kids[0].to + bytes.IndexByte(whole[kids[0].to:], ',') + 1
	}
	return slices.Concat(whole[:from], whole[to:]), nil
}

// withJSON replaces what is at the end of each path by value, or at "-" those that contain mark; nil only takes out.
func withJSON(text []byte, mark string, value any, paths ...[]string) (_ []byte, err error) {
	for _, path := range paths {
		for before := -1; err == nil && before != len(text); {
			before = len(text)
			text, err = jsonWithout(text, mark, path...)
		}
	}
	for _, path := range paths {
		if err == nil && value != nil {
			text, err = jsonWith(text, value, path...)
		}
	}
	return text, err
}

// lineDiff shows the lines from the first that differs to the last, with two around them.
func lineDiff(before, after string) string {
	a, b := slices.Collect(strings.Lines(before)), slices.Collect(strings.Lines(after))
	start, end := 0, 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var out strings.Builder
	say := func(mark string, lines []string) {
		for _, line := range lines {
			fmt.Fprintf(&out, "%s %s\n", mark, strings.TrimSuffix(line, "\n"))
		}
	}
	say(" ", a[max(0, start-2):start])
	say("-", a[start:len(a)-end])
	say("+", b[start:len(b)-end])
	say(" ", a[len(a)-end:min(len(a), len(a)-end+2)])
	return out.String()
}
