package otlp

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"mneme/internal/inbound"
)

// decoded is the JSON object or list that a text holds, and everything else as it is. Of JSON that was cut off, as SDKs
// cut attributes at a limit, it is what can be read.
func decoded(value any) any {
	whole := unquoted(value)
	if text, isText := whole.(string); isText {
		if part := salvaged(text); part != nil {
			return part
		}
	}
	return whole
}

// salvaged is what there is of a JSON object or list that breaks off; nil where the text is something else. What is
// open is closed at the end, or, where that makes no JSON, behind the last whole value.
func salvaged(text string) any {
	if !isDecodable(text) {
		return nil
	}
	written, open, whole, end := []byte(text), []byte{}, 0, text
	for at := 0; at < len(text); {
		next := at + 1
		switch c := text[at]; c {
		case '{', '[':
			open, whole = append(open, c+2), next // the bracket that closes it is two further in ASCII
		case '}', ']':
			open, whole = open[:max(len(open)-1, 0)], next
		case ',':
			whole = at
		case '"':
			if next = inbound.EndOfString(written, at); next == len(text) && !json.Valid(written[at:]) {
				end = text[:at] + unescaped(text[at:]) + `…"`
			}
		}
		at = next
	}
	slices.Reverse(open)
	for _, part := range []string{end, text[:whole]} {
		value := unquoted(part + string(open))
		if _, isText := value.(string); !isText && len(open) > 0 {
			return value
		}
	}
	return nil
}

// unescaped is a string of JSON that breaks off, without the escape that was cut through.
func unescaped(text string) string {
	for range len(`\ud83d\ude00`) {
		if json.Valid([]byte(text + `"`)) {
			break
		}
		text = text[:max(len(text)-1, 0)]
	}
	return text
}

// pythons is the object or list that a text holds as Python prints it; nil where it is something else.
func pythons(text string) any {
	trimmed := strings.TrimSpace(text)
	if !pythonStarts.MatchString(trimmed) {
		return nil
	}
	value := unquoted(pythonTokens.ReplaceAllStringFunc(trimmed, inJSON))
	if _, isText := value.(string); isText {
		return nil
	}
	return value
}

var (
	pythonStarts = regexp.MustCompile(`^(\[\{|\{|\[)'`)
	// A string that nothing closes reaches to the end, so that no text is gone through twice.
	pythonTokens = regexp.MustCompile(`(?s)'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|\w+`)
	pythonWords  = map[string]string{"None": "null", "True": "true", "False": "false"}
)

// inJSON is a token of Python in JSON.
func inJSON(token string) string {
	if word := pythonWords[token]; word != "" {
		return word
	}
	if quote := token[0]; quote != '\'' && quote != '"' || len(token) < 2 || token[len(token)-1] != quote {
		return token
	}
	text := strings.ReplaceAll(token[1:len(token)-1], `\'`, `'`)
	if token[0] == '\'' {
		text = strings.ReplaceAll(strings.ReplaceAll(text, `\"`, `"`), `"`, `\"`)
	}
	return `"` + hexEscapes.ReplaceAllString(text, `\u00$1`) + `"`
}

var hexEscapes = regexp.MustCompile(`\\x([0-9a-f]{2})`)

// isDecodable says whether a text begins as a JSON object or list, and may be decoded for what that takes.
func isDecodable(text string) bool {
	written := []byte(strings.TrimSpace(text))
	if len(written) == 0 || written[0] != '{' && written[0] != '[' || decodable.Check("", written) != nil {
		return false
	}
	weight, exceeded := inbound.Weigh(written)
	return exceeded == nil && weight <= decodableWeight
}

// peeled is a value without what serialisers put around it: LangChain's constructors and typed data, and the envelopes
// of its callbacks. is says whether there was any.
func peeled(value any) (inner any, ok bool) {
	fields, isObject := value.(map[string]any)
	if !isObject {
		return value, false
	}
	if inner, ok := fields["kwargs"].(map[string]any); ok && fields["lc"] != nil {
		if path, _ := fields["id"].([]any); len(path) > 0 && inner["type"] == nil {
			inner["type"] = path[len(path)-1] // the class
		}
		return inner, true
	}
	if inner, ok := fields["data"].(map[string]any); ok && fields["content"] == nil && roleOf(fields) != "" {
		return inner, true
	}
	if inner := enveloped(fields); inner != nil {
		inner, _ = peeled(inner)
		return inner, true
	}
	return value, false
}

