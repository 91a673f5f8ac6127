package compaction

import (
	"iter"
	"strings"
)

// chunk is a stretch of text without white space, or something protected with what it holds, and the
// white space before it.
type chunk struct {
	gap  string
	text string
	word string // the plain word that it is, in lower case; empty for anything else
	post string // the signs after the word
}

// plain says whether the chunk is a word that the rules may touch.
func (c *chunk) plain() bool { return c.word != "" }

// ends says whether a sentence ends with the chunk.
func (c *chunk) ends() bool {
	if c.plain() {
		return strings.ContainsAny(c.post, ".!?")
	}
	bare := strings.TrimRight(c.text, "\"')]*_`")
	return bare != "" && strings.IndexByte(".!?", bare[len(bare)-1]) >= 0
}

// opens says whether the chunk is the sign of a list, a heading or a quotation, behind which a sentence begins.
func (c *chunk) opens() bool {
	switch c.text {
	case "-", "*", "+", ">", "•":
		return true
	}
	return c.text[0] == '#' && strings.Trim(c.text, "#") == ""
}

const blanks = " \t\r\n"

func isBlank(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' }

// chunksOf takes a text apart. The white space at its end is in no chunk.
func chunksOf(text string) []chunk {
	chunks := make([]chunk, 0, len(text)/6+1) // an English word and a blank
	spans := protectedSpans(text)
	gap := 0
	for at := 0; at < len(text); {
		if isBlank(text[at]) && !(len(spans) > 0 && spans[0].start == at) {
			at++
			continue
		}
		part := chunk{gap: tidyGap(text[gap:at])}
		end, protected := chunkEnd(text, at, &spans)
		part.text = text[at:end]
		if !protected {
			part.word, part.post = plainWord(part.text)
		}
		chunks = append(chunks, part)
		at, gap = end, end
	}
	return chunks
}

// chunkEnd goes to the next white space that is not protected, and takes the spans on the way.
func chunkEnd(text string, at int, spans *[]textSpan) (end int, protected bool) {
	for at < len(text) {
		if len(*spans) > 0 && (*spans)[0].start <= at {
			span := (*spans)[0]
			*spans = (*spans)[1:]
			at, protected = span.end, true
			continue
		}
		if isBlank(text[at]) {
			break
		}
		at++
	}
	return at, protected
}

// longestWord is the most letters that a plain word has. A sign that moves to the word before copies it.
const longestWord = 64

// plainWord takes a word and the signs after it apart: ASCII letters in lower case or with a capital at
// the beginning, with an apostrophe inside. Anything else is no plain word.
func plainWord(text string) (word, post string) {
	core := strings.TrimRight(text, ",.;:!?")
	if len(core) > longestWord {
		return "", ""
	}
	for i := range len(core) {
		switch letter := core[i]; {
		case 'a' <= letter && letter <= 'z', i == 0 && 'A' <= letter && letter <= 'Z':
		case letter == '\'' && i > 0 && i < len(core)-1:
		default:
			return "", ""
		}
	}
	return strings.ToLower(core), text[len(core):]
}

// sentencesOf splits chunks after the end of a sentence, at the end of a line and behind the sign of a
// list, and takes the words of what reads like a command out of reach.
func sentencesOf(chunks []chunk) iter.Seq[[]chunk] {
	return func(yield func([]chunk) bool) {
		first, command := 0, false
		for i := range chunks {
			command = command || inCommand(&chunks[i])
			last := i == len(chunks)-1
			if !last && !chunks[i].ends() && linesIn(chunks[i+1].gap) == 0 && !(i == first && chunks[i].opens()) {
				continue
			}
			sentence := chunks[first : i+1]
			if command {
				for j := range sentence {
					sentence[j].word, sentence[j].post = "", ""
				}
			}
			if !yield(sentence) {
				return
			}
			first, command = i+1, false
		}
	}
}

// inCommand says whether a chunk makes its sentence a command or a line of code: the name of a program,
// an option, an operator, a keyword of SQL.
func inCommand(c *chunk) bool {
	if c.plain() {
		return commandWords[c.text[:len(c.text)-len(c.post)]]
	}
	text := strings.TrimRight(c.text, ",.:!?")
	switch {
	case commandWords[text], strings.HasPrefix(text, "./"):
		return true
	case strings.HasPrefix(text, "-"), strings.HasPrefix(text, "$"): // an option, a variable; not -5 or $5
		name := strings.TrimLeft(text, "-$({")
		return name != "" && isWordByte(name[0]) && (name[0] < '0' || name[0] > '9')
	}
	return strings.HasSuffix(text, "{") || strings.HasSuffix(text, "}") || strings.HasSuffix(text, ";")
}

// commandWords are chunks that no English sentence has, or hardly ever.
var commandWords = wordSet(`
	git npm npx yarn pnpm pip pip3 docker kubectl helm curl wget sudo ssh scp rsync psql mysql sqlite3 redis-cli cargo
	rustc gcc mvn gradle terraform systemctl apt apt-get brew chmod chown mkdir rmdir grep sed awk ls cd rm cp mv tar
	unzip python3 nodejs uvx gh aws gcloud az jq tmux vim nano ps kubectx cmake
	| || && & > >> < 2>&1 = == != => -> := += <- <=
	SELECT INSERT UPDATE DELETE FROM WHERE JOIN CREATE ALTER DROP MATCH MERGE RETURN
`)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
