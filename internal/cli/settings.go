package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// change makes another value of one, nil where there is none.
type change func(value json.RawMessage) (json.RawMessage, error)

// member is one of a JSON object.
type member struct {
	key   string
	value json.RawMessage
}

// membersOf are the members of an object in their order; ok is false for what is no object.
func membersOf(object json.RawMessage) (members []member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(object))
	open, _ := d.Token() // as all that follows it is JSON
	for ok = open == json.Delim('{'); ok && d.More(); {
		key, _ := d.Token()
		var value json.RawMessage
		_ = d.Decode(&value)
		members = append(members, member{fmt.Sprint(key), value})
	}
	return members, ok
}

// joined are the parts of an object or a list as one text.
func joined(open string, parts [][]byte, end string) json.RawMessage {
	return slices.Concat([]byte(open), bytes.Join(parts, []byte(",")), []byte(end))
}

// changedAt is an object with the value on a path changed. It makes missing parents, and takes out a value that becomes
// nil, with what held nothing else.
func changedAt(object json.RawMessage, path []string, change change) (json.RawMessage, error) {
	if len(path) == 0 {
		return change(object)
	}
	members, ok := membersOf(object)
	if object != nil && !ok {
		return nil, fmt.Errorf("what holds %q is no object", path[0])
	}
	at := slices.IndexFunc(members, func(m member) bool { return m.key == path[0] })
	if at < 0 {
		at, members = len(members), append(members, member{key: path[0]})
	}
	value, err := changedAt(members[at].value, path[1:], change)
	if err != nil || bytes.Equal(value, members[at].value) {
		return object, err
	}
	if members[at].value = value; value == nil {
		members = slices.Delete(members, at, at+1)
	}
	if len(members) == 0 {
		return nil, nil
	}
	var parts [][]byte
	for _, m := range members {
		key, _ := json.Marshal(m.key) // a text
		parts = append(parts, slices.Concat(key, []byte(":"), m.value))
	}
	return joined("{", parts, "}"), nil
}

// withJSON is a text of settings with the values on paths changed, in the order that it has, and indented as programs
// write settings; the text itself where nothing changes.
func withJSON(text []byte, change change, paths ...[]string) (_ []byte, err error) {
	object := json.RawMessage(bytes.TrimSpace(text))
	if len(object) == 0 {
		object = json.RawMessage("{}")
	}
	if !json.Valid(object) {
		return nil, errors.New("it is no JSON, and is left as it is: mend it first")
	}
	var before, after, indented bytes.Buffer
	_ = json.Compact(&before, object)
	for _, path := range paths {
		if object, err = changedAt(object, path, change); err != nil {
			return nil, err
		}
	}
	if object == nil {
		object = json.RawMessage("{}")
	}
	if _ = json.Compact(&after, object); bytes.Equal(before.Bytes(), after.Bytes()) {
		return text, nil
	}
	_ = json.Indent(&indented, object, "", "  ")
	return append(indented.Bytes(), '\n'), nil
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