// enveloped is what LangChain's callbacks were given or got, in an object beside what they were called with, or a
// message that is all that an object holds; nil where there is neither.
func enveloped(fields map[string]any) any {
	if named, called := fields["kwargs"].(map[string]any); called {
		arguments, _ := fields["args"].([]any)
		if inner := firstOf(fields, "inputs", "outputs", "output", "input_str"); inner != nil || len(arguments) > 0 || len(named) == 0 {
			return inner
		}
		return fields["kwargs"] // of a function that was given all by name
	}
	if len(fields) == 1 {
		for _, only := range fields {
			inner, _ := peeled(only)
			if object, isObject := inner.(map[string]any); isObject && isMessage(object) {
				return object
			}
		}
	}
	return nil
}

// plainValue is what a tool was given or gave, without what is around it: of a message or of a result of MCP its
// content, of parts their text. Binary data are named. JSON that breaks off is a text.
func plainValue(value any) any {
	inner, ok := peeled(decoded(value))
	switch v := inner.(type) {
	case map[string]any:
		content := firstOf(v, "content", "parts", "contents", "blocks")
		if isMessage(v) || partsOf(content) != nil && v["isError"] != true && v["is_error"] != true {
			inner, ok = content, true
		}
	case []any:
		ok = ok || areParts(v)
	}
	if !ok {
		inner = value
	}
	if list := partsOf(inner); list != nil {
		var m message
		m.read(list)
		inner = strings.Join(m.words(), "\n")
	}
	return withoutBinary(unquoted(spoken(inner)), "")
}

// withoutBinary is a value with the type of each file in the place of its data.
func withoutBinary(value any, mime string) any {
	switch v := value.(type) {
	case string:
		if name := binaryName(v, mime); name != "" {
			return name
		}
	case []any:
		for i := range v {
			v[i] = withoutBinary(v[i], "")
		}
	case map[string]any:
		mime := text(v, mimeNames...)
		for name := range v {
			v[name] = withoutBinary(v[name], mime)
		}
	}
	return value
}

// minBinary is from how many bytes on a text of the letters of base64 alone is taken for data.
const minBinary = 512

// binaryName is what is put in the place of a text that is data; empty where it is a text.
func binaryName(text, mime string) string {
	if found := dataURLs.FindStringSubmatch(text); found != nil {
		return "[" + found[1] + "]"
	}
	if !isBase64(text) {
		return ""
	}
	return "[" + cmp.Or(mime, "binary") + "]"
}

func isBase64(text string) bool {
	if len(text) < minBinary || strings.ContainsFunc(text, isNotBase64) {
		return false
	}
	first := text[:minBinary]
	return strings.ContainsFunc(first, unicode.IsDigit) && strings.ContainsFunc(first, unicode.IsUpper) && strings.ContainsFunc(first, unicode.IsLower)
}

func isNotBase64(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+/-_=\r\n", r)
}

var (
	dataURLs  = regexp.MustCompile(`^data:(\w+/[\w.+-]+)[;,]`)
	fileTypes = regexp.MustCompile(`(?i)image|audio|video|file|blob|binary|document|media|inline|^uri$`)
	mimeNames = []string{"mime_type", "media_type", "mimeType", "mediaType"}
)

// fileName names the file of a part, as "[image/png]"; empty where the part is none.
func fileName(fields map[string]any) string {
	kind := text(fields, "type")
	for _, name := range []string{"inline_data", "inlineData", "file_data", "fileData", "image", "document", "video"} {
		if _, ok := fields[name].(map[string]any); ok && kind == "" { // Gemini and Bedrock name the type by the field
			kind = name
		}
	}
	if !fileTypes.MatchString(kind) {
		return ""
	}
	if mime := mimeIn(fields, 0); mime != "" {
		return "[" + mime + "]"
	}
	if modality := text(fields, "modality"); modality != "" {
		return "[" + modality + "]"
	}
	return "[" + strings.ToLower(fileTypes.FindString(kind)) + "]"
}

// mimeIn is the type that a part says its data are of, itself or in what it holds.
func mimeIn(fields map[string]any, depth int) string {
	if mime := text(fields, mimeNames...); mime != "" {
		return mime
	}
	for _, value := range fields {
		switch v := value.(type) {
		case string:
			if found := dataURLs.FindStringSubmatch(v); found != nil {
				return found[1]
			}
		case map[string]any:
			if depth < 2 {
				if mime := mimeIn(v, depth+1); mime != "" {
					return mime
				}
			}
		}
	}
	return ""
}
