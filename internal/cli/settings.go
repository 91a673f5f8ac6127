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

// jsonNode is a value in a text.
type jsonNode struct {
	key        string // in its object; in an array its place
	from, to   int    // with its key
	value      int    // where it begins
	open       byte   // { or [ ; 0 for what holds no others
	kids       []jsonNode
	text       []byte
	unit, line string // by how much what it holds is indented, and how its own line is
}

// jsonTree reads a text; an empty one is an empty object.
func jsonTree(text []byte) (root jsonNode, err error) {
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	unit := "  "
	if found := firstIndent.FindSubmatch(text); found != nil {
		unit = string(found[1])
	}
	if !json.Valid(text) {
		return root, errors.New("it is no JSON, and is left as it is: mend it first")
	}
	root = jsonNode{text: text, unit: unit}
	return root, root.read(json.NewDecoder(bytes.NewReader(text)))
}

var firstIndent = regexp.MustCompile(`\n([ \t]+)\S`)

// read reads the value that comes next.
func (n *jsonNode) read(d *json.Decoder) error {
	n.value = int(d.InputOffset()) + len(n.text[d.InputOffset():]) - len(bytes.TrimLeft(n.text[d.InputOffset():], " \t\r\n,:"))
	line := string(n.text[bytes.LastIndexByte(n.text[:n.value], '\n')+1 : n.value])
	n.line = line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	token, err := d.Token()
	if err != nil {
		return err
	}
	if delim, ok := token.(json.Delim); ok {
		n.open = byte(delim)
		for d.More() {
			kid := jsonNode{text: n.text, unit: n.unit, key: strconv.Itoa(len(n.kids))}
			kid.from = int(d.InputOffset()) + len(n.text[d.InputOffset():]) - len(bytes.TrimLeft(n.text[d.InputOffset():], " \t\r\n,"))
			if n.open == '{' {
				key, err := d.Token()
				if err != nil {
					return err
				}
				kid.key = fmt.Sprint(key)
			}
			if err := kid.read(d); err != nil {
				return err
			}
			n.kids = append(n.kids, kid)
		}
		if _, err := d.Token(); err != nil {
			return err
		}
	}
	n.to = int(d.InputOffset())
	return nil
}

// kid is the place of what the value holds under a key; -1 for nothing.
func (n *jsonNode) kid(key string) int {
	return slices.IndexFunc(n.kids, func(kid jsonNode) bool { return kid.key == key })
}

// jsonWith is a text with a value at a path, where nothing is. The path is made as far as it is not there; "-" is behind the last of an array.
func jsonWith(text []byte, value any, path ...string) ([]byte, error) {
	node, err := jsonTree(text)
	if err != nil {
		return nil, err
	}
	for node.kid(path[0]) >= 0 {
		node, path = node.kids[node.kid(path[0])], path[1:]
	}
	value = nested(value, path[1:])
	if want := map[bool]byte{true: '[', false: '{'}[path[0] == "-"]; node.open != want {
		return nil, fmt.Errorf("what it has in the place of %q is of another kind", path[0])
	}
	space, end, at := "\n"+node.line+node.unit, "\n"+node.line, node.value+1
	if last := len(node.kids) - 1; last >= 0 {
		space, end, at = string(node.text[node.value+1:node.kids[0].from]), "", node.kids[last].to
	}
	indent := space[strings.LastIndexByte(space, '\n')+1:]
	written, err := json.MarshalIndent(value, indent, node.unit)
	if !strings.Contains(space, "\n") {
		written, err = json.Marshal(value)
	}
	if node.open == '{' {
		key, _ := json.Marshal(path[0]) // a text
		written = slices.Concat(key, []byte(": "), written)
	}
	if end == "" {
		space = "," + space
	}
	return slices.Concat(node.text[:at], []byte(space), written, []byte(end), node.text[at:]), err
}

// nested is a value at a path of what is made for it.
func nested(value any, path []string) any {
	for _, key := range slices.Backward(path) {
		if key == "-" {
			value = []any{value}
		} else {
			value = map[string]any{key: value}
		}
	}
	return value
}

// jsonWithout is a text without what is at a path, and without what held nothing else.
func jsonWithout(text []byte, path ...string) ([]byte, error) {
	node, err := jsonTree(text)
	if err != nil {
		return nil, err
	}
	within, at := node, -1
	for _, key := range path {
		i := node.kid(key)
		if i < 0 {
			return text, nil
		}
		if len(node.kids) > 1 || at < 0 {
			within, at = node, i
		}
		node = node.kids[i]
	}
	from, to := within.value+1, within.to-1
	switch {
	case at > 0:
		from, to = within.kids[at-1].to, within.kids[at].to
	case len(within.kids) > 1:
		to = within.kids[0].to + bytes.IndexByte(within.text[within.kids[0].to:], ',') + 1
	}
	return slices.Concat(within.text[:from], within.text[to:]), nil
}

// jsonElements are what an array at a path holds.
func jsonElements(text []byte, path ...string) (all []json.RawMessage, err error) {
	node, err := jsonTree(text)
	for _, key := range path {
		i := node.kid(key)
		if err != nil || i < 0 {
			return nil, err
		}
		node = node.kids[i]
	}
	for _, kid := range node.kids {
		all = append(all, json.RawMessage(node.text[kid.value:kid.to]))
	}
	return all, err
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
