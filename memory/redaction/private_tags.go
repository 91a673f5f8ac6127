package redaction

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// privateName is the name in the tags around private text.
const privateName = "private"

// privateTag is a tag in a text, from its first byte to the one after its last.
type privateTag struct {
	start, end int
	closing    bool // </private>
	empty      bool // <private />
	within     bool // it opens before the end of another that opens
	plain      bool // its first bracket stands for itself
}

// privateTags finds the tags in a text as it is read (see Reading): in any case, with white space around slash and name,
// and with anything after the name up to the closing bracket, but in a closing tag no bracket that may open another: what
// that one hides would show. Where before a closing bracket a plain and an encoded tag open, both do, since each is closed by its own. The
// time is linear in the text, whatever it holds: this stands before every write, where a regular expression took 0.3 s over a
// megabyte of tags.
func privateTags(text string) []privateTag {
	read := ReadingOf(text, nil)
	tags, opened := plainTags(read.Text), map[bool]bool{} // the makes of what opens before the same bracket
	kept := tags[:0]
	for _, tag := range tags {
		_, behind := read.Place(tag.start, tag.start+1)
		tag.plain = text[behind-1] == '<'
		tag.start, tag.end = read.Place(tag.start, tag.end)
		if !tag.within {
			clear(opened)
		}
		if !opened[tag.plain] {
			opened[tag.plain] = true
			kept = append(kept, tag)
		}
	}
	return kept
}

func plainTags(text string) (tags []privateTag) {
	named, ended := 0, 0 // where the name of the last tag ends, and where that tag does
	for at := indexFold(text, privateName, 0); at >= 0; at = indexFold(text, privateName, at) {
		start, closing, ok := tagStart(text[named:at])
		start, at = named+start, at+len(privateName)
		tag := privateTag{start: start, closing: closing, within: start < ended}
		if !ok || !nameEnds(text[at:]) || tag.within && closing {
			continue
		}
		if !tag.within {
			ends := ">"
			if closing {
				ends = "<>"
			}
			size := strings.IndexAny(text[at:], ends)
			if size < 0 {
				return tags // no tag ends any more
			}
			if text[at+size] == '<' {
				continue
			}
			tag.empty = strings.TrimSpace(text[at:at+size]) == "/"
			ended = at + size + 1
		}
		named, tag.end = at, ended
		tags = append(tags, tag)
	}
	return tags
}

// tagStart says where in the text before a name its tag starts, and whether it has a slash.
func tagStart(before string) (start int, closing, ok bool) {
	before = strings.TrimRightFunc(before, unicode.IsSpace)
	if slashless, found := strings.CutSuffix(before, "/"); found {
		before, closing = strings.TrimRightFunc(slashless, unicode.IsSpace), true
	}
	return len(before) - 1, closing, strings.HasSuffix(before, "<")
}

// nameEnds says whether the name is over where the text after it begins.
func nameEnds(after string) bool {
	next, _ := utf8.DecodeRuneInString(after)
	return next == '>' || unicode.IsSpace(next)
}

// indexFold finds an ASCII word in any case at or after a position, −1 where there is none.
func indexFold(text, word string, from int) int {
	for i := from; i+len(word) <= len(text); i++ {
		if text[i]|0x20 == word[0] && strings.EqualFold(text[i:i+len(word)], word) {
			return i
		}
	}
	return -1
}
